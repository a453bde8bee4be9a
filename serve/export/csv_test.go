package export_test

import (
	"bytes"
	"encoding/csv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/table"
	"sabine/runtime"
	"sabine/serve/export"
)

// Importing the exported table and the catalogue's vocabulary results in the same snapshot, byte for byte,
// except for texts in languages other than German and English. A table has no vocabulary and no such texts.
func TestCSVReadsBackToTheSameProducts(t *testing.T) {
	for name, inputs := range catalogues(t) {
		t.Run(name, func(t *testing.T) {
			g, path := buildFile(t, inputs...)
			vocabularies := slices.DeleteFunc(inputs, func(in dataset.Input) bool {
				return !strings.HasSuffix(in.Name, "vocabulary.json")
			})
			imported := func(semicolon bool) string {
				text, _ := written(t, g, export.Options{Format: export.CSV, Semicolon: semicolon})
				checkForSpreadsheets(t, text, semicolon)
				return importedText(t, table.Inputs(append(slices.Clip(vocabularies), input("export.csv", text)), table.Options{}))
			}
			records := imported(false)
			again, pathAgain := buildFile(t, append(slices.Clip(vocabularies), input("again.ndjson", []byte(records)))...)
			sameProducts(t, g, again)
			if name != "hard" && filepath.Base(pathAgain) != filepath.Base(path) {
				t.Error("the import gives a different snapshot")
			}
			if name == "hard" && imported(true) != records {
				t.Error("the table with semicolons gives different records")
			}
		})
	}
}

// importedText returns the records in inputs, one per line.
func importedText(t *testing.T, inputs []dataset.Input) string {
	var list strings.Builder
	for raw, err := range dataset.NewReader(inputs).Records() {
		if err != nil || len(raw.Faults) > 0 {
			t.Error(err, raw.Faults)
		}
		list.Write(append(raw.JSON, '\n'))
	}
	return list.String()
}

// checkForSpreadsheets checks that spreadsheets can read a table safely, and that the rows are sorted by id.
func checkForSpreadsheets(t *testing.T, text []byte, semicolon bool) {
	text, marked := bytes.CutPrefix(text, []byte("\xEF\xBB\xBF"))
	if marked != semicolon {
		t.Error("a byte-order mark with commas, or none with semicolons")
	}
	rows := csv.NewReader(bytes.NewReader(text))
	if semicolon {
		rows.Comma = ';'
	}
	cells, err := rows.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(cells[1:], func(a, b []string) int { return strings.Compare(a[0], b[0]) }) {
		t.Error("the products are not in the order of their ids")
	}
	for _, row := range cells[1:] {
		for i, cell := range row {
			if cell == "" || !strings.ContainsAny(cell[:1], "=+-@\t\r") {
				continue
			}
			if _, err := strconv.ParseFloat(strings.Replace(cell, ",", ".", 1), 64); err != nil {
				t.Errorf("a spreadsheet would run %q in column %s", cell, cells[0][i])
			}
		}
	}
}

func TestCSVHasTheSameColumnsForAllProducts(t *testing.T) {
	header := func(g *runtime.Generation) string {
		text, _ := written(t, g, export.Options{Format: export.CSV})
		line, _, _ := strings.Cut(string(text), "\r\n")
		return line
	}
	one, other := header(build(t, records(t, record{}))), header(build(t, hard(t)))
	if one != other {
		t.Errorf("%s\nand %s", one, other)
	}
	columns := strings.Split(one, ",")
	seen := map[string]bool{}
	for _, c := range columns {
		if seen[c] {
			t.Errorf("%s twice", c)
		}
		seen[c] = true
	}
	for _, want := range []string{"id", "label_en", "norm", "alpha_s_octave 63 Hz", "alpha_s_third_octave 10000 Hz",
		"absorption_octave 8000 Hz", "normalized_directional_diffusion_third_octave 630 Hz"} {
		if !seen[want] {
			t.Errorf("no column %q", want)
		}
	}
	if want := 27 + 8 + 13 + 6*(8+24); len(columns) != want {
		t.Errorf("%d columns, want %d", len(columns), want)
	}
}

func TestCSVCells(t *testing.T) {
	for _, test := range []struct {
		rule             string
		label            string
		comma, semicolon string
	}{
		{"a text is unchanged", "Wand 3", `Wand 3`, `Wand 3`},
		{"a text with both separators is quoted", "a,b;c", `"a,b;c"`, `"a,b;c"`},
		{"a comma is quoted only if it is the separator", "a,b", `"a,b"`, `a,b`},
		{"quotes are doubled", `4" panel`, `"4"" panel"`, `"4"" panel"`},
		{"lines are kept", "a\r\nb\n", "\"a\r\nb\n\"", "\"a\r\nb\n\""},
		{"an equals sign", "=1+1", `'=1+1`, `'=1+1`},
		{"a plus", "+49", `'+49`, `'+49`},
		{"a minus", "-1", `'-1`, `'-1`},
		{"an at sign", "@SUM(A1)", `'@SUM(A1)`, `'@SUM(A1)`},
		{"a full-width equals sign, which some spreadsheets read as an equals sign", "＝1+1", `'＝1+1`, `'＝1+1`},
		{"a full-width plus", "＋49", `'＋49`, `'＋49`},
		{"a full-width minus", "－1", `'－1`, `'－1`},
		{"a full-width at sign", "＠SUM(A1)", `'＠SUM(A1)`, `'＠SUM(A1)`},
		{"a full-width sign inside a text", "a＝b", `a＝b`, `a＝b`},
		{"a full-width letter", "Ａ", `Ａ`, `Ａ`},
		{"an apostrophe before a sign", "'＝1", `''＝1`, `''＝1`},
		{"a tab", "\t=1", "'\t=1", "'\t=1"},
		{"a carriage return", "\r=1", "\"'\r=1\"", "\"'\r=1\""},
		{"an apostrophe, which the import removes", "'s", `''s`, `''s`},
		{"a quoted formula", `=HYPERLINK("x";"y")`, `"'=HYPERLINK(""x"";""y"")"`, `"'=HYPERLINK(""x"";""y"")"`},
		{"a sign inside a text", "a=b", `a=b`, `a=b`},
	} {
		g := build(t,
			records(t, record{"label": test.label, "alpha_w": 0.5,
				"measurements": absorption(record{"alpha_s_octave": record{"125": -0.05}})}))
		for semicolon, want := range map[bool]string{false: test.comma, true: test.semicolon} {
			text, _ := written(t, g, export.Options{Format: export.CSV, Semicolon: semicolon})
			separator, number, negative := ",", "0.5", "-0.05"
			if semicolon {
				separator, number, negative = ";", "0,5", "-0,05"
			}
			row := "\r\n00000000-0000-4000-8000-000000000000" + separator + "product-0" + separator + want + separator
			if !strings.Contains(string(text), row) {
				t.Errorf("%s, semicolon %t: no %q in %q", test.rule, semicolon, row, text)
			}
			for _, number := range []string{number, negative} {
				if !strings.Contains(string(text), separator+number+separator) {
					t.Errorf("%s, semicolon %t: no number %s in %q", test.rule, semicolon, number, text)
				}
			}
		}
	}
}

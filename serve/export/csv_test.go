package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sabine/runtime"
	"sabine/serve/export"
)

// readCSV reads a table back to source records: what the import of tables will have to do, without a look at the code that
// writes it.
func readCSV(t testing.TB, text []byte, semicolon bool) []record {
	t.Helper()
	table := csv.NewReader(bytes.NewReader(text))
	if semicolon {
		var marked bool
		if text, marked = bytes.CutPrefix(text, []byte("\xEF\xBB\xBF")); !marked {
			t.Error("no byte-order mark")
		}
		table = csv.NewReader(bytes.NewReader(text))
		table.Comma = ';'
	}
	rows, err := table.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []record
	for _, cells := range rows[1:] {
		product, entry := readRow(t, rows[0], cells, semicolon)
		if len(list) == 0 || list[len(list)-1]["id"] != product["id"] {
			product["measurements"] = record{}
			list = append(list, product)
		}
		if norm, ok := entry["norm"]; ok {
			array := map[any]string{"ISO 354": "absorption_iso_354", "ISO 17497-1": "scatter_iso_17497_1", "ISO 17497-2": "diffusion_iso_17497_2"}[norm]
			delete(entry, "norm")
			measurements := list[len(list)-1]["measurements"].(record)
			entries, _ := measurements[array].([]record)
			measurements[array] = append(entries, entry)
		}
	}
	return list
}

var (
	numbers       = strings.Fields("alpha_w alpha_w_min nrc saa thickness_mm air_gap_mm calculated_absorption limit_frequency_hz")
	entryFields   = strings.Fields("norm entry_id entry_label source_kind source_norm measuring_option mounting thickness_mm air_gap_mm calculated_absorption limit_frequency_hz")
	computed      = strings.Fields("nrc saa")
	ofProduct     = strings.Fields("commercial_name description description_en absorption_octave")
	manufacturing = map[string]string{"manufacturer": "name", "manufacturer_slug": "slug", "manufacturer_id": "id"}
	languages     = map[string][2]string{"label": {"label", "de"}, "label_en": {"label", "en"}, "description": {"description", "de"}, "description_en": {"description", "en"}}
)

// readRow reads a row into what it says of the product and of the entry.
func readRow(t testing.TB, header, cells []string, semicolon bool) (product, entry record) {
	t.Helper()
	product, entry = record{"slug": nil}, record{}
	put := func(column string, value any) {
		if field, ok := manufacturing[column]; ok {
			member(product, "manufacturer")[field] = value
		} else if at, ok := languages[column]; ok {
			member(product, at[0])[at[1]] = value
		} else if slices.Contains(entryFields, column) {
			entry[strings.TrimPrefix(column, "entry_")] = value
		} else if !slices.Contains(computed, column) {
			product[column] = value
		}
	}
	for i, cell := range cells {
		curve, band, isBand := strings.Cut(header[i], " ")
		isNumber := isBand || slices.Contains(numbers, header[i])
		text, guarded := strings.CutPrefix(cell, "'")
		switch {
		case cell == "":
		case !guarded && !isNumber && strings.ContainsAny(cell[:1], "=+-@\t\r"):
			t.Errorf("%s: a spreadsheet would run %q", header[i], cell)
		case isNumber:
			if semicolon {
				if strings.Contains(cell, ".") {
					t.Errorf("%s: a decimal point in %q", header[i], cell)
				}
				cell = strings.Replace(cell, ",", ".", 1)
			}
			if !isBand {
				put(header[i], json.Number(cell))
				break
			}
			of := entry
			if slices.Contains(ofProduct, curve) {
				of = product
			}
			member(of, curve)[strings.TrimSuffix(band, " Hz")] = json.Number(cell)
		case header[i] == "installation_types" && cell[0] != '[':
			put(header[i], strings.Split(text, ", "))
		case slices.Contains([]string{"structured_meta", "images", "geometry", "installation_types"}, header[i]):
			put(header[i], json.RawMessage(cell))
		case cell == "true" || cell == "false":
			put(header[i], cell == "true")
		case header[i] == "empty":
			for _, field := range strings.Fields(cell) {
				switch {
				case languages[field] != [2]string{}, field == "commercial_name":
					put(field, "")
				case strings.Contains(field, "octave") && slices.Contains(ofProduct, field):
					product[field] = record{}
				case strings.Contains(field, "octave"):
					entry[field] = record{}
				default:
					entry[field] = ""
				}
			}
		default:
			put(header[i], text)
		}
	}
	return product, entry
}

// member returns the object that a record has under a key.
func member(r record, key string) record {
	m, ok := r[key].(record)
	if !ok {
		m = record{}
		r[key] = m
	}
	return m
}

func TestCSVReadsBackToTheSameProducts(t *testing.T) {
	for name, inputs := range catalogues(t) {
		t.Run(name, func(t *testing.T) {
			g := build(t, inputs...)
			text, _ := written(t, g, export.Options{Format: export.CSV})
			list := readCSV(t, text, false)
			if !slices.IsSortedFunc(list, func(a, b record) int { return strings.Compare(a["id"].(string), b["id"].(string)) }) {
				t.Error("the products are not in the order of their ids")
			}
			sameProducts(t, g, build(t, records(t, list...)))
			text, _ = written(t, g, export.Options{Format: export.CSV, Semicolon: true})
			if !reflect.DeepEqual(readCSV(t, text, true), list) {
				t.Error("with semicolons the table says something else")
			}
		})
	}
}

func TestCSVHasTheSameColumnsWhateverTheProductsAre(t *testing.T) {
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
	for _, want := range []string{"id", "label_en", "norm", "alpha_s_octave 63 Hz", "alpha_s_third_octave 10000 Hz", "absorption_octave 8000 Hz", "normalized_directional_diffusion_third_octave 630 Hz"} {
		if !seen[want] {
			t.Errorf("no column %q", want)
		}
	}
	if want := 27 + 8 + 12 + 6*(8+24); len(columns) != want {
		t.Errorf("%d columns, want %d", len(columns), want)
	}
}

func TestCSVCells(t *testing.T) {
	for _, test := range []struct {
		rule             string
		label            string
		comma, semicolon string
	}{
		{"a text is itself", "Wand 3", `Wand 3`, `Wand 3`},
		{"a separator is quoted, and what is none in the table is not", "a,b;c", `"a,b;c"`, `"a,b;c"`},
		{"a comma alone", "a,b", `"a,b"`, `a,b`},
		{"quotes are doubled", `4" panel`, `"4"" panel"`, `"4"" panel"`},
		{"lines are kept", "a\r\nb\n", "\"a\r\nb\n\"", "\"a\r\nb\n\""},
		{"an equals sign", "=1+1", `'=1+1`, `'=1+1`},
		{"a plus", "+49", `'+49`, `'+49`},
		{"a minus", "-1", `'-1`, `'-1`},
		{"an at sign", "@SUM(A1)", `'@SUM(A1)`, `'@SUM(A1)`},
		{"a tab", "\t=1", "'\t=1", "'\t=1"},
		{"a return", "\r=1", "\"'\r=1\"", "\"'\r=1\""},
		{"an apostrophe, which is taken off again", "'s", `''s`, `''s`},
		{"a quoted formula", `=HYPERLINK("x";"y")`, `"'=HYPERLINK(""x"";""y"")"`, `"'=HYPERLINK(""x"";""y"")"`},
		{"a sign within is none", "a=b", `a=b`, `a=b`},
	} {
		g := build(t, records(t, record{"label": test.label, "alpha_w": 0.5, "measurements": absorption(record{"alpha_s_octave": record{"125": -0.05}})}))
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

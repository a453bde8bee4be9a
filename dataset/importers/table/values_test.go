package table

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
)

// reads reads a row of text cells, parted by "|", and tells what was made of it: texts, lengths, curves, what is kept, and faults.
func reads(t *tableContext, cells string) (got string, problems []string) {
	row := workbook.Row{Number: 2}
	for text := range strings.SplitSeq(cells, "|") {
		row.Cells = append(row.Cells, workbook.Cell{Text: text})
	}
	return told(t.readRow(row))
}

func told(r *reading) (got string, problems []string) {
	if r == nil {
		return "nil", nil
	}
	var parts []string
	for _, text := range r.texts {
		parts = append(parts, string(text.field)+"="+text.text)
	}
	for i, mm := range []*float64{r.thicknessMM, r.airGapMM, r.overallDepthMM} {
		if mm != nil {
			parts = append(parts, []string{"thickness", "gap", "overall"}[i]+"="+formatNumber(*mm))
		}
	}
	for _, c := range r.curves {
		curve := string(c.quantity) + "_" + string(c.resolution)
		for _, p := range c.points {
			curve += " " + strconv.Itoa(p.BandHz) + ":" + formatNumber(p.Value)
		}
		parts = append(parts, curve)
	}
	for _, m := range r.rest {
		parts = append(parts, "["+m.Key+"]="+m.Value)
	}
	for _, f := range append(r.faults, r.warnings...) {
		problems = append(problems, strings.TrimPrefix(f.Error(), "t.csv"))
	}
	return strings.Join(parts, " / "), problems
}

func contextOf(headers string) *tableContext {
	t := &tableContext{input: "t.csv"}
	for header := range strings.SplitSeq(headers, "|") {
		t.columns = append(t.columns, columnOf(header))
	}
	settleColumns(t.columns)
	return t
}

func TestCurves(t *testing.T) {
	tests := []struct{ rule, headers, cells, want string }{
		{"commas, points and none", "125|250|500|1k", "0,1|0.25|.9|1", "alpha_s_octave 125:0.1 250:0.25 500:0.9 1000:1"},
		{"percent in the cell", "125|250", "85 %|28,7%", "alpha_s_octave 125:0.85 250:0.287"},
		{"percent in the name", "125 Hz [%]|250 Hz (%)", "85|7", "alpha_s_octave 125:0.85 250:0.07"},
		{"percent in both is one", "125 %|250 %", "85%|7", "alpha_s_octave 125:0.85 250:0.07"},
		{"thirds where a band is no octave", "100|125|1k25", "0.1|0.2|0.3", "alpha_s_third_octave 100:0.1 125:0.2 1250:0.3"},
		{"octaves where only those are filled", "100|125|160|250", "|0.2|-|0.3", "alpha_s_octave 125:0.2 250:0.3"},
		{"bands ascend whatever the columns do", "2k|1,6 kHz|125", "0.3|0.2|0.1", "alpha_s_third_octave 125:0.1 1600:0.2 2000:0.3"},
		{"a band given twice alike", "125|125 Hz", "0.2|0,20", "alpha_s_octave 125:0.2"},
		{"quantities side by side", "αs 125|αp 125|s 125|αs Terz 125", "0.1|0.2|0.3|0.4",
			"alpha_s_octave 125:0.1 / alpha_s_third_octave 125:0.4 / alpha_p_octave 125:0.2 / scatter_octave 125:0.3"},
		{"the row's norm", "Norm|125", "DIN EN ISO 17497-1:2004|0.2", "norm=ISO 17497-1 / source_norm=DIN EN ISO 17497-1:2004 / scatter_octave 125:0.2"},
		{"the row's norm in words", "Norm|125", "Streugrad|0.2", "norm=ISO 17497-1 / scatter_octave 125:0.2"},
		{"the norm of practical coefficients is of no entry", "Norm|125", "ISO 11654|0.2", "source_norm=ISO 11654 / alpha_p_octave 125:0.2"},
		{"a norm that is none of ours", "Norm|125", "ASTM C423|0.2", "source_norm=ASTM C423 / alpha_s_octave 125:0.2"},
		{"the row's source norm beside its norm", "Norm|source norm|125", "EN ISO 354|EN 29354|0.2", "norm=ISO 354 / source_norm=EN 29354 / alpha_s_octave 125:0.2"},
		{"the row's quantity before its norm", "Norm|Messgröße|125", "ISO 354|Streugrad|0.2", "norm=ISO 354 / scatter_octave 125:0.2"},
		{"the column's quantity before the row's", "Messgröße|αs 125", "Streugrad|0.2", "alpha_s_octave 125:0.2"},
		{"a long table's point", "Frequenz|αs|Streugrad", "1,25 kHz|0,4|0,1", "alpha_s_ 1250:0.4 / scatter_ 1250:0.1"},
		{"a long table's unit", "f [kHz]|αs Terz", "0.5|40 %", "alpha_s_third_octave 500:0.4"},
		{"a long table in words", "Frequenz|Messgröße|Wert", "500 Hz|αp|0.4", "alpha_p_octave 500:0.4"},
		{"numbers without all digits of a mantissa", "125|250", "0.28999999999999998|0.123456789012345678", "alpha_s_octave 125:0.29 250:0.12345678901234568"},
		{"exponents", "125|250", "5e-2|1.5E-1", "alpha_s_octave 125:0.05 250:0.15"},
		{"no value", "125|250|Name", " |k. A.| ", "nil"},
	}
	for _, test := range tests {
		if got, problems := reads(contextOf(test.headers), test.cells); got != test.want || problems != nil {
			t.Errorf("%s: %s\ngot  %s, problems %q\nwant %s", test.rule, test.cells, got, problems, test.want)
		}
	}
}

func TestCellsOfWorkbooks(t *testing.T) {
	table := contextOf("125|250 %|500|Dicke|Aktualisiert|αw")
	table.comma = true
	got, problems := told(table.readRow(workbook.Row{Number: 2, Cells: []workbook.Cell{
		{Text: "0.85", Kind: workbook.Percent}, {Text: "0.5", Kind: workbook.Percent}, {Text: "0", Kind: workbook.Number},
		{Text: "1.250", Kind: workbook.Number}, {Text: "2026-01-31T12:00:00", Kind: workbook.Date}, {Text: "0.6", Kind: workbook.Percent},
	}}))
	if want := "updated_at=2026-01-31T12:00:00Z / alpha_w=0.6 / thickness=1.25 / alpha_s_octave 125:0.85 250:0.5 500:0"; got != want || problems != nil {
		t.Errorf("got  %s, problems %q\nwant %s", got, problems, want)
	}
	_, problems = told(table.readRow(workbook.Row{Number: 3, Cells: []workbook.Cell{{Text: "a formula without a stored value (open the file in a spreadsheet program and save it)", Kind: workbook.Broken}}}))
	if want := "[A3]: 125: expected a value, got a formula without a stored value (open the file in a spreadsheet program and save it)"; len(problems) != 1 || problems[0] != want {
		t.Errorf("problems %q, want %q", problems, want)
	}
}

func TestCellProblems(t *testing.T) {
	tests := []struct {
		rule, headers, cells string
		got                  string
		want                 string // the problems, parted by lines
	}{
		{"words for numbers", "125|250", "viel|0x1", "", "[A2]: 125: expected a coefficient such as 0.85, 0,85 or 85 %, got \"viel\"\n" +
			"[B2]: 250: expected a coefficient such as 0.85, 0,85 or 85 %, got \"0x1\""},
		{"percentages that do not say so", "125", "85", "", "[A2]: 125: 85 is no coefficient: expected -0.1 to 2; a percentage needs a % in its cell or in its column's name"},
		{"percentages that are too large", "125", "285 %", "", "[A2]: 125: 2.85 is no coefficient: expected -0.1 to 2"},
		{"scattering has a limit of its own", "s 125", "1.3", "", "[A2]: s 125: 1.3 is no coefficient: expected -0.1 to 1.2; a percentage needs a % in its cell or in its column's name"},
		{"two values for a band", "125|125 Hz", "0.1|0.2", "alpha_s_octave 125:0.1", "[B2]: 125 Hz: a second value for 125 Hz: 0.2 here and 0.1 in A2"},
		{"percentages in part", "125|250|500", "0|10 %|0.2", "alpha_s_octave 125:0 250:0.1 500:0.2",
			"[C2]: 500: mixed units: of this curve some cells are percentages and some are not, compare B2"},
		{"a share among percentages", "125 Hz %|250 Hz %|500 Hz %", "0|0,62|60", "alpha_s_octave 125:0 250:0.0062 500:0.6",
			"[B2]: 250 Hz %: mixed units: 0.62 of 100 here, and whole percentages in the other cells of this curve"},
		{"a small percentage that has the sign itself", "125|250|500", "0,5 %|12 %|60 %", "alpha_s_octave 125:0.005 250:0.12 500:0.6", ""},
		{"practical coefficients have octaves", "αp 100 Hz", "0.1", "", "[A2]: αp 100 Hz: 100 Hz is no octave band from 63 to 8000 Hz, as alpha_p here has"},
		{"a band of no series", "125 Hz|300 Hz", "0.1|0.2", "alpha_s_octave 125:0.1",
			"[B2]: 300 Hz: 300 Hz is no third-octave band from 50 to 10000 Hz (IEC 61260-1), the nearest is 315 Hz"},
		{"bands of reports beyond ours", "40 Hz|125 Hz|12.5 kHz", "0.1|0.2|0.3", "alpha_s_octave 125:0.2 / [40 Hz]=0.1 / [12.5 kHz]=0.3",
			"[A2]: 40 Hz: 40 Hz is beyond the bands from 50 to 10000 Hz: kept as text in structured_meta\n" +
				"[C2]: 12.5 kHz: 12500 Hz is beyond the bands from 50 to 10000 Hz: kept as text in structured_meta"},
		{"a unit other than the column's", "Dicke [mm]", "4 cm", "", "[A2]: Dicke [mm]: mixed units: the column's name says mm, got \"4 cm\""},
		{"a rating that is a percentage", "αw", "85", "", "[A2]: αw: 85 is no rating: expected 0 to 1; a percentage needs a % in its cell or in its column's name"},
		{"what a field can't hold", "Dicke|Brandklasse|Link", "ca. 40|B1|www.acme.example", "[Dicke]=ca. 40 / [Brandklasse]=B1 / [Link]=www.acme.example",
			"[A2]: Dicke: \"ca. 40\" is no length in mm, cm, m or inches, and is kept as text in structured_meta, as are others like it\n" +
				"[B2]: Brandklasse: \"B1\" is not a class of EN 13501-1 such as A2-s1,d0, and is kept as text in structured_meta, as are others like it\n" +
				"[C2]: Link: \"www.acme.example\" is not an address with http:// or https://, and is kept as text in structured_meta, as are others like it"},
		{"two columns of a field", "Name|Produktname", "A|B", "label=A / [Produktname]=B",
			"[B2]: Produktname: \"B\" is not what \"Name\" says, and is kept as text in structured_meta, as are others like it"},
		{"a cell without a column", "Name", "A|7", "label=A / [remark]=7", ""},
		{"a coefficient without a band", "Name|Schallabsorptionsgrad", "A|0.8", "label=A / [Schallabsorptionsgrad]=0.8",
			"[B2]: Schallabsorptionsgrad: kept as text in structured_meta: a coefficient needs a band in its column's name, or a column of frequencies beside it"},
		{"a frequency that is none", "Frequenz|αs", "viel|0.2", "", "[A2]: Frequenz: expected a frequency such as 125, 125 Hz or 1k25, got \"viel\""},
		{"no frequency", "Frequenz|αs", "|0.2", "", "[B2]: αs: no frequency in this row"},
		{"a frequency beyond ours in a row a band", "Frequenz|αs", "31,5|0.2", "[αs 31.5 Hz]=0.2", "[B2]: αs: 31.5 Hz is beyond the bands from 50 to 10000 Hz: kept as text in structured_meta"},
		{"columns of one name", "Farbe|Farbe", "rot|blau", "[Farbe]=rot; blau", ""},
	}
	for _, test := range tests {
		got, problems := reads(contextOf(test.headers), test.cells)
		if got != test.got || strings.Join(problems, "\n") != test.want {
			t.Errorf("%s: got %s, want %s\nproblems\n%s\nwant\n%s", test.rule, got, test.got, strings.Join(problems, "\n"), test.want)
		}
	}
	if _, problems := told(contextOf("Name").readRow(workbook.Row{Number: 2, Line: 5, Cells: []workbook.Cell{{Text: "A"}, {Text: "7"}}})); len(problems) != 1 ||
		problems[0] != `:5[B2]: more cells than the header has columns: "7"` {
		t.Errorf("a comma too many in CSV: %q", problems)
	}
}

// Each warning is told once a table, and mixed units of a column at its end.
func TestTableProblems(t *testing.T) {
	table := contextOf("Name|Dicke")
	for _, thickness := range []string{"ca. 40", "ca. 50", "40 mm", "0", "4 cm", "5 cm", "40", "50"} {
		if _, problems := reads(table, "A|"+thickness); (problems != nil) != (thickness == "ca. 40") {
			t.Errorf("%s: %q", thickness, problems)
		}
	}
	faults, warnings := table.mixedUnits()
	if want := `t.csv[B2]: Dicke: mixed units: "40" has no unit here, and B2 has "4 cm"; expected a unit in each cell, or one in the column's name`; len(faults) != 1 ||
		faults[0].Error() != want || !faults[0].Whole || warnings != nil {
		t.Errorf("got %+v, %+v\nwant %s", faults, warnings, want)
	}
	reads(table, "A|40 mm")
	reads(table, "A|50 mm")
	if faults, warnings := table.mixedUnits(); faults != nil || len(warnings) != 1 {
		t.Errorf("where most units are millimetres: %+v, %+v", faults, warnings)
	}
}

func TestForms(t *testing.T) {
	tests := []struct{ header, cells, want string }{ // cells and what they become, parted by "|"
		{"αw", "0,55(MH)|0.55 (L)|αw = 0,6|0,85 L, M|60 %|0.9*", "0.55+MH|0.55+L|0.6|0.85+LM|0.6|!"},
		{"Artikelnummer", "4711|E+12|4,01E+12|4.01235E+12|12E+5", "4711|E+12|!|!|12E+5"},
		{"NRC", "0,75|.9|NRC 0.8|1.05|viel", "0.75|0.9|0.8|1.05|!"},
		{"Absorberklasse", "A|Klasse B|class c|nicht klassifiziert|not classified|F", "A|B|C|nicht klassifiziert|nicht klassifiziert|!"},
		{"Formindikator", "L|MH|(H)|H, M|-|X|LL", "L|MH|H|MH||!|!"},
		{"Brandklasse", "A2-s1,d0|A2 - s1, d0|a2s1d0|B s1 d0|Klasse E|Bfl-s1|BFL-S1|D-s2/d2|E-d2|A2-s1,d0 (nicht brennbar)|B1|F30",
			"A2-s1,d0|A2-s1,d0|A2-s1,d0|B-s1,d0|E|Bfl-s1|Bfl-s1|D-s2,d2|E-d2|A2-s1,d0|!|!"},
		{"updated_at", "2026-01-31|31.1.2026|31/01/2026|01/31/2026|03/03/2026|2026-01-31T12:00:00+02:00|03/04/2026|2026-02-30|31.01.26",
			"2026-01-31T00:00:00Z|2026-01-31T00:00:00Z|2026-01-31T00:00:00Z|2026-01-31T00:00:00Z|2026-03-03T00:00:00Z|2026-01-31T10:00:00Z|!|!|!"},
		{"Prüfdatum", "2026-01-31|31.01.2026|2019", "2026-01-31|2026-01-31|!"},
		{"published", "ja|Nein|TRUE|x|1|0|✓|vielleicht", "true|false|true|true|true|false|true|!"},
		{"EPD", "ja|https://acme.example/epd.pdf|bald", "true|https://acme.example/epd.pdf|!"},
		{"source kind", "measured|Gemessen|Literatur|berechnet|geraten", "measured|measured|literature|simulated|!"},
		{"data_source", "PTB|Hersteller|Buch", "ptb|manufacturer|!"},
		{"shape", "Platte|Baffel|Würfel|cylinder|KUGEL|Vorhang|Wolke", "panel|baffle|box|cylinder|sphere|sheet|!"},
		{"size", "600 x 600 x 40 mm|60×60 cm|60*120 cm|1 m x 600 mm|600 x 600, 1200 x 600|600|0 x 600|40 mm",
			"600 x 600 x 40|600 x 600|600 x 1200|1000 x 600|!|!|!|!"},
		{"width_mm", "600|600 mm|1,5|0", "600|600|1.5|!"},
		{"Bild", `https://a.example/1.png, https://a.example/2,3.png;https://a.example/4.png|[{"url":"https://a.example/1.png"}]|1.png|[`,
			`[{"url":"https://a.example/1.png"},{"url":"https://a.example/2,3.png"},{"url":"https://a.example/4.png"}]|[{"url":"https://a.example/1.png"}]|!|!`},
		{"structured_meta", `{"Farbe":"rot"}|{|rot`, `{"Farbe":"rot"}|!|!`},
		{"id", "0b6f0d1e-0000-4000-8000-000000000001|17", "0b6f0d1e-0000-4000-8000-000000000001|!"},
		{"slug", "mueller-platte|Müller Platte", "mueller-platte|!"},
		{"entry_number", "2|2.5|II", "2|!|!"},
		{"Grenzfrequenz", "500 Hz|1,25 kHz|1k6|2000|hoch", "500|1250|1600|2000|!"},
		{"Name", "A  B|'=1+1|'0815|'s ist so|-", "A B|=1+1|0815|'s ist so|"},
		{"Beschreibung", "Zeile 1\nZeile 2", "Zeile 1\nZeile 2"},
	}
	for _, test := range tests {
		wants := strings.Split(test.want, "|")
		for i, cell := range strings.Split(test.cells, "|") {
			got, _ := told(contextOf(test.header).readRow(workbook.Row{Number: 2, Cells: []workbook.Cell{{Text: cell}}}))
			var texts []string
			for part := range strings.SplitSeq(got, " / ") {
				if _, text, ok := strings.Cut(part, "="); ok && !strings.HasPrefix(part, "[") {
					texts = append(texts, text)
				} else if part != "nil" {
					texts = append(texts, "!")
				}
			}
			if got := strings.Join(texts, "+"); got != wants[i] {
				t.Errorf("%s %q becomes %q, want %q", test.header, cell, got, wants[i])
			}
		}
	}
}

func TestLengths(t *testing.T) {
	tests := []struct {
		header, cell string
		comma        bool
		want         float64 // -1: no length
	}{
		{"Dicke", "40", false, 40}, {"Dicke", "40 mm", false, 40}, {"Dicke", "4cm", false, 40}, {"Dicke", "0,04 m", false, 40},
		{"Dicke [cm]", "4,5", true, 45}, {"Dicke (m)", "0.04", false, 40}, {"Dicke", "28,7 cm", true, 287},
		{"Dicke", "1.250", true, 1250}, {"Dicke", "1.250", false, 1.25}, {"Dicke", "1,250", false, 1250}, {"Dicke", "1,250", true, 1.25},
		{"Dicke", "0,125", false, 0.125}, {"Dicke", "1.250,5", false, 1250.5}, {"Dicke", "1 250", false, 1250}, {"Dicke", "1'250.5", false, 1250.5},
		{"Dicke", `1 1/2"`, false, 38.1}, {"Dicke", `1-1/2 in`, false, 38.1}, {"Dicke", "1/2 inch", false, 12.7}, {"Dicke [in]", "2", false, 50.8}, {"Dicke", "2 Zoll", false, 50.8},
		{"Dicke", "20-40", false, -1}, {"Dicke", "40/50", false, -1}, {"Dicke [mm]", "1/2", false, -1}, {"Dicke", "ca. 40", false, -1}, {"Dicke", "2 x 12,5", false, -1}, {"Dicke", "-5", false, -1}, {"Dicke", "1/0 in", false, -1},
		{"Dicke", "1,2,3", false, -1}, {"Dicke", "1.25.0", false, -1}, {"Dicke", "5 kg", false, -1}, {"Dicke", "mm", false, -1}, {"Dicke", "1e400", false, -1},
	}
	for _, test := range tests {
		c := columnOf(test.header)
		got, _, ok := lengthOf(&c, workbook.Text, test.cell, test.comma)
		if !ok {
			got = -1
		}
		if got != test.want {
			t.Errorf("%s %q, comma %v: %v mm, want %v", test.header, test.cell, test.comma, got, test.want)
		}
	}
}

// A table of our own export gives its texts back as they are, and what is computed not at all.
func TestOurOwnTables(t *testing.T) {
	table := contextOf("label|mounting|description|nrc|saa|alpha_w|measuring_option|norm|alpha_s_octave 125 Hz|empty")
	table.ours = true
	got, problems := reads(table, " A\r\nB |'-|'=x|0.5|0.6|0.7|n/a|ISO 354|0.2|commercial_name")
	if want := "label= A\r\nB  / mounting=- / description==x / alpha_w=0.7 / measuring_option=n/a / norm=ISO 354 / empty=commercial_name / alpha_s_octave 125:0.2"; got != want || problems != nil {
		t.Errorf("got  %q, problems %q\nwant %q", got, problems, want)
	}
}

// A number becomes what strconv makes of it, and hundredths are exact.
func TestParseNumber(t *testing.T) {
	for _, text := range []string{"0.85", "0.1", "1.05", ".9", "5.", "123456789012345", "1234567890123456789", "0.000000000000000000000000001", "1e5", "12.5e-3", "9007199254740993"} {
		want, _ := strconv.ParseFloat(text, 64)
		if n, ok := parseNumber(text); !ok || n.value(false) != want {
			t.Errorf("%s is %v, %v, want %v", text, n.value(false), ok, want)
		}
		if n, ok := parseNumber("-" + text); !ok || n.value(false) != -want {
			t.Errorf("-%s is %v, %v, want %v", text, n.value(false), ok, -want)
		}
	}
	for i := range 20000 {
		want, _ := strconv.ParseFloat(strconv.Itoa(i)+"e-4", 64)
		if n, ok := parseNumber(strconv.FormatFloat(float64(i)/100, 'f', 2, 64)); !ok || n.value(true) != want {
			t.Fatalf("%d hundredths of a percent are %v, want %v", i, n.value(true), want)
		}
	}
	for _, text := range []string{"", "-", ".", ",", "1..2", "1,2,3", "0x1", "1_0", "Inf", "NaN", "1e", "--1", "1 2", "12 34", "1.23.456", "e5", "0,", "0 500", strings.Repeat("1", 100)} {
		if n, ok := parseNumber(text); ok {
			t.Errorf("%q is read as %v", text, n.value(false))
		}
	}
	if n, _ := parseNumber("-0"); math.Signbit(n.value(false)) {
		t.Error("-0 keeps its sign")
	}
}

// FuzzCells reads a column of any name with any cells. What becomes of them is always what a record takes.
func FuzzCells(f *testing.F) {
	f.Add("αs 125 Hz", "0,85", "85 %", uint8(0))
	f.Add("Dicke [cm]", "4,5", "1 1/2\"", uint8(1))
	f.Add("αw", "0,55 (MH)", "αw = 1.250", uint8(2))
	f.Add("Frequenz", "1k25", "31,5 Hz", uint8(0))
	f.Add("Brandverhalten\n(EN 13501-1)", "A2 - s1, d0", "Bfl s1", uint8(4))
	f.Add("Bild 1", "https://a.example/1.png, https://a.example/2.png", "[]", uint8(0))
	f.Add("Maße", "60 x 60 x 4 cm", "1.200×600", uint8(1))
	f.Add("updated_at", "31.01.2026", "0000-01-01T00:00:00+23:00", uint8(3))
	f.Fuzz(func(t *testing.T, header, first, second string, how uint8) {
		for _, text := range []*string{&header, &first, &second} {
			*text = strings.ToValidUTF8((*text)[:min(len(*text), 900)], "")
		}
		table := contextOf("Name")
		table.columns = append(table.columns, columnOf(header), columnOf("Wert"), columnOf(header))
		table.comma, table.ours = how&1 > 0, how&2 > 0
		kind := []workbook.Kind{workbook.Text, workbook.Text, workbook.Text, workbook.Percent}[how>>4&3]
		r := table.readRow(workbook.Row{Number: 1, Cells: []workbook.Cell{{Text: "A"}, {Text: first, Kind: kind}, {Text: "0.5"}, {Text: second}}})
		table.mixedUnits()
		if r == nil {
			t.Fatal("a row with a name says nothing")
		}
		if parsed := dataset.Parse(dataset.Raw{JSON: recordOf(t, r)}); len(parsed.Faults) > 0 {
			t.Errorf("%v\nin %s", &parsed.Faults[0], recordOf(t, r))
		}
		if name := table.columns[1].String(); name != "" {
			if c, err := parseColumn(name); err != nil || c.String() != name {
				t.Errorf("%q is called %q, which is read as %q: %v", header, name, c.String(), err)
			}
		}
	})
}

// BenchmarkReadRow reads a row of 30 cells: 9 texts, a length, 20 coefficients.
func BenchmarkReadRow(b *testing.B) {
	table := contextOf("Name|Hersteller|Art.-Nr.|Kategorie|Montage|Brandklasse|Quelle|Farbe|αw|Dicke|" +
		"100|125|160|200|250|315|400|500|630|800|1000|1250|1600|2000|2500|3150|4000|5000|6300|8000")
	row := workbook.Row{Number: 2}
	for text := range strings.SplitSeq("Platte 17|Acme|A-17|Holz|E-400|B-s1,d0|Bericht 12|rot|0,55 (L)|40"+strings.Repeat("|0,85", 20), "|") {
		row.Cells = append(row.Cells, workbook.Cell{Text: text})
	}
	b.ReportAllocs()
	for b.Loop() {
		table.readRow(row)
	}
}

// recordOf writes what a reading says as a record of its own.
func recordOf(t *testing.T, r *reading) []byte {
	record := map[string]any{"id": "0b6f0d1e-0000-4000-8000-000000000001", "label": "A", "manufacturer": "Acme"}
	for _, text := range r.texts {
		switch text.field {
		case FieldDescription, FieldDataSource, FieldFireClass, FieldUpdated, FieldURL, FieldEPDURL:
			record[string(text.field)] = text.text
		case FieldAlphaW, FieldAlphaWMin, FieldPublished, FieldPurchasable, FieldHasEPD:
			record[string(text.field)] = json.RawMessage(text.text)
		case FieldShape:
			record["geometry"] = map[string]any{"shape": text.text, "bounding_box_mm": map[string]any{"width": 1, "height": 1, "depth": 1}}
		case FieldWidth, FieldHeight, FieldDepth:
			side := strings.TrimSuffix(string(text.field), "_mm")
			box := map[string]any{"width": 1, "height": 1, "depth": 1}
			box[side] = json.RawMessage(text.text)
			record["geometry"] = map[string]any{"shape": "panel", "bounding_box_mm": box}
		}
	}
	meta := map[string]string{}
	for _, m := range r.rest {
		meta[m.Key] = m.Value
	}
	record["structured_meta"] = meta
	entries := map[string][]any{}
	for _, c := range r.curves {
		points := map[int]float64{}
		for _, p := range c.points {
			points[p.BandHz] = p.Value
		}
		if c.quantity == AlphaP {
			record["absorption_octave"] = points
			continue
		}
		array := map[string]string{"ISO 354": "absorption_iso_354", "ISO 17497-1": "scatter_iso_17497_1", "ISO 17497-2": "diffusion_iso_17497_2"}[c.quantity.norm()]
		entry := map[string]any{"source_kind": "measured", string(c.quantity) + "_" + string(cmp.Or(c.resolution, ThirdOctave)): points}
		if c.quantity == AlphaS {
			entry["thickness_mm"], entry["air_gap_mm"] = r.thicknessMM, r.airGapMM
		}
		entries[array] = append(entries[array], entry)
	}
	record["measurements"] = entries
	text, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

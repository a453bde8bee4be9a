package cells_test

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
)

func TestCellsOfWorkbooks(t *testing.T) {
	table := tableOf("125|250 %|500|Dicke|Aktualisiert|αw")
	table.DecimalComma = true
	got, problems := read(table, &layout.Row{Number: 2, Cells: []workbook.Cell{
		{Text: "0.85", Kind: workbook.Percent}, {Text: "0.5", Kind: workbook.Percent}, {Text: "0",
			Kind: workbook.Number},
		{Text: "1.250", Kind: workbook.Number}, {Text: "2026-01-31T12:00:00", Kind: workbook.Date}, {Text: "0.6",
			Kind: workbook.Percent},
	}})
	if want := "updated_at=2026-01-31T12:00:00Z / alpha_w=0.6 / thickness=1.25 / alpha_s_octave 125:0.85 250:0.5 " +
		"500:0"; got != want || problems != "" {
		t.Errorf("got  %s, problems %q\nwant %s", got, problems, want)
	}
}

func TestACellWithoutAStoredValue(t *testing.T) {
	const why = "a formula without a stored value (open the file in a spreadsheet program and save it)"
	if _, problems := read(tableOf("125"), rowOfKind(why,
		workbook.Broken)); problems != "[A2]: 125: expected a value, got "+why {
		t.Errorf("of a coefficient: %s", problems)
	}
	if got, problems := read(tableOf("Farbe"), rowOfKind(why, workbook.Broken)); got != "nil" ||
		problems != "[A2]: Farbe: "+strconv.Quote(why)+" is not a value" {
		t.Errorf("of a column that no rule knows: %s, %s", got, problems)
	}
}

// TestANameThatIsStoredAsADateIsAWarning checks "2026-05-01", which could have been the article number "1-5".
func TestANameThatIsStoredAsADateIsAWarning(t *testing.T) {
	got, problems := read(tableOf("Artikelnummer"), rowOfKind("2026-05-01", workbook.Date))
	if want := `[A2]: Artikelnummer: "2026-05-01" is stored as a date: check whether a spreadsheet program converted a string`; problems != want ||
		got != "article_number=2026-05-01" {
		t.Errorf("got %s, %s", got, problems)
	}
}

func TestTheSameTextOfAnotherKindIsReadAgain(t *testing.T) {
	got, _ := read(tableOf("calculated_absorption %"), rowOfKind("0.5", workbook.Percent), rowOfKind("0.5",
		workbook.Number))
	if want := "calculated_absorption=0.5\ncalculated_absorption=0.005"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestInvalidValuesOfAFieldAreStoredAsText(t *testing.T) {
	check(t, "", []ruleTest{
		{"under the column's name", "Dicke|Brandklasse|Link", "ca. 40|B1|acme",
			"[Dicke]=ca. 40 / [Brandklasse]=B1 / [Link]=acme",
			"[A2]: Dicke: \"ca. 40\" is not a length in mm, cm, m or inches: stored as text in structured_meta\n" +
				"[B2]: Brandklasse: \"B1\" is not a class of EN 13501-1 such as A2-s1,d0: stored as text in structured_meta\n" +
				"[C2]: Link: \"acme\" is not an address with http:// or https://: stored as text in structured_meta"},
		{"the second column of a field", "Name|Produktname", "A|B", "label=A / [Produktname]=B",
			"[B2]: Produktname: \"B\" differs from the value in column \"Name\": stored as text in structured_meta"},
		{"the second column of a field with the same text", "Name|Produktname", "A|A", "label=A", ""},
		{"columns of one name share a text", "Farbe|Farbe", "rot|blau", "[Farbe]=rot; blau", ""},
		{"in the order of the columns", "Farbe|Name|Gewicht", "rot|A|3 kg", "label=A / [Farbe]=rot / [Gewicht]=3 kg",
			""},
		{"only dashes are no text of an unknown column", "Farbe|Gewicht", "-|k.A.", "[Gewicht]=k.A.", ""},
	})
}

// TestProblemsOfAColumnAreCounted checks that each kind is reported once, with its count and first ten cells.
func TestProblemsOfAColumnAreCounted(t *testing.T) {
	var rows []*layout.Row
	for i := range 12 {
		rows = append(rows, rowOf(i+2, "A|ca. "+strconv.Itoa(40+i)+"|B1"))
	}
	_, problems := read(tableOf("Name|Dicke|Brandklasse"), rows[:2]...)
	want := "[B2]: Dicke: \"ca. 40\" is not a length in mm, cm, m or inches: stored as text in structured_meta (2 cells: " +
		"B2, B3)\n" +
		"[C2]: Brandklasse: \"B1\" is not a class of EN 13501-1 such as A2-s1,d0: stored as text in structured_meta (2 " +
		"cells: C2, C3)"
	if problems != want {
		t.Errorf("got  %s\nwant %s", problems, want)
	}
	table := tableOf("Name|Dicke|Brandklasse")
	table.Sheet = "Liste"
	_, problems = read(table, rows...)
	want = "[Liste!B2]: Dicke: \"ca. 40\" is not a length in mm, cm, m or inches: stored as text in structured_meta " +
		"(12 cells: B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, …)"
	if first, _, _ := strings.Cut(problems, "\n"); first != want {
		t.Errorf("got  %s\nwant %s", first, want)
	}
}

func TestColumnsThatAreLeftOut(t *testing.T) {
	table := tableOf("Name|Farbe|Gewicht|125|Messgröße|αs 250")
	table.Columns[1].LeftOut = "hidden"
	table.Columns[2].Ignored = true
	table.Columns[3].LeftOut, table.Columns[4].LeftOut = "hidden", "hidden"
	if got, problems := read(table, rowOf(2, "A|rot|3|viel|s|0.2")); got != "label=A / alpha_s_octave 250:0.2" ||
		problems != "" {
		t.Errorf("got %s, %s", got, problems)
	}
}

func TestCellsAfterTheLastName(t *testing.T) {
	row := rowOf(2, "A")
	row.Surplus = []layout.Surplus{{Place: dataset.Place{Input: "t.csv", Cell: "C2"}, Text: "7"}, {Text: "8"}}
	if got, problems := read(tableOf("Name"), row); got != "label=A / [remark]=7; 8" || problems != "" {
		t.Errorf("of a workbook: %s, %s", got, problems)
	}
	row.Line, row.Surplus = 5, row.Surplus[:1]
	row.Surplus[0].Place.Line = 5
	if _, problems := read(tableOf("Name"), row); problems != `:5[C2]: more cells than columns in the header: "7"` {
		t.Errorf("a comma too many in CSV: %s", problems)
	}
}

func TestFarTooManyStrings(t *testing.T) {
	var names, same []string
	for i := range 1500 {
		names, same = append(names, "Spalte "+strconv.Itoa(i)), append(same, "Dekor")
	}
	for _, test := range []struct{ rule, headers, cells string }{
		{"with names of their own", strings.Join(names, "|"), strings.Repeat("x|", 1500)},
		{"with one name", strings.Join(same, "|"), strings.Repeat(strings.Repeat("x", 1000)+"|", 1500)},
	} {
		_, problems := read(tableOf(test.headers), rowOf(2, test.cells))
		if want := "[A2]: structured_meta: the values in unknown columns exceed the limit for a product"; problems != want {
			t.Errorf("%s: got %s, want %s", test.rule, problems, want)
		}
	}
}

// TestOurOwnTables checks that strings in an export are unchanged, and that computed values are ignored.
func TestOurOwnTables(t *testing.T) {
	table := tableOf("label|mounting|description|nrc|saa|alpha_w|measuring_option|norm|alpha_s_octave 125 Hz|empty")
	table.OwnExport = true
	got, problems := read(table, rowOf(2, " A\r\nB |'-|'=x|0.5|0.6|0.7|n/a|ISO 354|0.2|commercial_name"))
	want := "label= A\r\nB  / mounting=- / description==x / alpha_w=0.7 / measuring_option=n/a / norm=ISO 354 / " +
		"empty=commercial_name / " +
		"alpha_s_octave 125:0.2"
	if got != want || problems != "" {
		t.Errorf("got  %q, problems %q\nwant %q", got, problems, want)
	}
}

func TestARowOfPlainNumbersAllocatesOnlyItsCurve(t *testing.T) {
	reader := cells.NewReader(tableOf("Name|Dicke|" + thirds))
	row := rowOf(2, "A|40|"+strings.TrimSuffix(strings.Repeat("0,85|", 24), "|"))
	if n := testing.AllocsPerRun(100, func() { reader.Read(row) }); n > 1 {
		t.Errorf("%v allocations, want 1", n)
	}
}

const thirds = "50|63|80|100|125|160|200|250|315|400|500|630|800|1000|1250|1600|2000|2500|3150|4000|5000|6300|8000|" +
	"10000"

func BenchmarkRead(b *testing.B) {
	b.Run("30 cells", func(b *testing.B) {
		reader := cells.NewReader(tableOf("Name|Hersteller|Art.-Nr.|Kategorie|Montage|Brandklasse|Quelle|Farbe|αw|" +
			"Dicke|" + thirds[10:]))
		row := rowOf(2, "Platte 17|Acme|A-17|Holz|E-400|B-s1,d0|Bericht 12|rot|0,55 (L)|40"+strings.Repeat("|0,85", 20))
		b.ReportAllocs()
		for b.Loop() {
			reader.Read(row)
		}
	})
}

// FuzzRead reads a row with arbitrary strings. The result must be valid in a record.
func FuzzRead(f *testing.F) {
	f.Add("αs 125 Hz", "0,85", "85 %", uint8(0))
	f.Add("Dicke [cm]", "4,5", "1 1/2\"", uint8(1))
	f.Add("αw", "0,55 (MH)", "αw = 1.250", uint8(2))
	f.Add("Frequenz", "1k25", "31,5 Hz", uint8(0))
	f.Add("Brandverhalten\n(EN 13501-1)", "A2 - s1, d0 nach EN 13501-1", "Bfl s1", uint8(4))
	f.Add("Bild 1", "https://a.example/1.png, www.a.example/2.png", "[]", uint8(0))
	f.Add("Maße", "60 x 60 x 4 cm", "1.200×600", uint8(1))
	f.Add("updated_at", "31.01.2026", "0000-01-01T00:00:00+23:00", uint8(3))
	f.Add("Messgröße", "αp", "T [s]", uint8(32))
	f.Add("Norm", "ISO 17497-1", "ISO 10534-2", uint8(16))
	f.Add("Konstruktionshöhe", "200", "0.5", uint8(48))
	f.Fuzz(func(t *testing.T, header, first, second string, how uint8) {
		for _, text := range []*string{&header, &first, &second} {
			*text = strings.ToValidUTF8((*text)[:min(len(*text), 900)], "")
		}
		table := tableOf("Name")
		for _, name := range []string{header, "Wert", header, "Dicke", "αs 250", "αs 500"} {
			table.Columns = append(table.Columns, layout.Column{Column: columns.Parse(name)})
		}
		table.DecimalComma, table.OwnExport, table.Long = how&1 > 0, how&2 > 0, how&4 > 0
		kind := []workbook.Kind{workbook.Text, workbook.Percent, workbook.Date, workbook.Time}[how>>4&3]
		reader := cells.NewReader(table)
		row := &layout.Row{Number: 1, Cells: []workbook.Cell{{Text: "A"}, {Text: first, Kind: kind}, {Text: "0.5"},
			{Text: second}, {Text: "40"},
			{Text: "0,4"}, {Text: second, Kind: kind}}}
		row.Context = []layout.Fact{{Column: columns.Parse(header), Cell: workbook.Cell{Text: second},
			Number: len(table.Columns) + 1}}
		for range 2 {
			r := reader.Read(row)
			if r == nil {
				t.Fatal("a row with a name has no values")
			}
			if parsed := dataset.Parse(dataset.Raw{JSON: recordOf(t, r)}); len(parsed.Faults) > 0 {
				t.Errorf("%v\nin %s", &parsed.Faults[0], recordOf(t, r))
			}
		}
		faults, warnings := reader.End()
		for _, f := range append(faults, warnings...) {
			if f.Place.Cell == "" || f.Problem == "" {
				t.Errorf("a fault without a place or a problem: %+v", f)
			}
		}
	})
}

// recordOf writes a row's content as a record.
func recordOf(t *testing.T, r *cells.Row) []byte {
	record := map[string]any{"id": "0b6f0d1e-0000-4000-8000-000000000001", "label": "A", "manufacturer": "Acme"}
	meta := map[string]string{}
	for _, v := range r.Values {
		switch v.Field {
		case columns.None:
			meta[v.Header] = v.Text
		case columns.Description, columns.DataSource, columns.FireClass, columns.Updated, columns.URL, columns.EPDURL:
			record[string(v.Field)] = v.Text
		case columns.AlphaW, columns.AlphaWMin, columns.Published, columns.Purchasable, columns.HasEPD:
			record[string(v.Field)] = json.RawMessage(v.Text)
		case columns.Shape:
			record["geometry"] = map[string]any{"shape": v.Text, "bounding_box_mm": map[string]any{"width": 1,
				"height": 1, "depth": 1}}
		case columns.Width, columns.Height, columns.Depth:
			box := map[string]any{"width": 1, "height": 1, "depth": 1}
			box[strings.TrimSuffix(string(v.Field), "_mm")] = json.RawMessage(v.Text)
			record["geometry"] = map[string]any{"shape": "panel", "bounding_box_mm": box}
		}
	}
	record["structured_meta"] = meta
	entries := map[string][]any{}
	for _, c := range r.Curves {
		points := map[int]float64{}
		for _, p := range c.Points {
			points[p.BandHz] = p.Value
		}
		if c.Quantity == columns.AlphaP {
			record["absorption_octave"] = points
			continue
		}
		array := map[string]string{"ISO 354": "absorption_iso_354", "ISO 17497-1": "scatter_iso_17497_1",
			"ISO 17497-2": "diffusion_iso_17497_2"}[c.Quantity.Norm()]
		resolution := cmp.Or(c.Resolution, columns.ThirdOctave)
		entry := map[string]any{"source_kind": "measured", string(c.Quantity) + "_" + string(resolution): points}
		if c.Quantity == columns.AlphaS {
			if r.Thickness.Known {
				entry["thickness_mm"] = r.Thickness.MM
			}
			if r.AirGap.Known {
				entry["air_gap_mm"] = r.AirGap.MM
			}
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

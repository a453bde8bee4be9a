package layout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
	"sabine/internal/layouttest"
	"sabine/internal/xlsxtest"
)

func TestMergedCells(t *testing.T) {
	for _, test := range []struct {
		rule, sheet    string
		merged         []string
		want, messages string
	}{
		{
			"over names, groups and products",
			layouttest.Lines("Absorber 2026", "Produkt;Luftspalt;Absorptionsgrad αs", ";;125;250", "A;0;0.1;0.2",
				";200;0.3;0.4"),
			[]string{"A1:D1", "A2:A3", "B2:B3", "C2:D2", "A4:A5"},
			layouttest.Rows(
				"Produkt=label | Luftspalt=air_gap | Absorptionsgrad αs 125=alpha_s 125 Hz | Absorptionsgrad αs 250=alpha_s 250 Hz",
				"A | 0 | 0.1 | 0.2", "A | 200 | 0.3 | 0.4"),
			`t.xlsx[S!A2]: unused cells: A1 "Absorber 2026"`,
		},
		{
			"over transposed products", layouttest.Lines("Hersteller;Acme;", "Name;A;B", "125 Hz;0.1;0.2", "250 Hz;0.3;0.4"),
			[]string{"B1:C1"},
			layouttest.Rows("transposed: Hersteller= | Name=label | 125 Hz=125 Hz | 250 Hz=250 Hz",
				" | A | 0.1 | 0.3 {manufacturer=Acme}", " | B | 0.2 | 0.4 {manufacturer=Acme}"),
			"",
		},
		{
			"coefficients are not filled", layouttest.Lines("Name;Farbe;125;250", "A;rot;0.1;0.2", "B;;;0.3"),
			[]string{"B2:B3", "C2:C3"},
			layouttest.Rows("Name=label | Farbe= | 125=125 Hz | 250=250 Hz", "A | rot | 0.1 | 0.2", "B | rot |  | 0.3"),
			"",
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			layouttest.Check(t, layouttest.XLSX(t, test.sheet, test.merged...), layout.Options{Input: "t.xlsx"}, test.want,
				test.messages)
		})
	}
}

func TestHiddenColumnsAreLeftOutAndReported(t *testing.T) {
	sheet := layouttest.XLSX(t, layouttest.Lines("Name;Farbe;125;250", "A;rot;0.1;0.2"))
	sheet.HiddenColumns = []int{2, 4}
	layouttest.Check(t, sheet, layout.Options{Input: "t.xlsx"},
		layouttest.Rows("Name=label | Farbe=(hidden) | 125=125 Hz | 250=(hidden)", "A |  | 0.1 |"),
		`t.xlsx[S!B1]: hidden columns are left out: B1 "Farbe", D1 "250"`)

	t.Run("a hidden band may be another one again", func(t *testing.T) {
		sheet := layouttest.XLSX(t, layouttest.Lines("Name;125 Hz;125", "A;0.1;0.2"))
		sheet.HiddenColumns = []int{3}
		layouttest.Check(t, sheet, layout.Options{Input: "t.xlsx"},
			layouttest.Rows("Name=label | 125 Hz=125 Hz | 125=(hidden)",
				"A | 0.1 |"),
			`t.xlsx[S!C1]: hidden columns are left out: C1 "125"`)
	})
	t.Run("in a transposed table they are set-ups", func(t *testing.T) {
		sheet := layouttest.XLSX(t, layouttest.Lines("Frequenz;A;B", "125;0.1;0.2", "250;0.3;0.4"))
		sheet.HiddenColumns = []int{3}
		layouttest.Check(t, sheet, layout.Options{Input: "t.xlsx"},
			layouttest.Rows("transposed: Frequenz=label | 125=125 Hz | 250=250 Hz", "A | 0.1 | 0.3"),
			layouttest.Rows(`t.xlsx[S!C1]: hidden columns are left out: C1 "B"`, `t.xlsx[S!A1]: unused cells: C1 "B"`))
	})
	t.Run("a map takes them", func(t *testing.T) {
		sheet := layouttest.XLSX(t, layouttest.Lines("Name;Farbe;125", "A;rot;0.1"))
		sheet.HiddenColumns = []int{2}
		m := tableMap(t, columns.Across, []int{1}, "Name", "label", "Farbe", "structured_meta", "125", "alpha_s 125 Hz")
		layouttest.Check(t, sheet, layout.Options{Input: "t.xlsx", Maps: []*columns.TableMap{m}},
			layouttest.Rows("Name=label | Farbe= | 125=alpha_s 125 Hz", "A | rot | 0.1"), "")
	})
}

func TestColumnsOfPricesAndNotesAreLeftOutAndReported(t *testing.T) {
	const table = "Name;Listenpreis;Lagerbestand;125\nA;12;7;0,1\n"
	layouttest.Check(t, layouttest.CSV(t, table), layout.Options{},
		layouttest.Rows("Name=label | Listenpreis=(prices, discounts, stock or notes) | "+
			"Lagerbestand=(prices, discounts, stock or notes) | 125=125 Hz", "A |  |  | 0,1"),
		`t.csv:1[B1]: columns with prices, discounts, stock or notes are left out unless a map includes them: B1 "Listenpreis", C1 "Lagerbestand"`)

	m := tableMap(t, columns.Across, []int{1}, "Name", "label", "Listenpreis", "structured_meta", "125", "alpha_s 125 Hz")
	layouttest.Check(t, layouttest.CSV(t, table), layout.Options{Maps: []*columns.TableMap{m}},
		layouttest.Rows("Name=label | Listenpreis= | Lagerbestand=(prices, discounts, stock or notes) | 125=alpha_s 125 Hz",
			"A | 12 |  | 0,1"),
		`t.csv:1[C1]: columns with prices, discounts, stock or notes are left out unless a map includes them: C1 "Lagerbestand"`)
}

// xmlSheet returns the first sheet of a workbook whose rows are XML.
func xmlSheet(t *testing.T, styles string, rows ...string) *workbook.Sheet {
	t.Helper()
	text := `<worksheet xmlns="` + xlsxtest.Spreadsheet + `"><sheetData>` + strings.Join(rows, "") +
		`</sheetData></worksheet>`
	return layouttest.SheetsOf(t, "t.xlsx", xlsxtest.Book{Sheets: []xlsxtest.Sheet{{Name: "S", XML: text}},
		Styles: styles}.Bytes())[0]
}

// xmlRow returns a row of strings with attributes for the row and for each cell.
func xmlRow(row, cell string, texts ...string) string {
	all := "<row " + row + ">"
	for _, text := range texts {
		all += `<c t="inlineStr" ` + cell + `><is><t>` + text + `</t></is></c>`
	}
	return all + "</row>"
}

func TestRowsThatAreStruckOutAreReadAndReported(t *testing.T) {
	styles := `<styleSheet xmlns="` + xlsxtest.Spreadsheet + `"><fonts><font/><font><strike/></font></fonts>` +
		`<cellXfs><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`
	sheet := xmlSheet(t, styles, xmlRow(`r="1"`, "", "Name", "125"), xmlRow(`r="2"`, "", "A", "0.1"),
		xmlRow(`r="3"`, `s="1"`, "B", "0.2"))
	layouttest.Check(t, sheet, layout.Options{Input: "t.xlsx"}, layouttest.Rows("Name=label | 125=125 Hz", "A | 0.1",
		"B | 0.2"),
		`t.xlsx[S!A3]: rows that are struck out are read: A3 "B"`)
}

func TestRowsHiddenByHandAreLeftOutAndRowsOfAFilterOrAGroupAreRead(t *testing.T) {
	const hidden = `r="3" hidden="1"`
	const filter = `</sheetData><autoFilter ref="A1:B9"><filterColumn colId="0"/></autoFilter><sheetData>`
	left := layouttest.Rows(`t.xlsx[S!A3]: hidden rows are left out: A3 "B"`, `t.xlsx[S!A1]: unused cells: A3 "B"`)
	read := `t.xlsx[S!A3]: rows hidden by a filter or a collapsed group are read: A3 "B"`
	for _, test := range []struct {
		rule, row, value, filter, messages string
		isRead                             bool
	}{
		{"by hand", hidden, "0.2", "", left, false},
		{"of no height", `r="3" ht="0"`, "0.2", "", left, false},
		{"in a closed group", hidden + ` outlineLevel="1"`, "0.2", "", read, true},
		{"in an open group", `r="3" outlineLevel="1"`, "0.2", "", "", true},
		{"by a filter", hidden, "0.2", filter, read, true},
		{"where the buttons of a filter are, and no filter", hidden, "0.2",
			`</sheetData><autoFilter ref="A1:B9"/><sheetData>`, left, false},
		{"by a filter, without a coefficient", hidden, "auf Anfrage", filter, left, false},
		{"in a closed group, without a coefficient", hidden + ` outlineLevel="1"`, "auf Anfrage", "", left, false},
	} {
		t.Run(test.rule, func(t *testing.T) {
			sheet := xmlSheet(t, "", xmlRow(`r="1"`, "", "Name", "125"), xmlRow(`r="2"`, "", "A", "0.1"),
				xmlRow(test.row, "", "B", test.value), test.filter)
			want := []string{"Name=label | 125=125 Hz", "A | 0.1"}
			if test.isRead {
				want = append(want, "B | "+test.value)
			}
			layouttest.Check(t, sheet, layout.Options{Input: "t.xlsx"}, layouttest.Rows(want...), test.messages)
		})
	}
	t.Run("master data in a closed group", func(t *testing.T) {
		sheet := xmlSheet(t, "", xmlRow(`r="1"`, "", "Name", "Hersteller", "Brandklasse"),
			xmlRow(`r="2"`, "", "A", "Acme", "B"), xmlRow(hidden+` outlineLevel="1"`, "", "B", "Acme", "B"))
		layouttest.Check(t, sheet, layout.Options{Input: "t.xlsx"},
			layouttest.Rows("Name=label | Hersteller=manufacturer | Brandklasse=fire_class", "A | Acme | B", "B | Acme | B"),
			read)
	})
}

func TestCellsAfterTheLastColumnOfAWorkbookAreReported(t *testing.T) {
	sheet := layouttest.XLSX(t, layouttest.Lines("Name;125;250", "A;0.1;0.2;;neu", "B;0.3;0.4", "C;0.5;0.6;x"))
	layouttest.Check(t, sheet, layout.Options{Input: "t.xlsx"},
		layouttest.Rows("Name=label | 125=125 Hz | 250=250 Hz", "A | 0.1 | 0.2 +neu in S!E2", "B | 0.3 | 0.4",
			"C | 0.5 | 0.6 +x in S!D4"),
		`t.xlsx[S!E2]: cells after the last column are stored under the key remark in structured_meta: E2 "neu", D4 "x"`)
}

// TestACoefficientThatIsMergedOverThreeThirdsIsTheOctaves checks a long table.
func TestACoefficientThatIsMergedOverThreeThirdsIsTheOctaves(t *testing.T) {
	sheet := layouttest.XLSX(t, layouttest.Lines("Produkt: A", "f/Hz;αs;αp", "100;0.1;0.15", "125;0.2;", "160;0.3;"),
		"C3:C5")
	layouttest.Check(t, sheet, layout.Options{Input: "t.xlsx"},
		layouttest.Rows("long: f/Hz=frequency_hz | αs=alpha_s | αp=absorption_octave", "100 | 0.1 |  {label=A}",
			"125 | 0.2 | 0.15 {label=A}", "160 | 0.3 |  {label=A}"), "")
}

// TestACoefficientThatIsMergedAcrossThreeThirdsIsTheOctaves checks a table with a row for each set-up.
func TestACoefficientThatIsMergedAcrossThreeThirdsIsTheOctaves(t *testing.T) {
	const bands = "Name=label | 100=100 Hz | 125=125 Hz | 160=160 Hz | 200=200 Hz"
	for _, test := range []struct{ rule, cells, merged, want string }{
		{"of the middle one", "A;0.15;;;0.3", "B2:D2", "A |  | 0.15 |  | 0.3"},
		{"not across two", "A;0.15;;0.2;0.3", "B2:C2", "A | 0.15 |  | 0.2 | 0.3"},
		{"not where the middle one is no octave", "A;0.1;0.15;;", "C2:E2", "A | 0.1 | 0.15 |  |"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			sheet := layouttest.XLSX(t, layouttest.Lines("Name;100;125;160;200", test.cells), test.merged)
			layouttest.Check(t, sheet, layout.Options{Input: "t.xlsx"}, layouttest.Rows(bands, test.want), "")
		})
	}
}

func TestCommentsOfCellsAreReported(t *testing.T) {
	sheet := layouttest.XLSX(t, layouttest.Lines("Name;125", "A;0.1", "", "Name;250;500", "B;0.2;0.3"))
	for i := range 12 {
		sheet.Comments = append(sheet.Comments, workbook.Comment{Row: i + 1, Column: 2, Text: fmt.Sprint("bitte prüfen ", i)})
	}
	_, messages := layouttest.Scanned(sheet, layout.Options{Input: "t.xlsx"})
	want := `t.xlsx[S!B1]: cell comments are ignored: B1 "bitte prüfen 0", B2 "bitte prüfen 1", B3 "bitte prüfen 2"`
	if len(messages) != 1 || !strings.HasPrefix(messages[0], want) || !strings.HasSuffix(messages[0],
		`B10 "bitte prüfen 9" and 2 more`) {
		t.Errorf("messages %q, want %s", messages, want)
	}
}

func TestLinksOfCells(t *testing.T) {
	link := func(address, text string) string {
		return `<c t="str"><f>HYPERLINK("` + address + `","` + text + `")</f><v>` + text + `</v></c>`
	}
	inline := func(text string) string { return `<c t="inlineStr"><is><t>` + text + `</t></is></c>` }
	row := func(cells ...string) string { return "<row>" + strings.Join(cells, "") + "</row>" }
	for _, test := range []struct {
		rule string
		rows []string
		want string
	}{
		{
			"of a column of addresses is its text",
			[]string{row(inline("Name"), inline("URL"), inline("125")), row(inline("A"), link("https://example.org/a", "hier"),
				inline("0.1"))},
			layouttest.Rows("Name=label | URL=url | 125=125 Hz", "A | https://example.org/a | 0.1"),
		},
		{
			"does not replace an address",
			[]string{row(inline("Name"), inline("URL"), inline("125")), row(inline("A"), link("https://example.org/a",
				"www.example.org"), inline("0.1"))},
			layouttest.Rows("Name=label | URL=url | 125=125 Hz", "A | www.example.org | 0.1"),
		},
		{
			"of the name of the product is its address",
			[]string{row(inline("Name"), inline("125")), row(link("https://example.org/a", "A"), inline("0.1")),
				row(inline("B"), inline("0.2"))},
			layouttest.Rows("Name=label | 125=125 Hz", "A | 0.1 {url=https://example.org/a}", "B | 0.2"),
		},
		{
			"of the name is not read next to a column of addresses",
			[]string{row(inline("Name"), inline("URL"), inline("125")), row(link("https://example.org/a", "A"), inline(""),
				inline("0.1"))},
			layouttest.Rows("Name=label | URL=url | 125=125 Hz", "A |  | 0.1"),
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			layouttest.Check(t, xmlSheet(t, "", test.rows...), layout.Options{Input: "t.xlsx"}, test.want, "")
		})
	}
}

// TestPlaces checks the location of cells in the sheet, in all layouts.
func TestPlaces(t *testing.T) {
	for _, test := range []struct{ rule, table, want string }{
		{"across", layouttest.Lines("Hersteller: Acme;", "Name;125", "A;0,1"), "A2 B2: A3 B3 A1"},
		{"transposed", layouttest.Lines("Hersteller;Acme;", "Frequenz;A;B", "125;0,1;0,2", "250;0,3;0,4"),
			"A1 A2 A3 A4: B1 B2 B3 B4 B1: C1 C2 C3 C4 B1"},
		{"between the rows", layouttest.Lines("Name;125", "Hersteller: Acme;", "A;0,1", "Hersteller: Other;", "B;0,2"),
			"A1 B1: A3 B3 A2: A5 B5 A4"},
		{"set-ups", layouttest.Lines("Name;Montage A;Montage E", ";125;125", "A;0,1;0,2"),
			"A1 B2 C2: A3 B3 C3 B1: A3 B3 C3 C1"},
	} {
		scanner := layout.NewScanner(layouttest.CSV(t, test.table), layout.Options{Input: "t.csv"})
		defer scanner.Close()
		table, err := scanner.Next()
		if err != nil {
			t.Fatal(err)
		}
		var places []string
		for i := range table.Columns {
			places = append(places, table.Columns[i].Place.Cell)
		}
		got := strings.Join(places, " ")
		table.Rows(func(row *layout.Row) bool {
			got += ":"
			for i := range row.Cells {
				got += " " + table.Place(row.Number, row.Line, i+1).Cell
			}
			for _, f := range row.Context {
				got += " " + table.Place(row.Number, row.Line, f.Number).Cell
			}
			return true
		})
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.rule, got, test.want)
		}
	}
}

func TestTheSummaryOfATable(t *testing.T) {
	table := layouttest.Lines("Liste;;;", "Hersteller: Acme;;;", "Name;Farbe;125;250", "A;;0,1;", ";;0,2;",
		"Montage: E;;;",
		"B;;0,1;", "Montage: A;;;", "C;;0,1;")
	scanner := layout.NewScanner(layouttest.CSV(t, table), layout.Options{Input: "/lists/Streugrade.csv"})
	defer scanner.Close()
	got, err := scanner.Next()
	if err != nil {
		t.Fatal(err)
	}
	if got.FileName.Quantity != columns.Scattering || got.SheetName != (columns.Measurand{}) || !got.DecimalComma ||
		got.Long || got.OwnExport {
		t.Errorf("table %+v", got)
	}
	if !slices.Equal(got.Header, []int{3}) || got.Layout != columns.Across || got.Map != nil {
		t.Errorf("header %v, layout %s, map %v", got.Header, got.Layout, got.Map)
	}
	end := got.Rows(func(*layout.Row) bool { return true })
	if end.Rows != 4 || end.FilledIn != 1 || !slices.Equal(end.HasValue, []bool{true, false, true, false}) ||
		end.Err != nil {
		t.Errorf("end %+v", end)
	}
	var context []string
	for _, f := range end.Contexts {
		context = append(context, f.Column.Header+"="+f.Cell.Text)
	}
	if want := []string{"Hersteller=Acme", "Montage=E"}; !slices.Equal(context, want) {
		t.Errorf("context %q, want %q", context, want)
	}
	if want := []string{`A1 "Liste"`}; !slices.Equal(end.Unused, want) {
		t.Errorf("unused %q, want %q", end.Unused, want)
	}
	if next, err := scanner.Next(); next != nil || err != nil {
		t.Errorf("next %v, %v", next, err)
	}
}

// TestRowsThatAreLeft checks that Next skips table rows that were not read.
func TestRowsThatAreLeft(t *testing.T) {
	for _, take := range []int{-1, 0, 1, 5} {
		scanner := layout.NewScanner(layouttest.CSV(t, layouttest.Lines("Name;125;250;", "A;0,1;;", "B;0,2;;", "",
			"Name;Farbe;125;250",
			"C;rot;0,3;0,4")), layout.Options{})
		defer scanner.Close()
		table, err := scanner.Next()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if take >= 0 {
			table.Rows(func(*layout.Row) bool { n++; return n < take })
		}
		next, err := scanner.Next()
		if err != nil || next == nil || next.Columns[1].Header != "Farbe" {
			t.Errorf("after %d rows: got %v, %v", n, next, err)
		}
	}
}

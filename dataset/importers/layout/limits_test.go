package layout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
	"sabine/internal/layouttest"
	"sabine/internal/xlsxtest"
)

// A rawBook is a workbook with one sheet whose cells are XML.
type rawBook struct {
	rows   []string // made by own, number and shared
	merged string   // ranges
	shared []string
	format string // format of numbers with style 1
}

func (b rawBook) sheet(t *testing.T) *workbook.Sheet {
	return layouttest.SheetsOf(t, "t.xlsx", xlsxtest.Book{
		Sheets: []xlsxtest.Sheet{{Name: "S", XML: "<worksheet><sheetData><row>" + strings.Join(b.rows, "</row><row>") +
			"</row></sheetData>" + b.merged + "</worksheet>"}},
		Shared: "<si><t>" + strings.Join(b.shared, "</t></si><si><t>") + "</t></si>",
		Styles: `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="` + b.format + `"/></numFmts>` +
			`<cellXfs><xf/><xf numFmtId="200"/></cellXfs></styleSheet>`,
	}.Bytes())[0]
}

// own, number and shared return cells.
func own(texts ...string) (cells string) {
	for _, text := range texts {
		cells += `<c t="inlineStr"><is><t>` + text + `</t></is></c>`
	}
	return cells
}

func number(style int, value string) string {
	return fmt.Sprintf(`<c s="%d"><v>%s</v></c>`, style, value)
}

const shared = `<c t="s"><v>0</v></c>`

// A rest is the part of an import's limits that earlier tables have not used.
type rest struct{ text, cells int }

func (r rest) budget() *layout.Budget {
	b := &layout.Budget{}
	b.Spend(nil, limitOfText-r.text, limitOfCells-r.cells)
	return b
}

const (
	limitOfText  = 256 << 20
	limitOfCells = 1 << 27
)

var whole = rest{limitOfText, limitOfCells}

// wantMessage looks for a message about a workbook that is read with the rest of the limits.
func wantMessage(t *testing.T, rule string, book rawBook, left rest, want string) {
	t.Helper()
	_, messages := layouttest.Scan(book.sheet(t), layout.Options{Input: "t.xlsx", Budget: left.budget()}, false)
	if !slices.ContainsFunc(messages, func(text string) bool { return strings.HasPrefix(text, want) }) {
		t.Errorf("%s: messages %.300q, want %s", rule, messages, want)
	}
}

// TestTextCountsEachTimeThatACellHasIt checks tables of a few KiB that would become gigabytes of records.
// Earlier tables have left 8 MiB of the limit.
func TestTextCountsEachTimeThatACellHasIt(t *testing.T) {
	const left, size = 8 << 20, 60 << 10 // size is the length of the text in a cell
	head := own("Name", "Hersteller", "125 Hz", "250 Hz", "500 Hz")
	cells := number(0, "0.1") + number(0, "0.2") + number(0, "0.3")
	below := func(head string, n int, row func(i int) string) []string {
		all := []string{head}
		for i := range n {
			all = append(all, row(i))
		}
		return all
	}
	product := func(i int) string { return own(fmt.Sprint("P", i), "M") + cells }
	long := []string{strings.Repeat("x", size)}
	var columns []string
	for i := range 30 {
		columns = append(columns, fmt.Sprint("K", i))
	}
	setUps, bands := own("", "", ""), own("Name", "Hersteller", "Beschreibung")
	for gap := range 100 {
		setUps += own(fmt.Sprint("Luftspalt ", 10+gap, " mm"), "", "")
		bands += own("125 Hz", "250 Hz", "500 Hz")
	}
	for _, test := range []struct {
		rule, cell string // the cell that exceeds the limit
		book       rawBook
	}{
		{"shared strings, 30 a row", "S!V6", rawBook{shared: long, rows: below(head+own(columns...), 20,
			func(i int) string { return product(i) + strings.Repeat(shared, 30) })}},
		{"suffixes of numbers, 30 KB a row", "S!L281", rawBook{
			format: `0&quot;` + strings.Repeat("x", 1000) + `&quot;`,
			rows: below(head+own(columns...), 300, func(i int) string {
				return product(i) + strings.Repeat(number(1, "1"), 30)
			})}},
		{"merged cells, one a row", "S!F138", rawBook{shared: long,
			merged: `<mergeCells><mergeCell ref="F2:F9999"/></mergeCells>`,
			rows: below(head+own("Beschreibung"), 200, func(i int) string {
				if i == 0 {
					return product(i) + shared
				}
				return product(i)
			})}},
		{"the product of the row above, one a row", "S!A138", rawBook{shared: long, rows: below(head+own("Montage"), 200,
			func(i int) string {
				if i == 0 {
					return shared + own("M") + cells
				}
				return own("", "") + cells + own(fmt.Sprint("E-", i))
			})}},
		{"a row of a hundred set-ups", "S!C4", rawBook{shared: long, rows: append([]string{setUps}, below(bands, 10,
			func(i int) string {
				return own(fmt.Sprint("P", i), "M") + shared + strings.Repeat(number(0, "0.5"), 300)
			})...)}},
		{"rows that are no table, one cell each", "S!A138", rawBook{shared: long, rows: below(head, 200,
			func(int) string { return shared })}},
	} {
		wantMessage(t, test.rule, test.book, rest{left, limitOfCells},
			"t.xlsx["+test.cell+"]: the import exceeds the limit of 256 MiB of text")
	}
}

// TestCellsOfAnImportHaveALimit checks short rows in a table with many more columns: 101 rows of 16,384
// columns. Each row counts as 64 additional cells. Earlier tables have left one cell too few.
func TestCellsOfAnImportHaveALimit(t *testing.T) {
	book := rawBook{rows: []string{own("Name", "Hersteller", "125 Hz") +
		`<c r="XFD1" t="inlineStr"><is><t>K</t></is></c>`}}
	for i := range 100 {
		book.rows = append(book.rows, own(fmt.Sprint("P", i), "M")+number(0, "0.1"))
	}
	wantMessage(t, "wide", book, rest{limitOfText, 101*(16_384+64) - 1},
		"t.xlsx[S!XFD101]: the import exceeds the limit of 134217728 cells")
}

func TestTheLimitsOfAnImportAreExact(t *testing.T) {
	const over = "the import exceeds the limit of "
	for _, test := range []struct {
		rule        string
		text, cells int
		want        string
	}{
		{"256 MiB of text", 256 << 20, 0, ""},
		{"a byte more", 256<<20 + 1, 0, over + "256 MiB of text: split the table, or shorten repeated values"},
		{"134,217,728 cells", 0, 134_217_728, ""},
		{"a cell more", 0, 134_217_729, over + "134217728 cells, including empty ones: split the table"},
	} {
		var budget layout.Budget
		if _, got := budget.Spend(nil, test.text, test.cells); got != test.want || budget.Over() != (got != "") {
			t.Errorf("%s: got %q, over %t, want %q", test.rule, got, budget.Over(), test.want)
		}
	}
}

func TestABudgetIsOfAllSheets(t *testing.T) {
	var budget layout.Budget
	text := workbook.Cell{Text: strings.Repeat("x", 100<<20)}
	for i, want := range []int{0, 0, 2} {
		if cell, problem := budget.Spend([]workbook.Cell{{Text: "A"}, text}, 0, 0); cell != want ||
			(problem != "") != budget.Over() {
			t.Errorf("row %d: cell %d, %q, over %t; want cell %d", i, cell, problem, budget.Over(), want)
		}
	}
	_, messages := layouttest.Scanned(layouttest.CSV(t, "Name;125\nA;0,1\n"), layout.Options{Budget: &budget})
	if len(messages) != 1 || !strings.Contains(messages[0], "exceeds the limit") {
		t.Errorf("messages %q", messages)
	}
}

// TestTheSearchForAHeaderEnds checks a time limit, because reading names is slow, and merged cells can make
// millions of possible names from a few KiB.
func TestTheSearchForAHeaderEnds(t *testing.T) {
	var merged strings.Builder
	var book rawBook
	for i := range 200 {
		book.rows = append(book.rows,
			fmt.Sprintf(
				`<c r="A%d" t="inlineStr"><is><t>Farbe</t></is></c><c r="B%[1]d" t="inlineStr"><is><t>125 Hz</t></is></c>`, i+1))
		fmt.Fprintf(&merged, `<mergeCell ref="B%d:XFD%[1]d"/>`, i+1)
	}
	book.rows[0] += `<c r="XFD1" t="inlineStr"><is><t>x</t></is></c>`
	book.merged = "<mergeCells>" + merged.String() + "</mergeCells>"
	wantMessage(t, "merged", book, whole,
		"t.xlsx[S!A200]: no header found before the search limit was reached: select the sheet with the table")
}

// TestATransposedTableHasALimit checks tables that are completely in memory, with a cell per row and column.
func TestATransposedTableHasALimit(t *testing.T) {
	const want = ": transposed table exceeds the limit of 5000 rows or 32 MiB"
	wide := rawBook{rows: []string{own("Name") + strings.Repeat(own("x"), 16_000)}}
	long := rawBook{rows: []string{own("Name", "A", "B")}}
	for _, hz := range []int{125, 250, 500, 1000, 2000, 4000} {
		wide.rows = append(wide.rows, own(fmt.Sprint(hz, " Hz"))+number(0, "0.5"))
		long.rows = append(long.rows, own(fmt.Sprint(hz, " Hz"))+number(0, "0.5"))
	}
	for i := range 6000 {
		if i < 300 {
			wide.rows = append(wide.rows, own(fmt.Sprint("K", i)))
		}
		long.rows = append(long.rows, own(fmt.Sprint("K", i)))
	}
	wantMessage(t, "wide", wide, whole, "t.xlsx[S!A307]"+want)
	wantMessage(t, "long", long, whole, "t.xlsx[S!A5001]"+want)
}

// TestCellsAfterTheLastColumnHaveALimit checks the limit of 1,000 such cells in a row.
func TestCellsAfterTheLastColumnHaveALimit(t *testing.T) {
	book := rawBook{rows: []string{own("Name", "125 Hz"), own("A") + number(0, "0.1") + strings.Repeat(own("x"), 1001)}}
	wantMessage(t, "surplus", book, whole, "t.xlsx[S!ALO2]: more than 1000 cells after the last named column")
}

// TestTablesHaveALimit checks the limit of 10,000 tables in all sheets of an import.
func TestTablesHaveALimit(t *testing.T) {
	const want = "t.xlsx[S!A1]: more than 10000 tables: the remaining tables are not read"
	var budget layout.Budget
	sheet := layouttest.XLSX(t, "Name;125\nA;0.1\n")
	for i := range 10_001 {
		tables, messages := layouttest.Scanned(sheet, layout.Options{Input: "t.xlsx", Budget: &budget})
		if i < 10_000 && (len(tables) != 1 || messages != nil || budget.Full()) {
			t.Fatalf("table %d: got %q, messages %q, full %t", i+1, tables, messages, budget.Full())
		}
		if i == 10_000 && (tables != nil || !slices.Equal(messages, []string{want}) || !budget.Full()) {
			t.Errorf("got %q, messages %q, full %t, want %s", tables, messages, budget.Full(), want)
		}
	}
}

// TestRowsDoNotAllocate checks that rows need no memory for their cells.
func TestRowsDoNotAllocate(t *testing.T) {
	text := strings.Builder{}
	text.WriteString("Name;Hersteller;Dicke;125;250;500;1000;2000;4000\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "P%d;Acme;40;0,1;0,2;0,3;0,4;0,5;dto.\n", i)
	}
	sheet := layouttest.CSV(t, text.String())
	scanner := layout.NewScanner(sheet, layout.Options{})
	defer scanner.Close()
	table, err := scanner.Next()
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	allocations := testing.AllocsPerRun(1, func() { rows += table.Rows(func(*layout.Row) bool { return true }).Rows })
	if perRow := allocations / 20_000; perRow > 1.5 || rows < 20_000 { // package workbook allocates a string per row
		t.Errorf("%.1f allocations a row, %d rows", perRow, rows)
	}
}

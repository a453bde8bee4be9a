package table_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/table"
	"sabine/internal/xlsxtest"
)

// A rawBook is a workbook with one sheet whose cells are XML.
type rawBook struct {
	rows   []string // made by own, number and shared
	merged string   // ranges
	shared []string
	format string // format of numbers with style 1
}

func (b rawBook) input() dataset.Input {
	return bytesInput("t.xlsx", xlsxtest.Book{
		Sheets: []xlsxtest.Sheet{{Name: "S", XML: "<worksheet><sheetData><row>" + strings.Join(b.rows, "</row><row>") +
			"</row></sheetData>" + b.merged + "</worksheet>"}},
		Shared: "<si><t>" + strings.Join(b.shared, "</t></si><si><t>") + "</t></si>",
		Styles: `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="` + b.format +
			`"/></numFmts><cellXfs><xf/><xf numFmtId="200"/></cellXfs></styleSheet>`,
	}.Bytes())
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
func shared(n int) string { return fmt.Sprintf(`<c t="s"><v>%d</v></c>`, n) }

// TestTextCountsEachTimeThatACellHasIt checks tables of a few KiB that would become gigabytes of records.
func TestTextCountsEachTimeThatACellHasIt(t *testing.T) {
	head, cells := own("Name", "Hersteller", "125 Hz", "250 Hz", "500 Hz"), number(0, "0.1")+number(0, "0.2")+
		number(0, "0.3")
	rows := func(head string, n int, row func(i int) string) []string {
		all := []string{head}
		for i := range n {
			all = append(all, row(i))
		}
		return all
	}
	product := func(i int) string { return own(fmt.Sprint("P", i), "M") + cells }
	long := []string{strings.Repeat("x", 60<<10)}
	var columns []string
	for i := range 30 {
		columns = append(columns, fmt.Sprint("K", i))
	}
	setUps := own("", "", "")
	bands := own("Name", "Hersteller", "Beschreibung")
	for gap := range 100 {
		setUps += own(fmt.Sprint("Luftspalt ", 10+gap, " mm"), "", "")
		bands += own("125 Hz", "250 Hz", "500 Hz")
	}
	for _, test := range []struct {
		rule, cell string
		book       rawBook
	}{
		{
			"shared strings", "S!Y147",
			rawBook{shared: long, rows: rows(head+own(columns...), 300, func(i int) string {
				return product(i) + strings.Repeat(shared(0), 30)
			})},
		},
		{"suffixes of numbers", "S!T8936", rawBook{format: `0&quot;` + strings.Repeat("x", 1000) + `&quot;`,
			rows: rows(head+own(columns...), 10_000, func(i int) string {
				return product(i) + strings.Repeat(number(1, "1"), 30)
			})}},
		{"merged cells", "S!F4370", rawBook{shared: long, merged: `<mergeCells><mergeCell ref="F2:F9999"/></mergeCells>`,
			rows: rows(head+own("Beschreibung"), 5000, func(i int) string {
				if i == 0 {
					return product(i) + shared(0)
				}
				return product(i)
			})}},
		{"the product of the row above", "S!A4369",
			rawBook{shared: long, rows: rows(head+own("Montage"), 5000, func(i int) string {
				if i == 0 {
					return shared(0) + own("M") + cells
				}
				return own("", "") + cells + own(fmt.Sprint("E-", i))
			})}},
		{"a row of several set-ups", "S!C46",
			rawBook{shared: long, rows: append([]string{setUps}, rows(bands, 50, func(i int) string {
				return own(fmt.Sprint("P", i), "M") + shared(0) + strings.Repeat(number(0, "0.5"), 300)
			})...)}},
		{
			"rows that are no table", "S!A4371",
			rawBook{shared: long, rows: rows(head, 5000, func(int) string { return shared(0) })},
		},
	} {
		records, messages := imported(t, table.Options{}, test.book.input())
		want := "t.xlsx[" + test.cell + "]: the import exceeds the limit of 256 MiB of text"
		if len(records) != 0 || len(messages) == 0 || !strings.HasPrefix(messages[0], want) {
			t.Errorf("%s: %d records, messages %.200q, want %q", test.rule, len(records), messages, want)
		}
	}
}

// TestCellsOfAnImportHaveALimit checks short rows in a table with many more columns.
func TestCellsOfAnImportHaveALimit(t *testing.T) {
	wide := own("Name", "Hersteller", "125 Hz") + `<c r="XFD1" t="inlineStr"><is><t>K</t></is></c>`
	rows := []string{wide}
	for i := range 9000 {
		rows = append(rows, own(fmt.Sprint("P", i), "M")+number(0, "0.1"))
	}
	records, messages := imported(t, table.Options{}, rawBook{rows: rows}.input())
	if want := "exceeds the limit of 134217728 cells"; len(records) != 0 || len(messages) == 0 ||
		!strings.Contains(messages[0], want) {
		t.Errorf("%d records, messages %.200q, want %q", len(records), messages, want)
	}
}

// TestFilesAfterTheLastTableAreNotRead checks that a file of which nothing is read has no message of its own.
func TestFilesAfterTheLastTableAreNotRead(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 10,001 files")
	}
	var files []dataset.Input
	for i := range 10_002 {
		files = append(files, bytesInput(fmt.Sprintf("%05d.csv", i), []byte("Name;Hersteller;125 Hz\nP;M;0,1\n")))
	}
	_, messages := imported(t, table.Options{}, files...)
	faults := slices.DeleteFunc(messages, func(m string) bool { return !strings.HasPrefix(m, "1000") })
	want := []string{"10000.csv:1[A1]: more than 10000 tables: the remaining tables are not read"}
	if !slices.Equal(faults, want) {
		t.Errorf("got %q, want %q", faults, want)
	}
}

// TestAProductOfTooMuchTextIsNoRecord checks that strings are counted before they are built.
func TestAProductOfTooMuchTextIsNoRecord(t *testing.T) {
	const limit = " exceed the limit of 2 MiB for a record here"
	head, other := own("Name", "Hersteller", "Montage", "125 Hz"), own("Beton", "M", "A")+number(0, "0.01")
	rowsOf := func(n int, mounting, value func(i int) string, more func(i int) string) (rows []string) {
		for i := range n {
			rows = append(rows, own("Filz", "M", mounting(i))+number(0, value(i))+more(i))
		}
		return rows
	}
	one := func(text string) func(int) string { return func(int) string { return text } }
	setUp := func(i int) string { return fmt.Sprint("E-", i) }
	for _, test := range []struct {
		rule, heads, want string
		rows              []string
		shared            []string
	}{
		{"set-ups that differ in long texts", own("Farbe"),
			"t.xlsx[S!E37]: product c8d796bb-58d7-5edb-a127-eebd02ec8299: Farbe: the values of product \"Filz\"" + limit,
			rowsOf(40, setUp, one("0.1"), func(i int) string {
				return shared(i % 2)
			}), []string{strings.Repeat("x", 60<<10), strings.Repeat("y", 60<<10)}},
		{"texts that separate set-ups with contradicting values", own("Farbe"), "Farbe: the values of product \"Filz\"" + limit,
			append(rowsOf(40, setUp, one("0.1"), one(shared(0))), rowsOf(1, setUp, one("0.9"), one("<c/>"))...),
			[]string{strings.Repeat("x", 60<<10)}},
		{"equal rows", own("Farbe"), "Farbe: the values of product \"Filz\"" + limit,
			rowsOf(600, one("A"), one("0.1"), func(i int) string {
				return shared(i % 2)
			}), []string{strings.Repeat("x", 60<<10), strings.Repeat("y", 60<<10)}},
		{"characters that JSON escapes", own("Farbe"), "expected at most 2097152 bytes in all fields",
			rowsOf(1, one("A"), one("0.1"), one(shared(0))), []string{strings.Repeat("_x0001_", 400<<10)}},
		{
			"rows of one product without end", own("Farbe"), "more than 65536 rows for one product",
			rowsOf(1<<16+1, one("A"), one("0.1"), one("<c/>")), nil,
		},
		{
			"a text that all rows have counts once", own("Farbe"), "",
			rowsOf(100, setUp, one("0.1"), one(shared(0))), []string{strings.Repeat("x", 60<<10)},
		},
	} {
		records, messages := imported(t, table.Options{},
			rawBook{rows: append([]string{head + test.heads, other}, test.rows...), shared: test.shared}.input())
		all := strings.Join(messages, "\n")
		switch faulty := strings.Contains(all, " exceed the limit of ") || strings.Contains(all, "more than 65536"); {
		case len(records) != 2 || len(records[0])+len(records[1]) > 4<<20:
			t.Errorf("%s: %d records", test.rule, len(records))
		case test.want == "" && faulty, !strings.Contains(all, test.want):
			t.Errorf("%s: messages %.300q, want %q", test.rule, all, test.want)
		}
	}
}

// TestTheSearchForAHeaderEnds checks a time limit, because reading names is slow, and merged cells can make
// millions of possible names from a few KiB.
func TestTheSearchForAHeaderEnds(t *testing.T) {
	const want = "no header found before the search limit was reached"
	var merged strings.Builder
	var rows []string
	for i := range 200 {
		rows = append(rows,
			fmt.Sprintf(
				`<c r="A%d" t="inlineStr"><is><t>Farbe</t></is></c><c r="B%[1]d" t="inlineStr"><is><t>125 Hz</t></is></c>`, i+1))
		fmt.Fprintf(&merged, `<mergeCell ref="B%d:XFD%[1]d"/>`, i+1)
	}
	rows[0] += `<c r="XFD1" t="inlineStr"><is><t>x</t></is></c>`
	in := rawBook{rows: rows, merged: "<mergeCells>" + merged.String() + "</mergeCells>"}.input()
	if _, messages := imported(t, table.Options{Manufacturer: "M"}, in); len(messages) == 0 ||
		!strings.Contains(messages[0], want) {
		t.Errorf("messages %.300q, want %q", messages, want)
	}
}

// TestATransposedTableHasALimit checks tables that are completely in memory, with a cell per row and column.
func TestATransposedTableHasALimit(t *testing.T) {
	rows := []string{own("Name") + strings.Repeat(own("x"), 16_000)}
	for _, hz := range []int{125, 250, 500, 1000, 2000, 4000} {
		rows = append(rows, own(fmt.Sprint(hz, " Hz"))+number(0, "0.5"))
	}
	for i := range 300 {
		rows = append(rows, own(fmt.Sprint("K", i)))
	}
	if _, messages := imported(t, table.Options{Manufacturer: "M"}, rawBook{rows: rows}.input()); len(messages) == 0 ||
		!strings.Contains(messages[0], "exceeds the limit of 5000 rows or 32 MiB") {
		t.Errorf("messages %.300q", messages)
	}
}

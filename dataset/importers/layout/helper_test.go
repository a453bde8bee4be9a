package layout_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
	"sabine/internal/xlsxtest"
)

// lines are the rows of a CSV file.
func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

// csvSheet returns the sheet of a CSV file.
func csvSheet(t testing.TB, text string) *workbook.Sheet {
	t.Helper()
	return sheetsOf(t, "t.csv", []byte(text))[0]
}

// xlsxSheet returns a sheet of a workbook: rows of cells parted by semicolons.
func xlsxSheet(t testing.TB, text string, merged ...string) *workbook.Sheet {
	t.Helper()
	sheet := xlsxtest.Sheet{Name: "S", Merged: merged}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		sheet.Rows = append(sheet.Rows, xlsxtest.Cells(strings.Split(line, ";")))
	}
	return sheetsOf(t, "t.xlsx", xlsxtest.Book{Sheets: []xlsxtest.Sheet{sheet}}.Bytes())[0]
}

func sheetsOf(t testing.TB, name string, data []byte) []*workbook.Sheet {
	t.Helper()
	known := func(text string) bool { c := columns.Parse(text); return c.Known() }
	book, err := workbook.Open(name, bytes.NewReader(data), workbook.Options{Known: known})
	if err != nil {
		t.Fatal(err)
	}
	return book.Sheets
}

// scanned are the tables of a sheet as text, and what is wrong or doubtful about them. A table is a line for
// its columns, as in "Name=label | 125=125 Hz", and one for each row, as in "A | 0,1 {manufacturer=Acme}
// [scatter] +surplus".
func scanned(s *workbook.Sheet, o layout.Options) (tables, messages []string) {
	return scan(s, o, true)
}

// scan is scanned, with the rows or without.
func scan(s *workbook.Sheet, o layout.Options, withRows bool) (tables, messages []string) {
	if o.Input == "" {
		o.Input = "t.csv"
	}
	scanner := layout.NewScanner(s, o)
	defer scanner.Close()
	for {
		table, err := scanner.Next()
		if err != nil {
			messages = append(messages, err.Error())
		}
		if table == nil {
			if f := scanner.Foreign(); f != nil {
				messages = append(messages, f.Error())
			}
			return tables, append(messages, scanner.Likely()...)
		}
		text := columnsText(table)
		end := table.Rows(func(row *layout.Row) bool {
			if withRows {
				text += "\n" + rowText(row)
			}
			return true
		})
		tables = append(tables, text)
		for _, f := range slices.Concat(end.Faults, end.Warnings) {
			messages = append(messages, f.Error())
		}
		if end.Err != nil {
			messages = append(messages, end.Err.Error())
		}
	}
}

// columnsText is a table's columns, before them what is not plain about it.
func columnsText(t *layout.Table) string {
	var words []string
	if t.Layout != columns.Across {
		words = append(words, string(t.Layout))
	}
	if m := measurandText(t.Title); m != "" {
		words = append(words, m)
	}
	var names []string
	for i := range t.Columns {
		c := &t.Columns[i]
		is := c.String()
		if c.Left != "" {
			is = "(" + c.Left + ")"
		}
		if c.StrayHz > 0 {
			is = "stray"
		}
		names = append(names, c.Header+"="+is)
	}
	if text := strings.Join(words, " "); text != "" {
		return text + ": " + strings.Join(names, " | ")
	}
	return strings.Join(names, " | ")
}

func measurandText(m columns.Measurand) string {
	text := strings.Trim(string(m.Quantity)+" "+string(m.Resolution), " ")
	if m.Foreign {
		text += "foreign"
	}
	return text
}

func rowText(row *layout.Row) string {
	var cells []string
	for _, cell := range row.Cells {
		cells = append(cells, strings.TrimSpace(cell.Text))
	}
	text := strings.Join(cells, " | ")
	var facts []string
	for _, f := range row.Context {
		name := string(f.Column.Field)
		if name == "" {
			name = f.Column.Header
		}
		facts = append(facts, name+"="+f.Cell.Text)
	}
	if len(facts) > 0 {
		text += " {" + strings.Join(facts, ", ") + "}"
	}
	if m := measurandText(row.Section); m != "" {
		text += " [" + m + "]"
	}
	for _, s := range row.Surplus {
		text += " +" + s.Text + " in " + s.Place.Cell
	}
	return strings.TrimRight(text, " ")
}

// rows are the lines of a text.
func rows(all ...string) string { return strings.Join(all, "\n") }

// A layoutTest is the rows of a CSV file, the tables that they are, and all messages about them.
type layoutTest struct{ rule, table, want, messages string }

// layoutTests reads tests from a text. A line with one more tab continues the line before it.
//
//	# the rule
//	the rows of the CSV file; a last one that ends with … is cut off there
//	=>
//	each table as scanned has it, with a blank line between tables
//	! a message; others in further lines
func layoutTests(text string) (tests []layoutTest) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\n\t\t\t", " "), "\n\t\t", "\n")
	for _, test := range strings.Split(text, "\n# ")[1:] {
		rule, test, _ := strings.Cut(test, "\n")
		table, test, _ := strings.Cut(test, "=>\n")
		test, messages, _ := strings.Cut("\n"+test, "\n! ")
		tests = append(tests, layoutTest{
			rule, strings.TrimSuffix(table, "…\n"), strings.Trim(test, "\n\t"),
			strings.ReplaceAll(strings.TrimSpace(messages), "\n! ", "\n"),
		})
	}
	return tests
}

// checkAll runs the layoutTests of a text.
func checkAll(t *testing.T, text string) {
	t.Helper()
	for _, test := range layoutTests(text) {
		t.Run(test.rule, func(t *testing.T) {
			check(t, csvSheet(t, test.table), layout.Options{}, test.want, test.messages)
		})
	}
}

// check compares the tables of a sheet, and all messages about them.
func check(t *testing.T, s *workbook.Sheet, o layout.Options, want, messages string) {
	t.Helper()
	tables, reported := scanned(s, o)
	if got := strings.Join(tables, "\n\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(reported, "\n"); got != messages {
		t.Errorf("got the messages %s\nwant %s", got, messages)
	}
}

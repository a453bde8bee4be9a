// Package layouttest reads table tests from text, and compares the tables that package layout finds with the
// expected ones. The program does not import it.
package layouttest

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

// Lines joins the rows of a CSV file.
func Lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

// CSV returns the sheet that a CSV file contains.
func CSV(t testing.TB, text string) *workbook.Sheet {
	t.Helper()
	return SheetsOf(t, "t.csv", []byte(text))[0]
}

// XLSX returns a sheet in a workbook. Semicolons separate the cells of each row.
func XLSX(t testing.TB, text string, merged ...string) *workbook.Sheet {
	t.Helper()
	sheet := xlsxtest.Sheet{Name: "S", Merged: merged}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		sheet.Rows = append(sheet.Rows, xlsxtest.Cells(strings.Split(line, ";")))
	}
	return SheetsOf(t, "t.xlsx", xlsxtest.Book{Sheets: []xlsxtest.Sheet{sheet}}.Bytes())[0]
}

// SheetsOf returns the sheets in a file.
func SheetsOf(t testing.TB, name string, data []byte) []*workbook.Sheet {
	t.Helper()
	known := func(text string) bool { c := columns.Parse(text); return c.Known() }
	book, err := workbook.Open(name, bytes.NewReader(data), workbook.Options{Known: known})
	if err != nil {
		t.Fatal(err)
	}
	return book.Sheets
}

// Scanned returns the tables in a sheet as text, and all messages about them. A table consists of a line for
// its columns, such as "Name=label | 125=125 Hz", and a line for each row, such as "A | 0,1
// {manufacturer=Acme} [scatter] +surplus".
func Scanned(s *workbook.Sheet, o layout.Options) (tables, messages []string) {
	return Scan(s, o, true)
}

// Scan is like Scanned, but omits the rows if withRows is false.
func Scan(s *workbook.Sheet, o layout.Options, withRows bool) (tables, messages []string) {
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
			if f := scanner.Unmapped; f != nil {
				messages = append(messages, f.Error())
			}
			return tables, append(messages, scanner.Likely...)
		}
		text := ColumnsText(table)
		end := table.Rows(func(row *layout.Row) bool {
			if withRows {
				text += "\n" + RowText(row)
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

// ColumnsText returns a table's special properties, followed by its columns.
func ColumnsText(t *layout.Table) string {
	var words []string
	if t.Layout != columns.Across {
		words = append(words, string(t.Layout))
	}
	if m := MeasurandText(t.Title); m != "" {
		words = append(words, m)
	}
	var names []string
	for i := range t.Columns {
		c := &t.Columns[i]
		is := c.String()
		if c.LeftOut != "" {
			is = "(" + c.LeftOut + ")"
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

// MeasurandText returns a quantity and a resolution as text.
func MeasurandText(m columns.Measurand) string {
	text := strings.Trim(string(m.Quantity)+" "+string(m.Resolution), " ")
	if m.Foreign {
		text += "foreign"
	}
	return text
}

// RowText returns a row in the format used by Scanned.
func RowText(row *layout.Row) string {
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
	if m := MeasurandText(row.Section); m != "" {
		text += " [" + m + "]"
	}
	for _, s := range row.Surplus {
		text += " +" + s.Text + " in " + s.Place.Cell
	}
	return strings.TrimRight(text, " ")
}

// Rows joins lines with newlines.
func Rows(all ...string) string { return strings.Join(all, "\n") }

// A Test contains the rows of a CSV file, the expected tables and all expected messages.
type Test struct{ Rule, Table, Want, Messages string }

// Tests reads tests from a text. In the text, a line with one more tab continues the previous line.
//
//	# the rule
//	the rows of the CSV file; … at the end of the last row truncates the file there
//	=>
//	each table in the format of Scanned, with a blank line between tables
//	! a message; further messages follow on separate lines
func Tests(text string) (tests []Test) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\n\t\t\t", " "), "\n\t\t", "\n")
	for _, test := range strings.Split(text, "\n# ")[1:] {
		rule, test, _ := strings.Cut(test, "\n")
		table, test, _ := strings.Cut(test, "=>\n")
		test, messages, _ := strings.Cut("\n"+test, "\n! ")
		tests = append(tests, Test{
			rule, strings.TrimSuffix(table, "…\n"), strings.Trim(test, "\n\t"),
			strings.ReplaceAll(strings.TrimSpace(messages), "\n! ", "\n"),
		})
	}
	return tests
}

// CheckAll runs the tests in a text.
func CheckAll(t *testing.T, text string) {
	t.Helper()
	for _, test := range Tests(text) {
		t.Run(test.Rule, func(t *testing.T) {
			Check(t, CSV(t, test.Table), layout.Options{}, test.Want, test.Messages)
		})
	}
}

// Check compares the tables in a sheet, and all messages about them, with the expected tables and messages.
func Check(t *testing.T, s *workbook.Sheet, o layout.Options, want, messages string) {
	t.Helper()
	tables, reported := Scanned(s, o)
	if got := strings.Join(tables, "\n\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(reported, "\n"); got != messages {
		t.Errorf("got the messages %s\nwant %s", got, messages)
	}
}

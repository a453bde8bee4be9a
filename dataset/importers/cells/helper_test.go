package cells_test

import (
	"strconv"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
)

// tableOf returns a table with the given column names, separated by "|".
func tableOf(headers string) *layout.Table {
	var parsed []columns.Column
	for header := range strings.SplitSeq(headers, "|") {
		parsed = append(parsed, columns.Parse(header))
	}
	columns.Resolve(parsed)
	t := &layout.Table{Input: "t.csv", Long: columns.Has(parsed, columns.Frequency) && columns.Has(parsed,
		columns.Coefficient)}
	for _, c := range parsed {
		t.Columns = append(t.Columns, layout.Column{Column: c})
	}
	return t
}

// tableWith returns a table with additional properties: "comma" for decimal commas, and
// "title=αs" for the quantity in its title, sheet, file or map, or in the section title above the row.
func tableWith(shown, headers string, row *layout.Row) *layout.Table {
	t := tableOf(headers)
	for text := range strings.FieldsSeq(shown) {
		kind, words, _ := strings.Cut(text, "=")
		m := columns.MeasurandOf(words)
		switch kind {
		case "comma":
			t.DecimalComma = true
		case "title":
			t.Title = m
		case "sheet":
			t.SheetName = m
		case "file":
			t.FileName = m
		case "map":
			t.Map = &columns.TableMap{Quantity: m.Quantity}
		case "section":
			row.Section = m
		}
	}
	return t
}

// rowOf returns a row with the given number and cells, separated by "|".
func rowOf(number int, texts string) *layout.Row {
	row := &layout.Row{Number: number}
	for text := range strings.SplitSeq(texts, "|") {
		row.Cells = append(row.Cells, workbook.Cell{Text: text})
	}
	return row
}

// rowOfKind returns a row with one cell.
func rowOfKind(text string, kind workbook.Kind) *layout.Row {
	return &layout.Row{Number: 2, Cells: []workbook.Cell{{Text: text, Kind: kind}}}
}

// read describes rows, one per line, and the problems of the rows and the table.
func read(t *layout.Table, rows ...*layout.Row) (got, problems string) {
	reader := cells.NewReader(t)
	var texts []string
	var found []dataset.Fault
	for _, row := range rows {
		r := reader.Read(row)
		texts = append(texts, describe(r))
		if r != nil {
			found = append(append(found, r.Faults...), r.Warnings...)
		}
	}
	faults, warnings := reader.End()
	return strings.Join(texts, "\n"), describeFaults(append(append(found, faults...), warnings...))
}

// describe describes a row in one line: fields, lengths, curves, and values of unknown columns.
func describe(r *cells.Row) string {
	if r == nil {
		return "nil"
	}
	var fields, kept []string
	for _, v := range r.Values {
		if v.Field == columns.None {
			kept = append(kept, "["+v.Header+"]="+v.Text)
		} else {
			fields = append(fields, string(v.Field)+"="+v.Text)
		}
	}
	if r.Thickness.Known {
		fields = append(fields, "thickness="+columns.FormatNumber(r.Thickness.MM))
	}
	if r.AirGap.Known {
		fields = append(fields, "gap="+columns.FormatNumber(r.AirGap.MM))
	}
	if r.Depth.Known {
		fields = append(fields, "depth="+columns.FormatNumber(r.Depth.MM))
	}
	for _, c := range r.Curves {
		curve := string(c.Quantity) + "_" + string(c.Resolution)
		for _, p := range c.Points {
			curve += " " + strconv.Itoa(p.BandHz) + ":" + columns.FormatNumber(p.Value)
		}
		fields = append(fields, curve)
	}
	return strings.Join(append(fields, kept...), " / ")
}

// describeFaults writes a line for each fault, without the file name.
func describeFaults(faults []dataset.Fault) string {
	var lines []string
	for i := range faults {
		lines = append(lines, strings.TrimPrefix(faults[i].Error(), "t.csv"))
	}
	return strings.Join(lines, "\n")
}

// A ruleTest is a table row and the expected result.
type ruleTest struct {
	rule, headers, cells string
	want                 string
	problems             string // separated by line ends
}

// check runs tests on tables with the properties described at tableWith.
func check(t *testing.T, shown string, tests []ruleTest) {
	t.Helper()
	for _, test := range tests {
		row := rowOf(2, test.cells)
		if got, problems := read(tableWith(shown, test.headers, row), row); got != test.want || problems != test.problems {
			t.Errorf("%s: %s %s: %s\ngot  %s\nwant %s\nproblems\n%s\nwant\n%s",
				test.rule, shown, test.headers, test.cells, got, test.want, problems, test.problems)
		}
	}
}

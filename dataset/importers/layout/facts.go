package layout

import (
	"slices"
	"strconv"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
)

// A Fact is what a context row says of the rows below it, "Hersteller: Acme", or a title, the name of a group
// or the link of a cell: read as one more cell of each row.
type Fact struct {
	Column columns.Column
	Cell   workbook.Cell
	Number int // the number of the cell for Table.Place: more than len(Table.Columns)

	at position
}

// A position is where a cell is in the sheet, all from 1; line is 0 in a workbook.
type position struct{ number, line, cell int }

// said is what the rows of a sheet said above those that are read.
type said struct {
	facts   facts
	title   title  // the last one, which is of the tables below it too
	company string // that a title names
}

// placeOf returns the place of a cell of a sheet.
func placeOf(input, sheet string, at position) dataset.Place {
	return workbook.PlaceOf(input, sheet, workbook.Row{Number: at.number, Line: at.line}, at.cell)
}

// faultOf returns the fault of a cell of a sheet.
func faultOf(input, sheet string, at position, problem string) dataset.Fault {
	return dataset.Fault{Place: placeOf(input, sheet, at), Problem: problem}
}

// cutFault is the fault of a last row that lacks cells.
func cutFault(input, sheet string, row workbook.Row, width int) *dataset.Fault {
	f := faultOf(input, sheet, position{row.Number, row.Line, max(1, len(row.Cells))},
		"the file ends in the middle of a row: expected "+strconv.Itoa(width)+" cells, got "+strconv.Itoa(len(row.Cells)))
	return &f
}

// factOf returns what a text says of a field that no column's name gives.
func factOf(f columns.Field, text string, at position) Fact {
	return Fact{Column: columns.Column{Header: string(f), Field: f}, Cell: workbook.Cell{Text: text}, at: at}
}

// isOfField reports whether another fact is of the same field.
func (f *Fact) isOfField(o Fact) bool {
	return o.Column.Field == f.Column.Field && (f.Column.Field != columns.None || o.Column.Header == f.Column.Header)
}

// facts are those of some rows, each field once.
type facts []Fact

// say adds a fact. Of one field the last value counts.
func (all *facts) say(f Fact) { *all = append(slices.DeleteFunc(*all, f.isOfField), f) }

// say reports whether one of the facts is of one of some fields.
func (all facts) has(fields ...columns.Field) bool {
	return slices.ContainsFunc(all, func(f Fact) bool { return slices.Contains(fields, f.Column.Field) })
}

// lastingFields are those that a context row says of all products below it, whatever product is named then.
var lastingFields = []columns.Field{columns.Manufacturer, columns.ManufacturerSlug, columns.ManufacturerID, columns.Laboratory,
	columns.Norm, columns.SourceNorm, columns.SourceKind, columns.DataSource, columns.Source}

// forget drops what was said of another product: what stood with its name or below it.
func (all *facts) forget() {
	first := 0
	for _, f := range *all {
		if isProductField(f.Column.Field) && (first == 0 || f.at.number < first) {
			first = f.at.number
		}
	}
	*all = slices.DeleteFunc(*all, func(f Fact) bool {
		return f.at.number >= first && !slices.Contains(lastingFields, f.Column.Field)
	})
}

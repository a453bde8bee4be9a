package grid

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

	At Position
}

// A Position is where a cell is in the sheet, all from 1; line is 0 in a workbook.
type Position struct{ Number, Line, Cell int }

// Said is what the rows of a sheet said above those that are read.
type Said struct {
	Facts   Facts
	Title   Title  // the last one, which is of the tables below it too
	Company string // that a title names
}

// PositionOf returns the position of a cell of a row of the sheet.
func PositionOf(row workbook.Row, cell int) Position { return Position{row.Number, row.Line, cell} }

// PlaceOf returns the place of a cell of a sheet.
func PlaceOf(input, sheet string, at Position) dataset.Place {
	return workbook.PlaceOf(input, sheet, workbook.Row{Number: at.Number, Line: at.Line}, at.Cell)
}

// FaultOf returns the fault of a cell of a sheet.
func FaultOf(input, sheet string, at Position, problem string) dataset.Fault {
	return dataset.Fault{Place: PlaceOf(input, sheet, at), Problem: problem}
}

// CutFault is the fault of a last row that lacks cells.
func CutFault(input, sheet string, row workbook.Row, width int) *dataset.Fault {
	f := FaultOf(input, sheet, PositionOf(row, max(1, len(row.Cells))),
		"the file ends in the middle of a row: expected "+strconv.Itoa(width)+" cells, got "+strconv.Itoa(len(row.Cells)))
	return &f
}

// FactOf returns what a text says of a field that no column's name gives.
func FactOf(f columns.Field, text string, at Position) Fact {
	return Fact{Column: columns.Column{Header: string(f), Field: f}, Cell: workbook.Cell{Text: text}, At: at}
}

// IsOfField reports whether another fact is of the same field.
func (f *Fact) IsOfField(o Fact) bool {
	return o.Column.Field == f.Column.Field && (f.Column.Field != columns.None || o.Column.Header == f.Column.Header)
}

// Facts are those of some rows, each field once.
type Facts []Fact

// Say adds a fact. Of one field the last value counts.
func (all *Facts) Say(f Fact) { *all = append(slices.DeleteFunc(*all, f.IsOfField), f) }

// Has reports whether one of the facts is of one of some fields.
func (all Facts) Has(fields ...columns.Field) bool {
	return slices.ContainsFunc(all, func(f Fact) bool { return slices.Contains(fields, f.Column.Field) })
}

// LastingFields are those that a context row says of all products below it, whatever product is named then.
var LastingFields = []columns.Field{columns.Manufacturer, columns.ManufacturerSlug, columns.ManufacturerID,
	columns.Laboratory, columns.Norm, columns.SourceNorm, columns.SourceKind, columns.DataSource, columns.Source}

// Forget drops what was said of another product: what stood with its name or below it.
func (all *Facts) Forget() {
	first := 0
	for _, f := range *all {
		if IsProductField(f.Column.Field) && (first == 0 || f.At.Number < first) {
			first = f.At.Number
		}
	}
	*all = slices.DeleteFunc(*all, func(f Fact) bool {
		return f.At.Number >= first && !slices.Contains(LastingFields, f.Column.Field)
	})
}

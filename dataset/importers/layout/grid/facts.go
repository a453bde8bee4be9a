package grid

import (
	"slices"
	"strconv"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
)

// A Fact is a value that applies to several rows. It comes from a context row (such as "Hersteller: Acme"), a
// title, a group name or a cell's link. It is read as an additional cell of each row.
type Fact struct {
	Column columns.Column
	Cell   workbook.Cell
	Number int // 1-based number of the cell for Table.Place, greater than len(Table.Columns); 0 at first
	At     Position
}

// A Position is the position of a cell in the sheet, with 1-based numbers. Line is 0 in a workbook.
type Position struct{ Number, Line, Cell int }

// A Context contains the facts, the title and the company from the rows of a sheet so far.
type Context struct {
	Facts   Facts
	Title   Title  // last title, which applies to later tables too
	Company string // company in a title
}

// PositionOf returns the position of a cell in a sheet's row.
func PositionOf(row workbook.Row, cell int) Position { return Position{row.Number, row.Line, cell} }

// PlaceOf returns the location of a cell in a sheet.
func PlaceOf(input, sheet string, at Position) dataset.Place {
	return workbook.PlaceOf(input, sheet, workbook.Row{Number: at.Number, Line: at.Line}, at.Cell)
}

// FaultOf returns a fault at a cell in a sheet.
func FaultOf(input, sheet string, at Position, problem string) dataset.Fault {
	return dataset.Fault{Place: PlaceOf(input, sheet, at), Problem: problem}
}

// CutFault returns the fault for a last row that lacks cells.
func CutFault(input, sheet string, row workbook.Row, width int) *dataset.Fault {
	f := FaultOf(input, sheet, PositionOf(row, max(1, len(row.Cells))),
		"the file ends in the middle of a row: expected "+strconv.Itoa(width)+" cells, got "+strconv.Itoa(len(row.Cells)))
	return &f
}

// FactOf returns a fact with the given text for a field that no column has.
func FactOf(f columns.Field, text string, at Position) Fact {
	return Fact{Column: columns.Column{Header: string(f), Field: f}, Cell: workbook.Cell{Text: text}, At: at}
}

// IsOfField reports whether another fact has the same field.
func (f *Fact) IsOfField(o Fact) bool {
	return o.Column.Field == f.Column.Field && (f.Column.Field != columns.None || o.Column.Header == f.Column.Header)
}

// Facts are the facts for several rows, each field once.
type Facts []Fact

// Set adds a fact. It replaces a fact with the same field.
func (all *Facts) Set(f Fact) { *all = append(slices.DeleteFunc(*all, f.IsOfField), f) }

// Has reports whether there is a fact for one of the given fields.
func (all Facts) Has(fields ...columns.Field) bool {
	return slices.ContainsFunc(all, func(f Fact) bool { return slices.Contains(fields, f.Column.Field) })
}

// LastingFields are fields that a context row sets for all products below it.
var LastingFields = []columns.Field{columns.Manufacturer, columns.ManufacturerSlug, columns.ManufacturerID,
	columns.Laboratory, columns.Norm, columns.SourceNorm, columns.SourceKind, columns.DataSource, columns.Source}

// Forget drops the facts from the first row with a fact about a product and from the rows below it, or all
// facts if no row has one. It retains LastingFields.
func (all *Facts) Forget() {
	first := 0 // below all row numbers
	for _, f := range *all {
		if IsProductField(f.Column.Field) && (first == 0 || f.At.Number < first) {
			first = f.At.Number
		}
	}
	*all = slices.DeleteFunc(*all, func(f Fact) bool {
		return f.At.Number >= first && !slices.Contains(LastingFields, f.Column.Field)
	})
}

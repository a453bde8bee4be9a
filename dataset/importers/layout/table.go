package layout

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/layout/header"
	"sabine/dataset/importers/workbook"
)

// A Table is one table in a sheet. Its rows are set-ups, regardless of the layout of the sheet. Scanner.Next
// sets all fields.
type Table struct {
	Input, Sheet string // Sheet is "" in CSV
	Layout       columns.Layout
	Map          *columns.TableMap // map that defines the columns; nil if their names do
	Header       []int             // 1-based numbers of header rows; column numbers if columns.Transposed
	Columns      []Column
	Title        columns.Measurand // measurand of the coefficients, from the context rows above the table
	Company      string            // company in a title above; "" for none
	SheetName    columns.Measurand // measurand in the sheet name
	FileName     columns.Measurand // measurand in the file name
	DecimalComma bool              // whether most numbers have a decimal comma
	OwnExport    bool              // whether it is an export: strings are unchanged, and nrc and saa are computed
	Long         bool              // whether each row is a band: there are frequency and coefficient columns

	places []grid.Position // positions of the column names, then of facts
	lines  []grid.Position // if transposed, the sheet row for each column; otherwise nil
	reader *rowReader
}

// Rows yields the table's rows. Each row is valid until the next one. Call Rows once. Scanner.Next skips the
// remaining rows.
func (t *Table) Rows(yield func(*Row) bool) End { return t.reader.read(yield) }

// Place returns the location of a cell, by the numbers of its row. Cells count from 1, and numbers above
// len(Columns) are cells of Facts.
func (t *Table) Place(number, line, cell int) dataset.Place {
	return t.placeAt(t.position(number, line, cell))
}

// position returns the position of a row's cell in the sheet.
func (t *Table) position(number, line, cell int) grid.Position {
	switch {
	case cell > len(t.Columns) && cell <= len(t.places):
		return t.places[cell-1]
	case t.lines != nil && cell >= 1 && cell <= len(t.lines):
		return grid.Position{Number: t.lines[cell-1].Number, Line: t.lines[cell-1].Line, Cell: number}
	}
	return grid.Position{Number: number, Line: line, Cell: cell}
}

// placeAt returns the location of a cell in the sheet.
func (t *Table) placeAt(at grid.Position) dataset.Place {
	return grid.PlaceOf(t.Input, t.Sheet, at)
}

// HasBands reports whether the table has coefficient columns.
func (t *Table) HasBands() bool {
	return t.Long || slices.ContainsFunc(t.Columns, func(c Column) bool { return c.BandHz > 0 })
}

// Has reports whether the table has a column for a field.
func (t *Table) Has(f columns.Field) bool { return t.indexOf(f) >= 0 }

// indexOf returns the index of the column for a field, or -1.
func (t *Table) indexOf(f columns.Field) int { return header.IndexOf(t.Columns, f) }

// A Column is a column in a table.
type Column = header.Column

// A Fact is a value that applies to several rows. It is read as an additional cell in each of them.
type Fact = grid.Fact

// A Row is one complete set-up: merged cells, ditto marks and the product from the row above are filled in.
// It is valid until the next row.
type Row struct {
	Number, Line int               // numbers for Table.Place
	Cells        []workbook.Cell   // one cell for each of Table.Columns; empty without a value
	Context      []Fact            // facts from context rows and links, for fields without a column
	Section      columns.Measurand // measurand in the nearest title among the rows above
	Surplus      []Surplus         // cells after the last named column
}

// A Surplus is a cell after the last named column.
type Surplus struct {
	Place dataset.Place
	Text  string
}

// An End is the summary of a table after its last row.
type End struct {
	Rows     int             // number of rows below the header
	FilledIn int             // number of rows with the product from the row above
	Unused   []string        // first unused strings with their cells: titles, notes, rows of means
	Contexts []Fact          // all facts from context rows, in sheet order, each field once
	HasValue []bool          // whether a row contains a value, by column
	Warnings []dataset.Fault // such as hidden rows, ditto marks that were filled in, titles with a quantity
	Faults   []dataset.Fault // such as a file that ends in the middle of a row
	Err      error           // error from reading the sheet; a *dataset.Fault if the content is invalid
}

// tableOf makes the table for a header. It returns nil after an error.
func (s *Scanner) tableOf(h *header.Header) *Table {
	r := &header.Resolver{Sheet: s.sheet, Input: s.options.Input, Name: s.options.Label, Above: &s.context, Header: h}
	r.Resolve()
	s.tables++
	if s.options.Budget.tables++; s.options.Budget.Full() {
		r.Fail(0, "", "more than "+strconv.Itoa(maxTables)+" tables: the remaining tables are not read")
	}
	if s.err = r.Err; s.err != nil {
		return nil
	}
	file := filepath.Base(s.options.Input)
	t := &Table{
		Input: s.options.Input, Sheet: s.sheet.Name, Layout: h.Layout, Map: h.Map, Columns: r.Cols,
		Title: s.context.Title.Measurand, Company: s.context.Company, SheetName: columns.MeasurandOf(s.sheet.Name),
		FileName:     columns.MeasurandOf(strings.TrimSuffix(file, filepath.Ext(file))),
		DecimalComma: h.HasDecimalComma(), OwnExport: header.Has(r.Cols, columns.Empty),
		Long: header.Has(r.Cols, columns.Frequency) && header.Has(r.Cols, columns.Coefficient),
	}
	for row := h.First; row <= h.Last; row++ {
		t.Header = append(t.Header, h.Grid.Rows[row].Number)
	}
	for c := range r.Cols {
		t.places = append(t.places, h.At(c))
	}
	var comments grid.Tally
	for _, c := range s.sheet.Comments {
		if s.tables == 1 {
			comments.Add(t.placeAt(grid.Position{Number: c.Row, Cell: c.Column}), c.Text)
		}
	}
	t.reader = newRowReader(t, s, r)
	t.reader.end.Warnings = slices.Concat(r.Warnings, comments.Warning("cell comments are ignored"))
	return t
}

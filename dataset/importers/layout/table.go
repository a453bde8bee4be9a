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

// A Table is one table of a sheet. Whichever way it lies in the sheet, its rows here are set-ups. All fields
// are set when Scanner.Next returns it.
type Table struct {
	Input, Sheet string // Sheet is "" in CSV
	Layout       columns.Layout
	Map          *columns.TableMap // that the columns are taken from; nil: from their names
	Header       []int             // the 1-based rows that name the columns; with columns.Transposed the columns
	Columns      []Column
	Title        columns.Measurand // what the context rows above the table say of its coefficients
	Company      string            // that a title above names, "" for none
	SheetName    columns.Measurand // what the name of the sheet says
	FileName     columns.Measurand // what the name of the file says
	DecimalComma bool              // the decimal sign of most numbers is a comma
	Ours         bool              // it is our own export: texts are as they are, and nrc and saa are computed
	Long         bool              // it has a row a band: columns of a frequency and of a coefficient

	places []grid.Position // of the names of the columns, then of facts
	lines  []grid.Position // transposed: where each column is: a row of the sheet; else nil
	reader *rowReader
}

// Rows yields the rows of the table, each valid until the next one. It may be called once; Scanner.Next
// passes over the rows that are left.
func (t *Table) Rows(yield func(*Row) bool) End { return t.reader.read(yield) }

// Place returns the place of a cell of a row, by the numbers of the row. A cell is counted from 1: over
// len(Columns) it is that of a Fact.
func (t *Table) Place(number, line, cell int) dataset.Place {
	return t.placeAt(t.position(number, line, cell))
}

// position returns the position of a cell of a row in the sheet.
func (t *Table) position(number, line, cell int) grid.Position {
	switch {
	case cell > len(t.Columns) && cell <= len(t.places):
		return t.places[cell-1]
	case t.lines != nil && cell >= 1 && cell <= len(t.lines):
		return grid.Position{Number: t.lines[cell-1].Number, Line: t.lines[cell-1].Line, Cell: number}
	}
	return grid.Position{Number: number, Line: line, Cell: cell}
}

// placeAt returns the place of a cell of the sheet.
func (t *Table) placeAt(at grid.Position) dataset.Place {
	return grid.PlaceOf(t.Input, t.Sheet, at)
}

// HasBands reports whether the table has columns of coefficients.
func (t *Table) HasBands() bool {
	return t.Long || slices.ContainsFunc(t.Columns, func(c Column) bool { return c.BandHz > 0 })
}

// Has reports whether the table has a column of a field.
func (t *Table) Has(f columns.Field) bool { return t.indexOf(f) >= 0 }

// indexOf returns the index of the column of a field, -1 for none.
func (t *Table) indexOf(f columns.Field) int { return header.IndexOf(t.Columns, f) }

// A Column is a column of a table.
type Column = header.Column

// A Fact is what is said of rows: read as one more cell of each.
type Fact = grid.Fact

// A Row is one set-up, complete: merged cells, ditto marks and the product of the row above are filled in. It
// is valid until the next row.
type Row struct {
	Number, Line int               // for Table.Place
	Cells        []workbook.Cell   // one for each of Table.Columns; "" where there is no value
	Context      []Fact            // what context rows and links say of it, of fields that no column has
	Section      columns.Measurand // what the nearest title among the rows above says of its coefficients
	Surplus      []Surplus         // what is after the last column that has a name
}

// A Surplus is a cell after the last column with a name.
type Surplus struct {
	Place dataset.Place
	Text  string
}

// An End is what is known of a table when its last row has been read.
type End struct {
	Rows     int             // below the header
	FilledIn int             // rows that took the product of the row above
	Unused   []string        // what is used for nothing, each with its cell: titles, notes, rows of means; the first ones
	Contexts []Fact          // all that context rows said, in order of the sheet, each field once
	HasValue []bool          // by column: a row has a value in it
	Warnings []dataset.Fault // such as hidden rows, ditto marks that were filled in, titles that say a quantity
	Faults   []dataset.Fault // such as a file that ends in the middle of a row
	Err      error           // of reading the sheet: a *dataset.Fault where the content is at fault
}

// tableOf makes the table of a block; nil where there is an error.
func (s *Scanner) tableOf(h *header.Header) *Table {
	r := &header.Resolver{Sheet: s.sheet, Input: s.options.Input, Name: s.options.Label, Said: &s.said, Header: h}
	r.Resolve()
	s.tables++
	if s.options.Budget.tables++; s.options.Budget.Full() {
		r.Fail(0, "", "more than "+strconv.Itoa(maxTables)+" tables: what follows is not read")
	}
	if s.err = r.Err; s.err != nil {
		return nil
	}
	file := filepath.Base(s.options.Input)
	t := &Table{
		Input: s.options.Input, Sheet: s.sheet.Name, Layout: h.Layout, Map: h.Fits, Columns: r.Cols,
		Title: s.said.Title.Measurand, Company: s.said.Company, SheetName: columns.MeasurandOf(s.sheet.Name),
		FileName:     columns.MeasurandOf(strings.TrimSuffix(file, filepath.Ext(file))),
		DecimalComma: h.HasDecimalComma(), Ours: header.Has(r.Cols, columns.Empty),
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
	t.reader.end.Warnings = slices.Concat(r.Warnings, comments.Warning("comments of cells are not read"))
	return t
}

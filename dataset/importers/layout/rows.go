package layout

import (
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/layout/header"
	"sabine/dataset/importers/workbook"
)

// A rowReader reads the rows in one table.
type rowReader struct {
	scan   *Scanner
	next   func() (row workbook.Row, ok bool)
	table  *Table
	header [][]string // rows with the column names
	merged mergedCells
	setups []header.Setup // set-ups that are side by side

	products  []int // columns that identify a row's product, then its manufacturer and thickness
	bands     []int // coefficient columns; in a long table, frequency columns too
	links     []int // columns with addresses
	longNames []int // columns whose long names count towards maxText
	label     int   // column whose link is the product's address, or -1
	percents  int   // column whose "%" makes a row of a transposed table percentages, or -1
	mounting  int   // column whose blank cells get the mounting from the title, or -1

	titleMounting grid.Fact // mounting in a title above the table

	context  grid.Facts        // current facts from context rows
	section  columns.Measurand // measurand in the last title among the rows
	ofTitle  grid.Facts        // facts in context from the last title among the rows
	notes    []workbook.Row    // rows with one string since the last row of values; they can belong to the next table
	lastRow  int               // number of the last row
	lastNote int               // number of the last row with a note; 0 for none
	isFoot   bool              // whether no blank row is between the last row of values and the notes
	fresh    bool              // whether a blank row or a note precedes this row

	cells, above, product []workbook.Cell // cells in this row, the row above, and the last row with a product
	row                   Row
	rowContext            grid.Facts // context for a row with a link
	setupCells            []workbook.Cell
	setupContext          grid.Facts
	surplus               []Surplus

	end                                   End
	done                                  bool // whether the table has ended
	isSheet                               bool // whether it is a data sheet: no column identifies products
	isLast                                bool // whether there are no more rows
	sectioned                             bool // whether titles among the rows name the products
	unused                                int  // number of unused rows and cells, including those beyond maxUnused
	sections                              []section
	hiddenRows, struckRows, hiddenColumns grid.Tally
	hiddenLeft                            grid.Tally // hidden rows that are skipped
	dittos, summaries, surplusCells       grid.Tally
	mounted                               int // number of blank cells that got the mounting from the title
}

const (
	maxUnused         = 100  // maximum number of listed unused cells in a table
	maxNotes          = 16   // maximum number of rows above a header that can belong to it
	maxFailedSearches = 1000 // rows of values that look like names; a sheet with more has no further tables
)

// A section is the rows below a title in the table.
type section struct {
	title  grid.Position
	text   string
	rows   int
	mounts bool // whether it names the specimens' mounting
}

// newRowReader returns a reader for the rows of a resolved table.
func newRowReader(t *Table, s *Scanner, of *header.Resolver) *rowReader {
	g, h := of.Header.Grid, of.Header
	r := &rowReader{scan: s, table: t, setups: of.Setups, label: -1, percents: -1, mounting: -1,
		lastRow: g.Rows[h.Last].Number, sectioned: of.Sectioned, unused: len(of.Preface.Unused)}
	r.end.Unused = of.Preface.Unused
	r.header, r.merged.ranges, r.end.HasValue = g.Texts[h.First:h.Last+1], g.Merged, make([]bool, len(t.Columns))
	r.index()
	if r.next = s.pull; t.Layout == columns.Transposed {
		rest := g.Rows[h.Last+1:]
		r.next = func() (row workbook.Row, ok bool) {
			if ok = len(rest) > 0; ok {
				row, rest = rest[0], rest[1:]
			}
			return row, ok
		}
		for c := range t.Columns {
			t.lines = append(t.lines, g.At(h.Last, c))
			r.countMarked(g.Sheet[c], t.Columns[c].Place, t.Columns[c].Header)
		}
		if r.percents = t.indexOf(columns.OfQuantity); r.percents < 0 {
			r.percents = t.indexOf(columns.Label)
		}
	}
	for _, f := range of.Context {
		switch i := t.indexOf(f.Column.Field); {
		case i < 0:
			r.context = append(r.context, r.takeFact(f))
		case f.Column.Field == columns.Mounting:
			r.mounting, r.titleMounting = i, f
		}
	}
	for _, s := range r.setups {
		for i, f := range s.Context {
			s.Context[i] = r.takeFact(f)
		}
	}
	return r
}

// index finds the columns that are read in each row.
func (r *rowReader) index() {
	var names, others, makers []int
	for i := range r.table.Columns {
		c := &r.table.Columns[i]
		if len(c.Header) > maxPlainName {
			r.longNames = append(r.longNames, i)
		}
		switch {
		case c.BandHz > 0 || c.Field == columns.Frequency || c.Field == columns.Coefficient:
			r.bands = append(r.bands, i)
		case c.Field == columns.Material || c.Field == columns.CommercialName || c.Field == columns.Description:
			others = append(others, i) // each can name a product if another is blank
		case grid.IsProductField(c.Field):
			names = append(names, i)
		case c.Field == columns.Manufacturer:
			makers = append(makers, i)
		case slices.Contains(addressFields, c.Field):
			r.links = append(r.links, i)
		}
	}
	if len(names) == 0 {
		names = others
	}
	if r.isSheet = len(names) == 0; !r.isSheet {
		r.products = append(names, makers...)
		if i := r.table.indexOf(columns.Thickness); i >= 0 {
			r.products = append(r.products, i)
		}
	}
	if r.table.indexOf(columns.URL) < 0 && !r.scan.context.Facts.Has(columns.URL) {
		r.label = max(r.table.indexOf(columns.Label), r.table.indexOf(columns.Material))
	}
}

// addressFields are the fields whose value can be the link of a cell.
var addressFields = []columns.Field{columns.URL, columns.EPDURL, columns.HasEPD, columns.Images}

// read reads the rows up to the end of the table.
func (r *rowReader) read(yield func(*Row) bool) End {
	for r.scan.err == nil && !r.done {
		row, ok := r.next()
		if r.isLast = !ok; !ok || r.endsAt(&row) {
			break
		}
		if !r.take(row, yield) && r.scan.err == nil {
			return r.end
		}
	}
	if !r.done {
		r.done = true
		r.finish()
	}
	return r.end
}

// isLine reports whether a row in a data sheet describes the product above or below its bands and contains
// no coefficients. Such a row does not begin with a frequency or, if its bands are columns, with a quantity.
func (r *rowReader) isLine(cells []workbook.Cell, filled int) bool {
	first := columns.OfQuantity
	if r.table.Long {
		first = columns.Frequency
	}
	if !r.isSheet || filled < 2 || r.table.indexOf(first) < 0 {
		return false
	}
	text := grid.TextOf(cells, r.table.indexOf(first))
	name := columns.Parse(strings.TrimRight(text, ": "))
	if r.table.Long {
		return grid.IsWord(text) && name.Hz() == 0 && !grid.IsDitto(text) && !isStatistic(text)
	}
	return (name.Known() || filled == 2 && !r.hasNumber(cells)) && !grid.IsAxis(name.Field) && !grid.IsMeasurand(text) &&
		!grid.IsDitto(text)
}

// isPair reports whether a row below the header contains only a field name and its value, in two cells:
// "Hersteller | Acme". In a data sheet, the title of the next product with its thickness is also a pair.
func (r *rowReader) isPair(row workbook.Row, filled, first int) bool {
	if filled != 2 || r.table.Layout == columns.Transposed || r.hasNumber(row.Cells) {
		return false
	}
	c, second := grid.Pair(row, first)
	if r.isSheet && columns.ParseSetup(row.Cells[second].Text).Thickness != "" { // "Clip 40 | Elementdicke 40 mm"
		return true
	}
	return second == first+1 && grid.IsKey(&c) && !grid.IsProductField(c.Field)
}

// endsAt reports whether a row, with the notes before it, begins another table. If so, the scanner buffers
// the row and the notes again.
func (r *rowReader) endsAt(row *workbook.Row) bool {
	if r.table.Layout == columns.Transposed {
		return false
	}
	isGap := row.Number > r.lastRow+1
	if isGap && r.isFoot {
		r.takeNotes(false)
	}
	r.fresh, r.lastRow = isGap || len(r.notes) > 0, row.Number
	if !r.mayBegin(row.Cells) {
		return false
	}
	row.Cells = slices.Clone(row.Cells)
	if !r.scan.startsTable(r.notes, *row) {
		return false
	}
	r.notes = nil
	return true
}

// mayBegin reports whether a row can belong to the header of another table.
func (r *rowReader) mayBegin(cells []workbook.Cell) bool {
	s := r.scan
	isAgain := r.isSheet && len(r.notes) > 0 // the row can begin the next data sheet
	if r.isPlain(cells) || r.isHeader(cells) && !isAgain {
		return false
	}
	if n, _ := grid.Filled(workbook.Row{Cells: cells}); n <= 1 {
		return false
	}
	if m := s.options.Maps; m != nil {
		return s.tables < len(m) && startsMapped(m[s.tables], cells)
	}
	if s.failedSearches > maxFailedSearches || s.options.Budget.searched > grid.MaxSearched ||
		len(r.bands) == 0 && !r.fresh {
		return false
	}
	product, bands, fields := len(r.products) == 0 && (s.isNamed() || isAgain), false, 0
	for i := range cells {
		text := grid.InOneLine(cells[i].Text)
		switch look, _ := s.looks.Of(text); look {
		case grid.IsNumber:
			return false
		case grid.IsField:
			fields++
			product = product || grid.IsProductField(columns.Parse(text).Field)
		case grid.IsBand, grid.IsGroup:
			bands = true
			product = product || columns.Parse(text).Field == columns.Frequency // its column can name products
		}
	}
	return product && (bands || r.fresh && fields >= grid.MinFields)
}

// isPlain reports whether a coefficient column in a row contains a number that is not a band, as in nearly
// all rows.
func (r *rowReader) isPlain(cells []workbook.Cell) bool {
	for _, c := range r.bands {
		value, ok := columns.PlainNumber(textOf(cells, c))
		if ok && (r.table.Layout == columns.Long || value < grid.LowestHz || !columns.IsBand(value)) {
			return true
		}
	}
	return false
}

// hasNumber reports whether a row contains a number in a coefficient column.
func (r *rowReader) hasNumber(cells []workbook.Cell) bool {
	return slices.ContainsFunc(r.bands, func(c int) bool { return columns.IsNumeric(textOf(cells, c)) })
}

// textOf returns the unchanged text of a cell, or "" if there is no cell.
func textOf(cells []workbook.Cell, c int) string {
	if c >= len(cells) {
		return ""
	}
	return cells[c].Text
}

// isHeader reports whether a row repeats a header row, as on printed pages. It compares from the end, where
// most rows contain numbers.
func (r *rowReader) isHeader(cells []workbook.Cell) bool {
	return slices.ContainsFunc(r.header, func(header []string) bool {
		for i := max(len(cells), len(header)) - 1; i >= 0; i-- {
			if i >= len(header) && grid.TextOf(cells, i) != "" || i < len(header) && grid.TextOf(cells, i) != header[i] {
				return false
			}
		}
		return true
	})
}

// take reads a row below the header. It reports whether to continue.
func (r *rowReader) take(row workbook.Row, yield func(*Row) bool) bool {
	width := len(r.table.Columns)
	filled, first := grid.Filled(row)
	isNote := filled == 1 && row.Cells[first].Kind == workbook.Text &&
		!columns.IsNumeric(strings.TrimSpace(row.Cells[first].Text))
	isNote = isNote || r.isLine(row.Cells, filled) || r.isPair(row, filled, first)
	lacks := len(row.Cells) < width && r.end.HasValue[width-1] && (!isNote || r.lastNote == 0 || row.Number-r.lastNote > 1)
	at, list := -1, (*grid.Tally)(nil) // cell that marks a row as left out, and the tally for its warning
	if filled > 1 {
		at = r.summary(row.Cells, first)
	}
	switch {
	case filled == 0:
		return true
	case r.isHeader(row.Cells):
		r.takeNotes(true)
		return true
	case row.Cut && lacks:
		r.end.Faults = append(r.end.Faults, *grid.CutFault(r.table.Input, r.table.Sheet, row, width))
		return true
	case isNote:
		if r.isFoot = r.isFoot && len(r.notes) > 0 || !r.fresh; len(r.notes) == maxNotes {
			r.takeNote(r.notes[0], true)
			r.notes = r.notes[1:]
		}
		row.Cells, r.lastNote = slices.Clone(row.Cells), row.Number
		r.notes = append(r.notes, row)
		return true
	case r.table.Layout == columns.Transposed && slices.Contains(r.scan.sheet.HiddenColumns, row.Number):
		list, at = &r.hiddenColumns, first
	case at >= 0:
		list = &r.summaries
	case row.Hidden && (!r.scan.sheet.Filtered && !row.Closed || len(r.bands) > 0 && !r.hasNumber(row.Cells)):
		list, at = &r.hiddenLeft, first
	case r.end.Rows == 0 && isNumbering(row.Cells):
		list, at = new(grid.Tally), first // has no warning of its own
	default:
		r.takeNotes(true)
		if row.Hidden || row.Struck {
			r.countMarked(row, r.table.Place(row.Number, row.Line, first+1), row.Cells[first].Text)
		}
		return r.takeValues(row, yield)
	}
	list.Add(r.table.Place(row.Number, row.Line, at+1), row.Cells[at].Text)
	r.noteUnused(r.table.position(row.Number, row.Line, at+1), row.Cells[at].Text)
	return true
}

package layout

import (
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/layout/header"
	"sabine/dataset/importers/workbook"
)

// A rowReader reads the rows of one table.
type rowReader struct {
	scan   *Scanner
	next   func() (row workbook.Row, ok bool)
	table  *Table
	header [][]string // the rows that name the columns
	merged mergedCells
	setups []header.Setup // where the bands of several are side by side

	products  []int // the columns that say which product a row is of, then whose it is
	bands     []int // the columns of coefficients; of a long table also the column of frequencies
	links     []int // the columns of addresses
	longNames []int // the columns whose names count as text
	label     int   // the column whose link is the product's address; -1 for none
	marks     int   // the column whose cell may mark its row as percentages, of a transposed table; -1 for none
	mounting  int   // the column whose blank cells take the mounting of the title; -1 for none

	titleMounting grid.Fact // what a title above the table says

	context       grid.Facts        // what context rows said last
	section       columns.Measurand // what the last title among the rows said
	ofTitle       grid.Facts        // those of context that the same title said
	notes         []workbook.Row    // with one text, since the last row of values: they may belong to the next table
	lastRow       int               // the number of the last row, and of the last note
	lastNote      int
	isFoot, fresh bool // the notes are below rows, without a blank row; a blank row or a note is before this row

	cells, above, product []workbook.Cell // of the row, of the row above, and of the last row with a product
	row                   Row
	rowContext            grid.Facts // of a row with a link
	setupCells            []workbook.Cell
	setupContext          grid.Facts
	surplus               []Surplus

	end                                   End
	done                                  bool
	isSheet                               bool // a data sheet: no column names products
	isLast                                bool // no rows are below it
	sectioned                             bool // titles among the rows name the products of those below them
	unused                                int  // rows and cells that are used for nothing, of which maxUnused are named
	sections                              []section
	hiddenRows, struckRows, hiddenColumns grid.Tally
	hiddenLeft                            grid.Tally // hidden rows that are left out
	dittos, summaries, beside             grid.Tally
	mounted                               int // blank cells that took the mounting of the title
}

const (
	maxUnused = 100  // cells of a table that are named as used for nothing
	maxNotes  = 16   // rows above a header that may belong to it
	maxInVain = 1000 // rows of values that look like names: a sheet with more of them has no other tables
)

// A section is the rows below a title among the rows.
type section struct {
	title  grid.Position
	text   string
	rows   int
	mounts bool // it says how the specimens were mounted
}

// newRowReader returns the reader of the rows of a table that was resolved.
func newRowReader(t *Table, s *Scanner, of *header.Resolver) *rowReader {
	g, h := of.Header.Grid, of.Header
	r := &rowReader{scan: s, table: t, setups: of.Setups, label: -1, marks: -1, mounting: -1,
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
			r.mark(g.Sheet[c], t.Columns[c].Place, t.Columns[c].Header)
		}
		if r.marks = t.indexOf(columns.OfQuantity); r.marks < 0 {
			r.marks = t.indexOf(columns.Label)
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

// index finds the columns that are looked at in each row.
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
			others = append(others, i) // each may name a product where another is blank
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
	if r.table.indexOf(columns.URL) < 0 && !r.scan.said.Facts.Has(columns.URL) {
		r.label = max(r.table.indexOf(columns.Label), r.table.indexOf(columns.Material))
	}
}

// addressFields are the fields of which a cell's link is the text.
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

// isLine reports whether a row of a data sheet, whose product context rows name, has no coefficients but what
// else is said of the product, above or below its bands: it does not begin with a frequency or, where the
// bands are across, with a quantity.
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
		return grid.IsWord(text) && name.BandHz == 0 && name.StrayHz == 0 && !grid.IsDitto(text) && !isStatistic(text)
	}
	return (name.Known() || filled == 2 && !r.hasNumber(cells)) && !grid.IsAxis(name.Field) && !grid.IsMeasurand(text) &&
		!grid.IsDitto(text)
}

// isPair reports whether a row below the names of columns has the name of a field and its value in two cells,
// and nothing else: "Hersteller | Acme".
func (r *rowReader) isPair(row workbook.Row, filled, first int) bool {
	if filled != 2 || r.table.Layout == columns.Transposed || r.hasNumber(row.Cells) {
		return false
	}
	c, second := grid.Pair(row, first)
	isTitle := r.isSheet && columns.ParseSetup(row.Cells[second].Text).Thickness != "" // "Clip 40 | Elementdicke 40 mm"
	return second == first+1 && grid.IsKey(&c) && !grid.IsProductField(c.Field) || isTitle
}

// endsAt reports whether another table begins with a row and the notes before it, which the scanner then has
// again.
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

// mayBegin reports whether a row may belong to the header of another table.
func (r *rowReader) mayBegin(cells []workbook.Cell) bool {
	s := r.scan
	isAgain := r.isSheet && len(r.notes) > 0 // of the next data sheet
	if r.isPlain(cells) || r.isHeader(cells) && !isAgain {
		return false
	}
	if n, _ := grid.Filled(workbook.Row{Cells: cells}); n <= 1 {
		return false
	}
	if m := s.options.Maps; m != nil {
		return s.tables < len(m) && startsMapped(m[s.tables], cells)
	}
	if s.inVain > maxInVain || s.options.Budget.searched > grid.MaxSearched || len(r.bands) == 0 && !r.fresh {
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
			product = product || columns.Parse(text).Field == columns.Frequency // which may name the column of the products
		}
	}
	return product && (bands || r.fresh && fields >= grid.LeastFields)
}

// isPlain reports whether a row has a number that names no band where coefficients are, as nearly all rows
// have.
func (r *rowReader) isPlain(cells []workbook.Cell) bool {
	for _, c := range r.bands {
		value, ok := columns.PlainNumber(textOf(cells, c))
		if ok && (r.table.Layout == columns.Long || value < grid.LowestHz || !columns.IsBand(value)) {
			return true
		}
	}
	return false
}

// hasNumber reports whether a row has a number where coefficients are.
func (r *rowReader) hasNumber(cells []workbook.Cell) bool {
	return slices.ContainsFunc(r.bands, func(c int) bool { return columns.IsNumeric(textOf(cells, c)) })
}

// textOf returns the text of a cell as it is, "" where there is no cell.
func textOf(cells []workbook.Cell, c int) string {
	if c >= len(cells) {
		return ""
	}
	return cells[c].Text
}

// isHeader reports whether a row repeats one that names the columns, as printed pages do. It looks from the
// end: there most rows have numbers.
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

// take reads a row below the header. It reports whether to go on.
func (r *rowReader) take(row workbook.Row, yield func(*Row) bool) bool {
	width := len(r.table.Columns)
	filled, first := grid.Filled(row)
	isNote := filled == 1 && row.Cells[first].Kind == workbook.Text &&
		!columns.IsNumeric(strings.TrimSpace(row.Cells[first].Text))
	isNote = isNote || r.isLine(row.Cells, filled) || r.isPair(row, filled, first)
	lacks := len(row.Cells) < width && r.end.HasValue[width-1] && (!isNote || r.lastNote == 0 || row.Number-r.lastNote > 1)
	at, list := -1, (*grid.Tally)(nil)
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
		list, at = new(grid.Tally), first
	default:
		r.takeNotes(true)
		if row.Hidden || row.Struck {
			r.mark(row, r.table.Place(row.Number, row.Line, first+1), row.Cells[first].Text)
		}
		return r.takeValues(row, yield)
	}
	list.Add(r.table.Place(row.Number, row.Line, at+1), row.Cells[at].Text)
	r.leave(r.table.position(row.Number, row.Line, at+1), row.Cells[at].Text)
	return true
}

package layout

import (
	"cmp"
	"iter"
	"slices"
	"strconv"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/layout/header"
	"sabine/dataset/importers/workbook"
)

// Options supply values that the rows of a sheet lack. With the zero value, a Scanner finds the tables.
type Options struct {
	Input  string              // name of the file
	Maps   []*columns.TableMap // maps for the tables in the sheet, in order; nil to find the tables
	Named  bool                // whether the sheet was selected by name and must contain a table in the map
	Label  string              // product in tables that name none
	Budget *Budget             // budget for the import; nil means a new one
}

// A Scanner finds the tables of a sheet.
type Scanner struct {
	sheet   *workbook.Sheet
	options Options
	next    func() (workbook.Row, bool)
	stop    func()

	buffered       []workbook.Row // buffered rows, each with its own cells
	right          []workbook.Row // rows in the blocks to the right of the current ones
	found          *header.Header // header of the table that begins the buffered rows, if known
	context        grid.Context
	last           *Table     // last table that Next returned
	tables         int        // number of tables so far
	failedSearches int        // number of rows that looked like the header of another table and were not
	looks          grid.Looks // looks of cells in rows without a header

	Likely   []string       // likeliest headers in rows without a table
	Unmapped *dataset.Fault // fault of a sheet that lacks the tables of its map; nil for any other sheet

	err  error // error that ends the sheet, until takeError returns it
	done bool  // whether there are no more tables
}

// NewScanner returns a scanner for a sheet. Call Close after use.
func NewScanner(sheet *workbook.Sheet, o Options) *Scanner {
	o.Budget = cmp.Or(o.Budget, &Budget{})
	s := &Scanner{sheet: sheet, options: o, looks: grid.Looks{}}
	s.next, s.stop = iter.Pull(func(yield func(workbook.Row) bool) { s.err = cmp.Or(sheet.Rows(yield), s.err) })
	return s
}

// Close ends reading the sheet.
func (s *Scanner) Close() { s.stop() }

// Next returns the next table in the sheet, or nil after the last one. An error ends the sheet.
func (s *Scanner) Next() (*Table, error) {
	if s.last != nil {
		s.last.Rows(func(*Row) bool { return true })
		s.last = nil
	}
	for s.err == nil && !s.done {
		h := s.found
		if s.found = nil; h == nil {
			if s.buffer(grid.BufferedRows, grid.BufferedBytes); len(s.buffered) == 0 {
				s.buffered, s.right = s.right, nil
			}
			hasAll := s.options.Maps != nil && s.tables == len(s.options.Maps)
			if s.done = len(s.buffered) == 0 || hasAll; s.err != nil || s.done {
				break
			}
			h = s.search()
		}
		if h != nil {
			if s.last = s.tableOf(h); s.err == nil {
				return s.last, nil
			}
			s.last = nil
		}
	}
	return nil, s.takeError()
}

// takeError returns the error that ended the sheet, and clears it.
func (s *Scanner) takeError() error {
	err := s.err
	s.err, s.done = nil, s.done || err != nil
	return err
}

// pull returns the next row that is not blank. Buffered rows come first.
func (s *Scanner) pull() (row workbook.Row, ok bool) {
	if len(s.buffered) > 0 {
		row, s.buffered = s.buffered[0], s.buffered[1:]
		return row, true
	}
	return s.read()
}

// read reads the next row that is not blank.
func (s *Scanner) read() (row workbook.Row, ok bool) {
	for s.err == nil {
		if row, ok = s.next(); !ok {
			break
		}
		if cell, problem := s.options.Budget.Spend(row.Cells, 0, rowCells); problem != "" {
			s.err = s.fault(grid.PositionOf(row, cell), problem)
		} else if n, _ := grid.Filled(row); n > 0 {
			return row, true
		}
	}
	return row, false
}

// buffer reads ahead, up to the given numbers of rows and bytes. It reports whether there can be more.
func (s *Scanner) buffer(rows, bytes int) bool {
	for i := 0; i < rows && bytes >= 0; i++ {
		if i == len(s.buffered) {
			row, ok := s.read()
			if !ok {
				return false
			}
			row.Cells = slices.Clone(row.Cells)
			s.buffered = append(s.buffered, row)
		}
		bytes -= textBytes(s.buffered[i].Cells) + grid.CellBytes*len(s.buffered[i].Cells)
	}
	return true
}

// bufferAll reads all rows ahead, which a transposed table needs.
func (s *Scanner) bufferAll() {
	more, widest := s.buffer(grid.TransposedRows+1, grid.TransposedBytes), 0
	for i := range s.buffered {
		widest = max(widest, len(s.buffered[i].Cells))
	}
	if s.err == nil && (more || grid.CellBytes*len(s.buffered)*widest > grid.TransposedBytes) {
		s.err = s.fault(grid.PositionOf(s.buffered[len(s.buffered)-1], 1), "transposed table exceeds the limit of "+
			strconv.Itoa(grid.TransposedRows)+" rows or "+strconv.Itoa(grid.TransposedBytes>>20)+" MiB")
	}
}

// fault returns a fault at a cell in the sheet.
func (s *Scanner) fault(at grid.Position, problem string) *dataset.Fault {
	f := grid.FaultOf(s.options.Input, s.sheet.Name, at, problem)
	return &f
}

// take removes a header's rows from the buffered rows, and sets the layout of the upright table.
func (s *Scanner) take(h *header.Header) *header.Header {
	h.Layout = columns.Across
	if s.buffered = s.buffered[h.Last+1:]; h.Long {
		h.Layout = columns.Long
	}
	return h
}

// search finds the first table in the buffered rows. If there is none, it drops the rows.
func (s *Scanner) search() *header.Header {
	if s.options.Maps != nil {
		return s.searchMapped()
	}
	if at := grid.ColumnOfKeys(s.buffered); at > 0 {
		if s.bufferAll(); s.err != nil {
			return nil
		}
		s.buffered, s.right = grid.PartColumns(s.buffered, at)
	}
	g := grid.New(s.buffered, s.sheet.Merged)
	h, plain, cost := header.Find(g), header.FindPlain(g), g.Cost
	if plain != nil && h != nil && h.Bands == 1 && !h.Long { // the value is equal to a band
		h = nil
	}
	if plain != nil && h != nil { // plain applies only if there are rows between the two headers
		if plain.Last+1 >= h.First || h.Fit < 0.5 || !h.Labelled && g.IsKeys(plain.First, h.First) {
			plain = nil
		}
	}
	if !h.IsSure() {
		end := grid.FirstBlock(s.buffered)
		transposed := grid.New(s.buffered[:end], s.sheet.Merged).Transposed()
		if h != nil && h.First >= end {
			h = nil
		}
		th := header.Find(transposed)
		cost += transposed.Cost
		isUpright := func() bool {
			return h != nil && (h.Long || h.IsCornered()) && (h.IsNamed() || s.options.Label != "" || th.Repeats())
		}
		if th.Score() > h.Score() && !isUpright() && (plain == nil || th.Labelled && th.Bands > 3 && !th.Repeats()) {
			return s.transpose()
		}
	}
	if plain != nil {
		h = plain
	}
	if h != nil {
		return s.take(h)
	}
	s.Likely = g.Likeliest()
	s.readCover(g)
	if s.options.Budget.searched += cost; s.options.Budget.searched > grid.MaxSearched {
		s.err = s.fault(grid.PositionOf(s.buffered[len(s.buffered)-1], 1),
			"no header found before the search limit was reached: select the sheet with the table")
	}
	s.buffered = nil
	return nil
}

// Company returns the company that the sheet names, or "". The result is final at the end of the sheet.
func (s *Scanner) Company() string { return s.context.Company }

// readCover reads the company from rows without a table, such as a cover sheet.
func (s *Scanner) readCover(g *grid.Grid) {
	p, named := grid.PrefaceOf(g, len(g.Rows), len(g.Rows), false, false), ""
	for _, f := range p.Pairs {
		if f.Column.Field == columns.Manufacturer {
			named = grid.InOneLine(f.Cell.Text)
		}
	}
	s.context.Company = cmp.Or(s.context.Company, named, p.Company, p.Likely)
}

// transpose returns the transposed header of the first block in the remaining rows of the sheet.
func (s *Scanner) transpose() *header.Header {
	if s.bufferAll(); s.err != nil {
		return nil
	}
	end := grid.FirstBlock(s.buffered)
	h := header.Find(grid.New(s.buffered[:end], s.sheet.Merged).Transposed())
	if s.buffered = s.buffered[end:]; h != nil {
		h.Layout = columns.Transposed
	}
	return h
}

// startsTable reports whether a row, with the notes before it, begins another table. If so, the scanner
// buffers the row and the notes again. Otherwise the row belongs to the current table.
func (s *Scanner) startsTable(notes []workbook.Row, row workbook.Row) bool {
	n := len(notes)
	s.buffered = slices.Concat(notes, []workbook.Row{row}, s.buffered)
	if s.options.Maps != nil {
		return true
	}
	s.buffer(n+4*header.MaxHeaderRows, grid.BufferedBytes)
	g := grid.New(s.buffered[:min(len(s.buffered), n+4*header.MaxHeaderRows)], s.sheet.Merged)
	h := header.Find(g)
	isNamed := func() bool { // a title can name the next data sheet
		p := h.Preface()
		return h.IsNamed() || s.isNamed() || h.IsCornered() || !h.Labelled && len(p.Name()) > 0
	}
	if h == nil || h.First > n || h.Fit < 0.5 || h.Bands < 2 && !h.Long || !isNamed() {
		h = header.FindPlain(g)
	}
	if h != nil && h.First <= n {
		s.buffer(grid.BufferedRows, grid.BufferedBytes)
		h.Grid = grid.New(s.buffered, s.sheet.Merged)
		s.found = s.take(h)
		return true
	}
	s.failedSearches++
	s.options.Budget.searched += g.Cost
	s.buffered = s.buffered[n+1:]
	return false
}

// isNamed reports whether a context row or an option names the product.
func (s *Scanner) isNamed() bool {
	return s.options.Label != "" || s.context.Facts.Has(grid.ProductFields...)
}

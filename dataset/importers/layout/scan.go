package layout

import (
	"cmp"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
)

// Options say what the rows of a sheet do not. The zero value is for sheets that say everything.
type Options struct {
	Input  string              // the name of the file
	Maps   []*columns.TableMap // of the tables of the sheet, in their order; nil: tables are found
	Named  bool                // the sheet was asked for by its name, so that it must have a table of the map
	Label  string              // the product of tables that name none
	Budget *Budget             // of the import; nil: one of its own
}

// A Scanner finds the tables of a sheet.
type Scanner struct {
	sheet   *workbook.Sheet
	options Options
	next    func() (workbook.Row, bool)
	stop    func()

	held   []workbook.Row // rows that were pulled ahead, each with cells of its own
	beside []workbook.Row // of the blocks on the right of those that are read
	found  *header        // the table that begins with them, if that is known
	said   said
	last   *Table // that Next returned
	tables int
	inVain int             // how often rows were pulled ahead that are no header
	looks  map[string]look // of the cells of such rows

	likely  []string
	foreign *dataset.Fault
	err     error // that ends the sheet
	done    bool
}

// NewScanner returns a scanner of a sheet. Close it.
func NewScanner(sheet *workbook.Sheet, o Options) *Scanner {
	o.Budget = cmp.Or(o.Budget, &Budget{})
	s := &Scanner{sheet: sheet, options: o, looks: map[string]look{}}
	s.next, s.stop = iter.Pull(func(yield func(workbook.Row) bool) { s.err = cmp.Or(sheet.Rows(yield), s.err) })
	return s
}

// Close ends the reading of the sheet.
func (s *Scanner) Close() { s.stop() }

// Likely returns the rows that are likest to name columns, where no table was found.
func (s *Scanner) Likely() []string { return s.likely }

// Foreign returns what the columns of the map are not, where the sheet has no table of it.
func (s *Scanner) Foreign() *dataset.Fault { return s.foreign }

// Next returns the next table of the sheet, nil after the last one. After an error there are no others.
func (s *Scanner) Next() (*Table, error) {
	if s.last != nil {
		s.last.Rows(func(*Row) bool { return true })
		s.last = nil
	}
	for s.err == nil && !s.done {
		b := s.found
		if s.found = nil; b == nil {
			if s.hold(heldRows, heldBytes); len(s.held) == 0 {
				s.held, s.beside = s.beside, nil
			}
			if s.done = len(s.held) == 0 || s.options.Maps != nil && s.tables == len(s.options.Maps); s.err != nil || s.done {
				break
			}
			b = s.search()
		}
		if b != nil {
			if s.last = s.tableOf(b); s.err == nil {
				return s.last, nil
			}
			s.last = nil
		}
	}
	return nil, s.takeError()
}

// takeError returns the error that ends the sheet, once.
func (s *Scanner) takeError() error {
	err := s.err
	s.err, s.done = nil, s.done || err != nil
	return err
}

// pull returns the next row that is not blank.
func (s *Scanner) pull() (row workbook.Row, ok bool) {
	if len(s.held) > 0 {
		row, s.held = s.held[0], s.held[1:]
		return row, true
	}
	for s.err == nil {
		if row, ok = s.next(); !ok {
			break
		}
		if cell, problem := s.options.Budget.Spend(row.Cells, 0, rowCells); problem != "" {
			s.err = s.fault(position{row.Number, row.Line, cell}, problem)
		} else if n, _ := filled(row); n > 0 {
			return row, true
		}
	}
	return row, false
}

// hold pulls rows ahead until so many rows or bytes are held. It reports whether there may be more.
func (s *Scanner) hold(rows, bytes int) bool {
	held := s.held
	s.held = nil
	for i := 0; i < rows && bytes >= 0; i++ {
		if i == len(held) {
			row, ok := s.pull()
			if !ok {
				s.held = held
				return false
			}
			row.Cells = slices.Clone(row.Cells)
			held = append(held, row)
		}
		bytes -= textBytes(held[i].Cells) + heldCell*len(held[i].Cells)
	}
	s.held = held
	return true
}

// holdAll pulls all rows ahead, as a transposed table needs them all.
func (s *Scanner) holdAll() {
	more, widest := s.hold(transposedRows+1, transposedBytes), 0
	for i := range s.held {
		widest = max(widest, len(s.held[i].Cells))
	}
	if s.err == nil && (more || heldCell*len(s.held)*widest > transposedBytes) {
		last := s.held[len(s.held)-1]
		s.err = s.fault(position{last.Number, last.Line, 1}, "a table with its bands downwards that is longer than "+
			strconv.Itoa(transposedRows)+" rows or "+strconv.Itoa(transposedBytes>>20)+" MiB")
	}
}

// tableOf makes the table of a block; nil where there is an error.
func (s *Scanner) tableOf(h *header) *Table {
	r := &resolver{sheet: s.sheet, input: s.options.Input, name: s.options.Label, said: &s.said, grid: h.grid, header: h}
	r.resolve()
	s.tables++
	if s.options.Budget.tables++; s.options.Budget.Full() {
		r.fail(0, "", "more than "+strconv.Itoa(maxTables)+" tables: what follows is not read")
	}
	if s.err = r.err; s.err != nil {
		return nil
	}
	file := filepath.Base(s.options.Input)
	t := &Table{
		Input: s.options.Input, Sheet: s.sheet.Name, Layout: h.layout, Map: h.fits, Columns: r.cols,
		Title: s.said.title.Measurand, Company: s.said.company, SheetName: columns.MeasurandOf(s.sheet.Name),
		FileName:     columns.MeasurandOf(strings.TrimSuffix(file, filepath.Ext(file))),
		DecimalComma: h.hasDecimalComma(), Ours: has(r.cols, columns.Empty),
		Long: has(r.cols, columns.Frequency) && has(r.cols, columns.Coefficient),
	}
	for row := h.first; row <= h.last; row++ {
		t.Header = append(t.Header, h.grid.rows[row].Number)
	}
	for c := range r.cols {
		t.places = append(t.places, h.at(c))
	}
	var comments tally
	for _, c := range s.sheet.Comments {
		if s.tables == 1 {
			comments.add(s.place(position{c.Row, 0, c.Column}), c.Text)
		}
	}
	t.reader = newRowReader(t, s, r)
	t.reader.end.Warnings = slices.Concat(r.warnings, comments.warning("comments of cells are not read"))
	return t
}

// place returns the place of a cell of the sheet.
func (s *Scanner) place(at position) dataset.Place { return placeOf(s.options.Input, s.sheet.Name, at) }

// fault returns the fault of a cell of the sheet.
func (s *Scanner) fault(at position, problem string) *dataset.Fault {
	f := faultOf(s.options.Input, s.sheet.Name, at, problem)
	return &f
}

// take takes the rows of a header from the rows that are held.
func (s *Scanner) take(h *header) *header {
	h.layout = columns.Across
	if s.held = s.held[h.last+1:]; h.long {
		h.layout = columns.Long
	}
	return h
}

// search finds the first table in the rows that are held. Where there is none, it drops the rows.
func (s *Scanner) search() *header {
	if s.options.Maps != nil {
		return s.searchMapped()
	}
	if at := columnOfKeys(s.held); at > 0 {
		if s.holdAll(); s.err != nil {
			return nil
		}
		s.held, s.beside = partColumns(s.held, at)
	}
	g := newGrid(s.held, s.sheet.Merged)
	h, plain, cost := find(g), findPlain(g), g.cost
	if plain != nil && h != nil && h.bands == 1 && !h.long { // a value that happens to be a band
		h = nil
	}
	if plain != nil && h != nil && (plain.last+1 >= h.first || h.fit < 0.5 || !h.labelled && g.isKeys(plain.first, h.first)) { // no rows between them
		plain = nil
	}
	if !h.isSure() {
		block, rest := firstBlock(s.held)
		turned := g.transposed()
		if len(rest) > 0 {
			if turned = newGrid(block, s.sheet.Merged).transposed(); h != nil && h.first >= len(block) {
				h = nil
			}
		}
		th := find(turned)
		cost += turned.cost
		isTurned := th != nil && th.score() > h.score() && (h == nil || !h.long && !h.isCornered() || !h.isNamed() && s.options.Label == "" && !th.repeats())
		if isTurned && (plain == nil || th.labelled && th.bands > 3 && !th.repeats()) {
			return s.turn()
		}
	}
	if plain != nil {
		h = plain
	}
	if h != nil {
		return s.take(h)
	}
	s.likely = g.likeliest()
	s.readCover(g)
	last := s.held[len(s.held)-1]
	s.held = nil
	if s.options.Budget.searched += cost; s.options.Budget.searched > maxSearched {
		s.err = s.fault(position{last.Number, last.Line, 1},
			"no header in the cells up to here, and too many to search further: "+
				"name the sheet that has the table")
	}
	return nil
}

// Company returns the company that the sheet names, "" for none. It is known at the end of the sheet.
func (s *Scanner) Company() string { return s.said.company }

// readCover reads which company rows without a table name, as a cover sheet does.
func (s *Scanner) readCover(g *grid) {
	p := prefaceOf(g, len(g.rows), len(g.rows), false, false)
	named := ""
	for _, f := range p.pairs {
		if f.Column.Field == columns.Manufacturer {
			named = inOneLine(f.Cell.Text)
		}
	}
	s.said.company = cmp.Or(s.said.company, named, p.company, p.likely)
}

// turn returns the first block of the rows to the end of the sheet, whose bands are downwards.
func (s *Scanner) turn() *header {
	if s.holdAll(); s.err != nil {
		return nil
	}
	rows, rest := firstBlock(s.held)
	turned := newGrid(rows, s.sheet.Merged).transposed()
	h := find(turned)
	if h == nil && len(rest) > 0 { // the block is no table without the others
		rest, turned = nil, newGrid(s.held, s.sheet.Merged).transposed()
		h = find(turned)
	}
	if s.held = rest; h == nil {
		return nil
	}
	h.layout = columns.Transposed
	return h
}

// startsTable reports whether a row and the notes before it begin another table than the one that is read.
// Where they do, the scanner has them again; else the row is to be read.
func (s *Scanner) startsTable(notes []workbook.Row, row workbook.Row) bool {
	n := len(notes)
	s.held = slices.Concat(notes, []workbook.Row{row}, s.held)
	if s.options.Maps != nil {
		return true
	}
	s.hold(n+4*maxHeaderRows, heldBytes)
	g := newGrid(s.held[:min(len(s.held), n+4*maxHeaderRows)], s.sheet.Merged)
	h := find(g)
	isTitled := false // the next data sheet
	if h != nil && !h.labelled {
		p := h.preface()
		isTitled = len(p.name()) > 0
	}
	if h == nil || h.first > n || !h.isNamed() && !s.isNamed() && !h.isCornered() && !isTitled || h.fit < 0.5 || h.bands < 2 && !h.long {
		h = findPlain(g)
	}
	if h != nil && h.first <= n {
		s.hold(heldRows, heldBytes)
		h.grid = newGrid(s.held, s.sheet.Merged)
		s.found = s.take(h)
		return true
	}
	s.inVain++
	s.options.Budget.searched += g.cost
	s.held = s.held[n+1:]
	return false
}

// isNamed reports whether a context row or the options name the product.
func (s *Scanner) isNamed() bool { return s.options.Label != "" || s.said.facts.has(productFields...) }

// look returns what a text looks like, and keeps the looks of some.
func (s *Scanner) look(text string) look {
	l, ok := s.looks[text]
	if !ok {
		if len(s.looks) >= 4096 {
			clear(s.looks)
		}
		l = lookOf(text)
		s.looks[strings.Clone(text)] = l
	}
	return l
}

// searchMapped finds the header of the next table of the map among the rows that are held.
func (s *Scanner) searchMapped() *header {
	m := s.options.Maps[s.tables]
	g := newGrid(s.held, s.sheet.Merged)
	if m.Layout == columns.Transposed {
		if s.holdAll(); s.err != nil {
			return nil
		}
		g = newGrid(s.held, s.sheet.Merged).transposed()
	}
	h, found, moved := mapped(g, m)
	lacks := ""
	if found < len(m.Columns) {
		fault := &dataset.Fault{Place: dataset.Place{Input: s.options.Input, Cell: s.sheet.Name, Index: -1, Offset: -1},
			Problem: misfit(m, h, found)}
		switch {
		case found == 0 && !s.options.Named && m.Sheet == "" && s.tables == 0:
			s.foreign, s.done = fault, true
			return nil
		case !moved:
			s.err = fault
			return nil
		}
		lacks = fault.Problem
	}
	if s.held = s.held[min(len(s.held), h.last+1):]; m.Layout == columns.Transposed {
		s.held = nil
	}
	h.layout, h.fits, h.lacks = m.Layout, m, lacks
	return h
}

// startsMapped reports whether a row has the names of half of the columns of a map, or their first or last
// words.
func startsMapped(m *columns.TableMap, cells []workbook.Cell) bool {
	texts, found := map[string]bool{}, 0
	for i := range cells {
		texts[inOneLine(cells[i].Text)] = true
	}
	for _, c := range m.Columns {
		is := texts[c.Header]
		for i := 1; i < len(c.Header)-1 && !is; i++ {
			is = c.Header[i] == ' ' && (texts[c.Header[:i]] || texts[c.Header[i+1:]])
		}
		if is {
			found++
		}
	}
	return 2*found >= len(m.Columns)
}

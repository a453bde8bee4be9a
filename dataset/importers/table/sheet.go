package table

import (
	"cmp"
	"slices"
	"strconv"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
)

// A sheetReader finds the tables of a sheet, and has their rows read.
type sheetReader struct {
	*importing
	input string
	sheet *workbook.Sheet

	preface preface
	held    grid           // the rows in which a table is searched
	table   *tableReader   // the one that is read; while rows are held, the one that may go on
	turned  bool           // the table is transposed, so that all rows are held
	between []workbook.Row // the notes before the row at hand, which may be groups of the header of the next table
	looks   map[string]look

	maps    []*MappedTable // those of the tables that are still to come; nil: they are found
	mapped  *MappedTable   // that of the table that is read, if any
	foreign *dataset.Fault // the sheet has no table of the map

	tables, rows int
	inVain       int      // how often rows were held that are no header of another table
	likely       []string // where no table was found: the rows that are likest to name columns
	err          error
}

// readSheet reads the tables of a sheet to readings, and hands them to the products. The maps say where they are, if there are any.
func (im *importing) readSheet(input string, s *workbook.Sheet, maps []*MappedTable) (*sheetReader, error) {
	r := &sheetReader{importing: im, input: input, sheet: s, looks: map[string]look{}, maps: maps}
	r.held.merged = s.Merged
	err := s.Rows(func(row workbook.Row) bool {
		if r.spend(row.Cells, 0, rowCells, func(cell int) dataset.Place { return workbook.PlaceOf(input, s.Name, row, cell) }) && !blank(row) {
			r.take(row)
		}
		return r.err == nil && r.foreign == nil && r.tooMuch == nil
	})
	r.err = cmp.Or(r.err, err)
	for r.err == nil && r.foreign == nil && len(r.held.rows) > 0 {
		r.settle(true)
	}
	if r.err == nil && r.tooMuch != nil {
		r.err = r.tooMuch
	}
	r.endTable()
	return r, r.err
}

// take takes the next row that is not blank.
func (r *sheetReader) take(row workbook.Row) {
	switch {
	case r.table == nil || len(r.held.rows) > 0:
		r.held.add(row)
		if r.turned && (len(r.held.rows) > transposedRows || max(r.held.bytes, heldCell*len(r.held.rows)*r.held.widest) > transposedBytes) {
			r.err = &dataset.Fault{Place: workbook.PlaceOf(r.input, r.sheet.Name, row, 1), Problem: "a table with its bands downwards that is longer than " +
				strconv.Itoa(transposedRows) + " rows or " + strconv.Itoa(transposedBytes>>20) + " MiB"}
		} else if !r.turned && (len(r.held.rows) >= r.enough() || r.held.bytes > heldBytes) {
			r.settle(false)
		}
	case r.mayBegin(row):
		for _, note := range r.between {
			r.held.add(note)
		}
		r.held.add(row)
	default:
		r.read(row)
	}
}

// enough is how many rows are held to find a table in them: below another one, it begins where it seems to, or not at all.
func (r *sheetReader) enough() int {
	if r.table != nil && r.maps == nil {
		return len(r.between) + 4*maxHeaderRows
	}
	return heldRows
}

// read has a row of the table read.
func (r *sheetReader) read(row workbook.Row) {
	unused := len(r.table.account.Unused)
	r.table.read(row)
	if len(r.table.account.Unused) == unused {
		r.between = r.between[:0]
		return
	}
	row.Cells = slices.Clone(row.Cells)
	r.between = append(r.between, row)
	if len(r.between) > maxHeaderRows-1 {
		r.between = slices.Delete(r.between, 0, 1)
	}
}

// mayBegin reports whether a row may belong to the header of another table.
func (r *sheetReader) mayBegin(row workbook.Row) bool {
	t := r.table
	if t.layout == Transposed || t.isPlain(row.Cells) || t.isHeader(row.Cells) {
		return false
	}
	if r.maps != nil {
		return len(r.maps) > 0 && r.maps[0].begins(row.Cells)
	}
	if r.inVain > maxInVain || r.searched > maxSearched || alone(row.Cells) {
		return false
	}
	product, bands := false, false
	for i := range row.Cells {
		text := inOneLine(row.Cells[i].Text)
		switch r.look(text) {
		case isNumber:
			return false
		case isField:
			c := columnOf(text)
			product = product || isProductField(c.Field)
		case isBand, isGroup:
			bands = true
		}
	}
	return product && bands
}

// alone reports whether a row has one value at most: a note, whose look is not worth the while.
func alone(cells []workbook.Cell) bool {
	filled := 0
	for i := range cells {
		if cells[i].Text != "" {
			filled++
		}
	}
	return filled <= 1
}

// maxInVain bounds the rows of values that look like names: a sheet with more of them has no other tables.
const maxInVain = 1000

// maxSearched bounds the search for headers in the rows of all sheets that have none, as grid.cost counts it: names are read slowly.
const maxSearched = 4 << 20

// maxLooks bounds the texts whose look is kept.
const maxLooks = 4096

func (r *sheetReader) look(text string) look {
	l, ok := r.looks[text]
	if !ok {
		if len(r.looks) >= maxLooks {
			clear(r.looks)
		}
		l = lookOf(text)
		r.looks[text] = l
	}
	return l
}

// isPlain reports whether a row has a number that names no band where coefficients stand, as nearly all do.
func (t *tableReader) isPlain(cells []workbook.Cell) bool {
	for _, c := range t.bands {
		if c >= len(cells) || cells[c].Text == "" {
			continue
		}
		value, ok := plainNumber(cells[c].Text)
		if !ok {
			continue
		}
		if t.layout == Long || value < lowestHz || !isOurBand(value) {
			return true
		}
	}
	return false
}

// settle finds the header of a table in the rows that are held, and has the rows below it read. At the end of the sheet no more rows will come.
func (r *sheetReader) settle(atEnd bool) {
	if r.maps != nil {
		r.settleMapped(atEnd)
		return
	}
	held := r.held
	g := &held
	g.read()
	h, layout := g.find(), Across
	cost := g.cost
	if r.table != nil {
		if h == nil || h.first > len(r.between) || !h.labelled || h.fit < 0.5 || h.bands < 2 && !h.long {
			r.resume(*g)
			return
		}
		r.recall()
		r.endTable()
	} else if !h.isSure() {
		turned := g.transposed()
		turned.read()
		th := turned.find()
		cost += turned.cost
		if th != nil && (r.turned || th.score() > h.score() && (h == nil || !h.long || !h.labelled && !th.repeats())) {
			if r.turned = !atEnd; r.turned {
				return
			}
			g, h, layout = turned, th, Transposed
		}
	}
	if h != nil && h.long {
		layout = Long
	}
	r.held, r.between, r.turned = grid{merged: r.sheet.Merged}, nil, false
	if h == nil {
		r.likely = g.likeliest()
		if r.searched += cost; r.searched > maxSearched {
			r.err = &dataset.Fault{Place: workbook.PlaceOf(r.input, r.sheet.Name, held.rows[len(held.rows)-1], 1),
				Problem: "no header in the cells up to here, and too many to search further: name the sheet that has the table"}
		}
		return
	}
	r.readBelow(g, h, layout)
}

// readBelow begins a table, and has the rows that are held below its header read.
func (r *sheetReader) readBelow(g *grid, h *header, layout Layout) {
	if layout == Transposed {
		if r.err = g.cut(r.input, r.sheet.Name); r.err != nil {
			return
		}
	}
	if r.begin(g, h, layout); r.err != nil {
		return
	}
	for _, row := range g.rows[h.last+1:] {
		if layout == Transposed {
			r.table.read(row)
		} else {
			r.take(row)
		}
	}
}

// resume reads rows that were held, and are no header of another table, as rows of the table that they follow.
func (r *sheetReader) resume(g grid) {
	r.inVain++
	r.searched += g.cost
	before := len(r.between)
	r.held, r.between = grid{merged: r.sheet.Merged}, nil
	r.read(g.rows[before])
	for _, row := range g.rows[before+1:] {
		r.take(row)
	}
}

// recall takes back that the rows before the one at hand are notes: they are lines above another table.
func (r *sheetReader) recall() {
	if t := r.table; t != nil {
		t.left -= len(r.between)
		t.account.Unused = t.account.Unused[:min(len(t.account.Unused), t.titles+t.left)]
	}
}

// endTable ends the table that was read, if any.
func (r *sheetReader) endTable() {
	if r.table == nil {
		return
	}
	faults, warnings := r.table.mixedUnits()
	faults = append(faults, r.table.shares.faults()...)
	for _, warning := range warnings {
		r.Warn(warning)
	}
	if r.table.cut != nil {
		faults = append(faults, *r.table.cut)
	}
	for i := range faults {
		if r.err == nil {
			r.err = r.yieldFault(&faults[i])
		}
	}
	account := r.table.end()
	r.rows += account.Rows
	if r.Told != nil {
		r.Told.Tables = append(r.Told.Tables, account)
	}
	r.table = nil
}

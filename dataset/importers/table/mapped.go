package table

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/nearest"
)

// settleMapped finds, in the rows that are held, the header of the next table of the map, and has the rows below it read. At the end of the sheet
// no more rows will come.
func (r *sheetReader) settleMapped(atEnd bool) {
	m := r.maps[0]
	if r.turned = m.Layout == Transposed && !atEnd; r.turned {
		return
	}
	g := r.held
	if m.Layout == Transposed {
		g = *g.transposed()
	}
	g.read()
	h, found := g.mapped(m)
	if fault := r.misfit(m, h, found); fault != nil && found == 0 && m.Sheet == "" && r.tables == 0 {
		r.foreign = fault
		return
	} else if fault != nil {
		r.err = fault
		return
	}
	r.recall()
	r.endTable()
	r.held, r.between, r.maps, r.mapped = grid{merged: r.sheet.Merged}, nil, r.maps[1:], m
	r.readBelow(&g, h, m.Layout)
}

// begins reports whether a row has parts of the names of half of the columns.
func (m *MappedTable) begins(cells []workbook.Cell) bool {
	texts, found := map[string]bool{}, 0
	for _, cell := range cells {
		texts[inOneLine(cell.Text)] = true
	}
	for _, c := range m.Columns {
		if isPartly(c.Header, texts) {
			found++
		}
	}
	return 2*found >= len(m.Columns)
}

// isPartly reports whether a name, its first words or its last words are among some texts.
func isPartly(name string, texts map[string]bool) bool {
	if texts[name] {
		return true
	}
	for i := range len(name) {
		if name[i] == ' ' && (i > 0 && texts[name[:i]] || i < len(name)-1 && texts[name[i+1:]]) {
			return true
		}
	}
	return false
}

// mapped returns the header that a map says, and how many of the map's columns it has: in the rows that it says or, since lines are inserted above
// tables, in others that have all of its columns. It is nil where the grid has no such rows.
func (g *grid) mapped(m *MappedTable) (best *header, most int) {
	first, last := g.index(m.Header[0]), g.index(m.Header[len(m.Header)-1])
	if best, most = g.given(m, first, last); most == len(m.Columns) {
		return best, most
	}
	for first := range g.rows {
		if h, found := g.given(m, first, first+len(m.Header)-1); found == len(m.Columns) {
			return h, found
		}
	}
	return best, most
}

// given returns the header that some rows are, whatever they look like, and how many columns of a map it has. The last row may have units.
func (g *grid) given(m *MappedTable, first, last int) (best *header, most int) {
	if last >= len(g.rows) {
		return nil, 0
	}
	for leaf := last; leaf >= max(first, last-1); leaf-- {
		h := &header{first: first, leaf: leaf, last: last, given: true}
		g.join(h)
		found, headers := 0, h.names()
		for _, c := range m.Columns {
			if headers[c.Header] {
				found++
			}
		}
		if best == nil || found > most {
			best, most = h, found
		}
	}
	return best, most
}

// names returns the names of the columns.
func (h *header) names() map[string]bool {
	names := make(map[string]bool, len(h.columns))
	for i := range h.columns {
		names[h.columns[i].Header] = true
	}
	return names
}

// maxMisfits is how many columns a message names that the table lacks, and how many that the map lacks.
const maxMisfits = 10

// misfit returns the fault of a table that lacks columns of its map.
func (r *sheetReader) misfit(m *MappedTable, h *header, found int) *dataset.Fault {
	what := "row "
	if m.Layout == Transposed {
		what = "column "
	}
	var rows []string
	for _, row := range m.Header {
		rows = append(rows, strconv.Itoa(row))
	}
	if len(rows) > 1 {
		what = what[:len(what)-1] + "s "
	}
	fault := &dataset.Fault{Place: dataset.Place{Input: r.input, Cell: r.sheet.Name, Index: -1, Offset: -1},
		Problem: "expected the columns of the map in " + what + strings.Join(rows, ", ") + ", got "}
	if found == 0 {
		fault.Problem += "none of them"
		return fault
	}
	names := h.names()
	headers := slices.Sorted(maps.Keys(names))
	var missing []string
	for _, c := range m.Columns {
		if names[c.Header] {
			continue
		}
		text := dataset.Quoted(c.Header)
		if len(missing) == maxMisfits {
			missing = append(missing, "and others")
			break
		}
		if near := nearest.Name(c.Header, headers); near != "" {
			text += " (the nearest is " + dataset.Quoted(near) + ")"
		}
		missing = append(missing, text)
	}
	if len(missing) == 0 {
		return nil
	}
	fault.Problem += "none called " + strings.Join(missing, ", ")
	var others []string
	for i := range h.columns {
		header := h.columns[i].Header
		if _, known := m.is(header); !known && header != "" && len(others) < maxMisfits {
			others = append(others, dataset.Quoted(header))
		}
	}
	if len(others) > 0 {
		fault.Problem += "; the table has beside those of the map " + strings.Join(others, ", ")
	}
	return fault
}

// columnOf returns what the map says of a column; one that it does not have goes to structured_meta.
func (m *MappedTable) columnOf(header string) Column {
	is, _ := m.is(header)
	if named := columnOf(header); is == MapMeta && named.Field == FieldMeta {
		return named
	}
	c, err := parseColumn(is)
	if err != nil || is == MapMeta {
		c = Column{}
	}
	c.Header = header
	return c
}

// isWish reports whether the table's map has a column: then it is no news what becomes of it.
func (t *tableReader) isWish(c *Column) bool {
	if t.mapped == nil {
		return false
	}
	_, ok := t.mapped.is(c.Header)
	return ok
}

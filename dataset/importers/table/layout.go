package table

import (
	"cmp"
	"slices"
	"strings"
)

// A header is the rows of a grid that name the columns of a table.
type header struct {
	first, leaf, last int      // rows of the grid: groups begin, names end, units end
	columns           []Column // of its table
	cells             []int    // for each column, the row that has the lowest part of its name
	groups            []string // for each column, what stands above its name
	labelled          bool     // a column says which product a row is of
	long              bool     // a row is of one band
	given             bool     // its rows are not in question: a map says them, or they were found
	bands             int      // columns of coefficients
	fit               float64  // the share of the cells below that may be what their column says
}

// maxHeaderRows is how many rows name the columns of one table.
const maxHeaderRows = 3

// maxHeaderBytes is how long the names of all columns may be together: a title that is merged over 16,384 of them is part of each.
const maxHeaderBytes = 1 << 20

// find returns the header of the first table of the grid; of those that are doubtful the best one, and nil when there is none or the search
// is too long.
func (g *grid) find() (best *header) {
	for leaf := range g.rows {
		if g.cost > maxSearched {
			return nil
		}
		bands := false // rows without any are not worth the reading of their names
		for first := leaf; first >= max(0, leaf-maxHeaderRows+1); first-- {
			names, some := g.mayName(first)
			if bands = bands || some; !names {
				break
			} else if !bands {
				continue
			}
			h := &header{first: first, leaf: leaf, last: leaf}
			if !g.join(h) {
				continue
			}
			g.extend(h)
			if h.labelled && h.fit >= 0.5 {
				return h
			}
			if h.score() > best.score() {
				best = h
			}
			break
		}
	}
	return best
}

// mayName reports whether a row may name columns: it has something that does, and no number that is none of a frequency in Hz, or in kHz beside
// the name of a field; and whether one of them may be of coefficients.
func (g *grid) mayName(row int) (names, bands bool) {
	fields, kilo, others := false, 0, false
	for c := range g.texts[row] {
		switch l := g.look(row, c); l {
		case isNumber, isOff, isBand:
			if value, ok := plainNumber(g.text(row, c)); ok && isOurBand(value*1000) {
				kilo++
			} else {
				others = others || l == isNumber
			}
			bands = bands || l != isNumber
			names = names || l == isBand
		case isField:
			names, fields = true, true
		case isGroup:
			names, bands = true, true
		}
	}
	if kilo >= 3 && fields {
		return !others, !others
	}
	return names && !others && kilo == 0, bands
}

// join reads the names of the columns. It is false when they are no table's, or one of the rows is rather a row of values: such has something
// other than a unit below the name of a field.
func (g *grid) join(h *header) bool {
	rows := make([][]string, 0, maxHeaderRows+1)
	for row := h.first; row <= h.last; row++ {
		rows = append(rows, g.names(row, h))
	}
	h.columns, h.cells, h.groups = nil, nil, nil
	off, size := 0, 0
	for c := range g.widthOf(h.first, h.last) {
		var parts, above []string
		at, named := h.leaf, false
		for i, names := range rows {
			if c >= len(names) || names[c] == "" || slices.Contains(parts, names[c]) {
				continue
			}
			l := g.lookOf(names[c])
			if named && l != isUnit && l != isField && !h.given {
				if joined := columnOf(strings.Join(append(parts, names[c]), " ")); !joined.known() {
					return false
				}
			}
			if h.first+i <= h.leaf {
				named = named || l == isField
				at = h.first + i
			}
			if !isDash(names[c]) {
				parts = append(parts, names[c])
			}
			if h.first+i < h.leaf {
				above = append(above, names[c])
			}
		}
		name := 0
		for _, part := range parts {
			name += len(part)
		}
		g.cost += 16 + (1+len(parts))*name
		if size += name; size > maxHeaderBytes {
			return false
		}
		column := columnOfParts(parts)
		h.columns, h.cells, h.groups = append(h.columns, column), append(h.cells, at), append(h.groups, strings.Join(above, " "))
		if column.BandHz == 0 && len(parts) > 0 && g.lookOf(parts[len(parts)-1]) == isOff {
			off++
		}
	}
	settleColumns(h.columns)
	h.judge(g)
	return off <= h.bands && (h.bands > 0 || h.long)
}

// names returns what a row of a header says of each column. In a row of groups a blank cell over a band says what the nearest cell on its left
// does, as many leave the cells behind the first one of a group blank; where the row has merged cells, those say how far a group goes.
func (g *grid) names(row int, h *header) []string {
	names := slices.Clone(g.texts[row])
	if missing := len(g.texts[h.leaf]) - len(names); missing > 0 {
		names = append(names, make([]string, missing)...)
	}
	switch {
	case row >= h.leaf:
		return names
	case g.isTitle(row, h):
		return nil
	case g.across[row]:
		return names
	}
	group := ""
	for c := range g.texts[h.leaf] {
		if l := g.look(h.leaf, c); l != isBand && l != isOff {
			group = ""
			continue
		}
		group = cmp.Or(names[c], group)
		names[c] = group
	}
	return names
}

func (g *grid) widthOf(first, last int) (n int) {
	for row := first; row <= last; row++ {
		n = max(n, len(g.texts[row]))
	}
	return max(n, len(g.texts[last]))
}

// isTitle reports whether the merged or only cell of a row stands over columns of all kinds, so that it is no part of their names.
func (g *grid) isTitle(row int, h *header) bool {
	text, bands, others := "", false, false
	for c, here := range g.texts[row] {
		if here == "" {
			continue
		}
		if text != "" && here != text {
			return false
		}
		text = here
		switch l := g.look(h.leaf, c); {
		case l == isBand || l == isOff || l == isGroup:
			bands = true
		case l != isBlank:
			others = true
		}
	}
	return others && (bands || g.filled(row) == 1)
}

// filled is the number of cells of a row that have a text of their own.
func (g *grid) filled(row int) (n int) {
	for i := range g.rows[row].Cells {
		if strings.TrimSpace(g.rows[row].Cells[i].Text) != "" {
			n++
		}
	}
	return n
}

// columnOfParts reads a column's name of several rows: all of it, or else the longest part of it that is known. What stands above a band says
// of what quantity its coefficients are.
func columnOfParts(parts []string) Column {
	joined := strings.Join(parts, " ")
	c := columnOf(joined)
	if isSettled(&c) || len(parts) < 2 {
		return c
	}
	best, from, to := c, 0, len(parts)
search:
	for length := len(parts) - 1; length > 0; length-- {
		for i := len(parts) - length; i >= 0; i-- {
			part := columnOf(strings.Join(parts[i:i+length], " "))
			if isSettled(&part) {
				best, from, to = part, i, i+length
				break search
			}
			if part.known() && !best.known() {
				best, from, to = part, i, i+length
			}
		}
	}
	best.Header = joined
	for _, part := range slices.Concat(parts[:from], parts[to:]) {
		best.takeGroup(part)
	}
	return best
}

// isSettled reports whether a name says all of a column: what names a quantity alone may stand above a band.
func isSettled(c *Column) bool { return c.BandHz > 0 || c.StrayHz > 0 || c.known() && !isAxis(c.Field) }

// isAxis reports whether a field is one of a table that has a row a band, whose names are those of groups in other tables.
func isAxis(f Field) bool { return f == FieldFrequency || f == FieldCoefficient || f == FieldQuantity }

// takeGroup gives a column what the name of its group says.
func (c *Column) takeGroup(name string) {
	if above := columnOf(name); above.Field == FieldManufacturer && c.Field == FieldLabel {
		c.Field = FieldManufacturer
	}
	if c.BandHz == 0 && c.StrayHz == 0 && c.Field != FieldCoefficient {
		return
	}
	if c.Quantity == "" && isOther(name) {
		*c = Column{Header: c.Header}
		return
	}
	quantity, resolution := quantityOf(name)
	c.Quantity, c.Resolution = cmp.Or(c.Quantity, quantity), cmp.Or(c.Resolution, resolution)
	c.Percent = c.Percent || strings.Contains(name, "%")
}

// extend takes rows above that name groups, and one below that has units.
func (g *grid) extend(h *header) {
	plain := *h
	for h.first > 0 && h.leaf-h.first+1 < maxHeaderRows && g.isGroupRow(h.first-1, h) {
		h.first--
	}
	if h.last+1 < len(g.rows) && g.isUnitRow(h.last+1, h) {
		h.last++
	}
	if h.given = true; !g.join(h) {
		*h = plain
	}
}

// isGroupRow reports whether a row above a header says what groups of its columns are: it has such words over bands, or merged cells over
// some columns and not over all, or words over bands and names of fields beside.
func (g *grid) isGroupRow(row int, h *header) bool {
	if g.rows[h.first].Number-g.rows[row].Number > 1 || g.isTitle(row, h) {
		return false
	}
	for c := range g.texts[row] {
		if c < len(h.columns) && (h.columns[c].BandHz > 0 || h.long) && (g.look(row, c) == isGroup || g.look(row, c) == isText && (h.repeats() || g.across[row] || g.namesBlanks(row, h))) {
			return g.allNames(row)
		}
	}
	return false
}

// namesBlanks reports whether a row above a header names fields over columns that the header leaves blank, as merged cells do where they are lost.
func (g *grid) namesBlanks(row int, h *header) bool {
	for c := range g.texts[row] {
		if c < len(h.columns) && h.columns[c].Header == "" && g.look(row, c) == isField {
			return true
		}
	}
	return false
}

// allNames reports whether a row has no number.
func (g *grid) allNames(row int) bool {
	for c := range g.texts[row] {
		if l := g.look(row, c); l == isNumber || l == isOff {
			return false
		}
	}
	return true
}

// isUnitRow reports whether a row below a header has units, or quantities below bands, and nothing else.
func (g *grid) isUnitRow(row int, h *header) bool {
	found := false
	for c := range g.texts[row] {
		switch l := g.look(row, c); {
		case l == isBlank:
		case l == isUnit && g.text(row, c) != "1":
			found = found || !isDash(g.text(row, c))
		case l == isUnit:
		case l == isGroup && c < len(h.columns) && h.columns[c].BandHz > 0:
			found = true
		default:
			return false
		}
	}
	return found
}

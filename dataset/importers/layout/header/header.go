package header

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
)

// A Header is the rows of a grid that name the columns of a table, which begins with them.
type Header struct {
	First, leaf, Last int              // rows of the grid: groups begin, names end, units end
	Columns           []columns.Column // of its table
	cells             []int            // for each column, the row that has the lowest part of its name
	groups            []string         // for each column, the text above its name
	Labelled          bool             // a column says which product a row is of
	Long              bool             // a row is of one band
	plain             bool             // it has no bands
	given             bool             // its rows are not in question: a map says them, or they were found
	Bands             int              // columns of coefficients
	Fit               float64          // the share of the cells below that may be what their column says

	Grid   *grid.Grid
	Layout columns.Layout
	Fits   *columns.TableMap // nil: the header was found
	Lacks  string            // what the table lacks of its map
}

const (
	// MaxHeaderRows is how many rows name the columns of one table.
	MaxHeaderRows  = 3
	maxHeaderBytes = 1 << 20 // of all names: a title that is merged over 16,384 columns is part of each name
)

// Find returns the header of the first table of the grid; of those that are doubtful the best one. It is nil
// when there is none or the search is too long.
func Find(g *grid.Grid) (best *Header) {
	for leaf := 0; leaf < len(g.Rows) && g.Cost <= grid.MaxSearched; leaf++ {
		bands := false // rows without any are not worth the reading of their names
		for first := leaf; first >= max(0, leaf-MaxHeaderRows+1); first-- {
			names, some := g.MayName(first)
			if bands = bands || some; !names {
				break
			}
			h := &Header{First: first, leaf: leaf, Last: leaf, Grid: g}
			if !bands || !h.join() {
				continue
			}
			h.extend()
			if h.Fit >= 0.5 && (h.Labelled || h.IsCornered() || h.Long && g.Sheet == nil && h.IsNamed()) {
				return h
			}
			if h.Score() > best.Score() {
				best = h
			}
			break
		}
	}
	if g.Cost > grid.MaxSearched {
		return nil
	}
	return best
}

// FindPlain returns the first header without bands: names of fields, one of them of a product, nothing that
// is a value, and below it a row of two cells or more that is none of these.
func FindPlain(g *grid.Grid) *Header {
	for row := 0; row < len(g.Rows)-1 && g.Cost <= grid.MaxSearched; row++ {
		if n, _ := grid.Filled(g.Rows[row+1]); n < 2 || !g.IsPlain(row) || g.IsPlain(row+1) {
			continue
		}
		h := &Header{First: row, leaf: row, Last: row, plain: true, Grid: g}
		if h.extend(); h.Labelled && h.Last+1 < len(g.Rows) {
			return h
		}
	}
	return nil
}

// join reads the names of the columns. It is false when they are no table's, or one of the rows is rather a
// row of values.
func (h *Header) join() bool {
	g := h.Grid
	var rows [][]string
	width, off, size := 0, 0, 0
	for row := h.First; row <= h.Last; row++ {
		rows = append(rows, h.texts(row))
		width = max(width, len(g.Texts[row]))
	}
	h.Columns, h.cells, h.groups = nil, nil, nil
	for c := range width {
		parts, above, at, ok := h.parts(rows, c)
		name := len(strings.Join(parts, ""))
		g.Cost += 16 + (1+len(parts))*name
		if size += name; !ok || size > maxHeaderBytes {
			return false
		}
		column := columnOf(parts)
		h.Columns, h.cells = append(h.Columns, column), append(h.cells, at)
		h.groups = append(h.groups, strings.Join(above, ", "))
		if column.BandHz == 0 && slices.ContainsFunc(parts, func(part string) bool { return g.LookOf(part) == grid.IsOff }) {
			off++
		}
	}
	if g.Sheet != nil {
		h.readLineTitles()
	}
	columns.Resolve(h.Columns)
	h.judge()
	return off <= h.Bands && (h.Bands > 0 || h.Long || h.plain)
}

// parts returns the parts of a column's name, those above its last one, and the row of the lowest. It is not
// ok where something other than a unit is below the name of a field, as in a row of values.
func (h *Header) parts(rows [][]string, c int) (parts, above []string, at int, ok bool) {
	at = h.leaf
	named := false
	for i, names := range rows {
		if c >= len(names) || names[c] == "" || slices.Contains(parts, names[c]) {
			continue
		}
		l := h.Grid.LookOf(names[c])
		if named && l != grid.IsUnit && l != grid.IsField && !h.given {
			if joined := columns.Parse(strings.Join(append(parts, names[c]), " ")); !joined.Known() {
				return nil, nil, 0, false
			}
		}
		if h.First+i <= h.leaf {
			named, at = named || l == grid.IsField, h.First+i
		}
		if !grid.IsDash(names[c]) {
			parts = append(parts, names[c])
		}
		if h.First+i < h.leaf {
			above = append(above, names[c])
		}
	}
	return parts, above, at, true
}

// texts returns what a row of a header says of each column. In a row of groups a blank cell over a band says
// what the nearest cell on its left does, as many leave the cells after the first one of a group blank;
// merged cells say how far a group goes.
func (h *Header) texts(row int) []string {
	g := h.Grid
	leaf := g.Texts[h.leaf]
	names := slices.Concat(g.Texts[row], make([]string, max(0, len(leaf)-len(g.Texts[row]))))
	if row < h.leaf && h.isTitle(row) {
		return nil
	}
	group := ""
	for c := 0; c < len(leaf) && row < h.leaf && !g.Across[row]; c++ {
		if l := g.Look(h.leaf, c); l == grid.IsBand || l == grid.IsOff {
			group = cmp.Or(names[c], group)
			names[c] = group
		} else {
			group = ""
		}
	}
	return names
}

// isTitle reports whether the merged or only cell of a row is above columns of all kinds, so that it is no
// part of their names.
func (h *Header) isTitle(row int) bool {
	g := h.Grid
	text, bands, others := "", false, false
	for c := range g.Cells(row) {
		if text != "" && g.Text(row, c) != text {
			return false
		}
		text = g.Text(row, c)
		l := g.Look(h.leaf, c)
		isOfBands := l == grid.IsBand || l == grid.IsOff || l == grid.IsGroup
		bands, others = bands || isOfBands, others || !isOfBands && l != grid.IsBlank
	}
	n, _ := grid.Filled(g.Rows[row])
	return others && (bands || n == 1)
}

// columnOf reads a column's name of several rows: all of it, or else the longest part of it that is known.
// The text above a band says of what quantity its coefficients are.
func columnOf(parts []string) columns.Column {
	joined := strings.Join(parts, " ")
	best, from, to := columns.Parse(joined), 0, len(parts)
	if isWhole(&best) || len(parts) < 2 {
		return best
	}
	for length := len(parts) - 1; length > 0 && !isWhole(&best); length-- {
		for i := len(parts) - length; i >= 0 && !isWhole(&best); i-- {
			part := columns.Parse(strings.Join(parts[i:i+length], " "))
			if isWhole(&part) || part.Known() && !best.Known() {
				best, from, to = part, i, i+length
			}
		}
	}
	best.Header = joined
	for _, part := range slices.Concat(parts[:from], parts[to:]) {
		takeGroup(&best, part)
		c := columns.Parse(strings.Join(parts[from:to], " ") + " " + part)
		if c.Field == best.Field && best.Unit == "" { // "Air gap", "a", "cm"
			best.Unit = c.Unit
		}
	}
	return best
}

// isWhole reports whether a name says all of a column: the name of a quantity alone may be above a band.
func isWhole(c *columns.Column) bool {
	return c.BandHz > 0 || c.StrayHz > 0 || c.Known() && !grid.IsAxis(c.Field)
}

// takeGroup gives a column what the name of its group says.
func takeGroup(c *columns.Column, name string) {
	if isOfCoefficients(c) {
		takeMeasurand(c, columns.MeasurandOf(name), strings.Contains(name, "%"))
	}
}

// takeMeasurand gives a column of coefficients what a title above it says. What is none of ours makes it a
// text.
func takeMeasurand(c *columns.Column, m columns.Measurand, isPercent bool) {
	if c.Quantity == "" && m.Foreign {
		*c = columns.Column{Header: c.Header}
		return
	}
	c.Quantity, c.Resolution = cmp.Or(c.Quantity, m.Quantity), cmp.Or(c.Resolution, m.Resolution)
	c.Percent = c.Percent || isPercent
}

func isOfCoefficients(c *columns.Column) bool {
	return c.BandHz > 0 || c.StrayHz > 0 || c.Field == columns.Coefficient
}

// extend takes rows above that name groups, and one below that has units.
func (h *Header) extend() {
	plain := *h
	for h.First > 0 && h.leaf-h.First+1 < MaxHeaderRows && h.isGroupRow(h.First-1) {
		h.First--
	}
	if h.Last+1 < len(h.Grid.Rows) && h.isUnitRow(h.Last+1) {
		h.Last++
	}
	if h.given = true; !h.join() {
		*h = plain
	}
}

// isGroupRow reports whether a row above a header says what groups of its columns are: it has such words over
// bands, or merged cells over some columns and not over all, or words over bands and names of fields over
// columns that the header leaves blank, as merged cells do where they are lost.
func (h *Header) isGroupRow(row int) bool {
	g := h.Grid
	if g.Rows[h.First].Number-g.Rows[row].Number > 1 || h.isTitle(row) {
		return false
	}
	if n, first := grid.Filled(g.Rows[row]); n == 2 { // a key with its value
		column, second := grid.Pair(g.Rows[row], first)
		s := columns.ParseSetup(g.Text(row, second))
		isSetup := column.Field == columns.Label && (s.Mounting != "" || s.AirGap != "") // "Name | Montage E-400"
		if grid.IsKey(&column) && g.Look(row, second) == grid.IsText && !isSetup {
			return false
		}
	}
	groups, texts, isGrouped := false, false, g.Across[row] || h.Repeats()
	for c, l := range g.Cells(row) {
		switch {
		case l == grid.IsNumber || l == grid.IsOff:
			return false
		case c >= len(h.Columns):
		case h.Columns[c].Header == "" && l == grid.IsField:
			isGrouped = true
		case h.Columns[c].BandHz > 0 || h.Long:
			groups, texts = groups || l == grid.IsGroup, texts || l == grid.IsText
		}
	}
	return groups || texts && isGrouped
}

// isUnitRow reports whether a row below a header has units, norms, quantities below bands or the symbols of
// ratings below their names, and nothing else.
func (h *Header) isUnitRow(row int) (found bool) {
	for c, l := range h.Grid.Cells(row) {
		text := h.Grid.Text(row, c)
		switch isBare := bareNorm.MatchString(text); {
		case text == "αw" || text == "NRC" || text == "SAA",
			l == grid.IsGroup && c < len(h.Columns) && h.Columns[c].BandHz > 0:
			found = true
		case l == grid.IsUnit:
			found = found || !isBare && text != "1" && !grid.IsDash(text)
		case !isBare:
			return false
		}
	}
	return found
}

// bareNorm matches a text that is a norm or a price per unit: the unit of classes and of prices.
var bareNorm = regexp.MustCompile(`^[\[(]?((DIN|EN|ISO|ASTM|BS)[ -]*)+[0-9][0-9 :.-]*[\])]?$|^[€$£₹]|^(EUR|CHF|` +
	`USD|GBP|SEK|NOK|DKK|PLN)\b`)

// IsNamed reports whether a column of a header or a context row above it says which product a row is of.
// Curves of several products side by side have no names there.
func (h *Header) IsNamed() bool {
	g := h.Grid
	seen := map[columns.Quantity]bool{}
	for i := range h.Columns {
		c := &h.Columns[i]
		if c.Field == columns.Frequency { // another series
			clear(seen)
		}
		if c.Field == columns.Coefficient && seen[c.Quantity] {
			return h.Labelled
		}
		seen[c.Quantity] = seen[c.Quantity] || c.Field == columns.Coefficient
	}
	isOfProduct := func(f grid.Fact) bool { // with one value
		row := g.Index(f.At.Number)
		isBelowKey := row > 0 && !h.Labelled && g.IsKeys(row-1, h.First)
		return grid.IsProductField(f.Column.Field) && (g.Sheet != nil || isBelowKey || g.Text(row, f.At.Cell) == "")
	}
	return h.Labelled || slices.ContainsFunc(h.Preface().Pairs, isOfProduct)
}

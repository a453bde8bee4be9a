package header

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
)

// A Header consists of the rows in a grid that begin a table and name its columns.
type Header struct {
	Grid              *grid.Grid
	First, leaf, Last int  // indexes of grid rows: the top row, the lowest with names, the last, which can have units
	given             bool // whether the rows are certain: from a map, or already found
	plain             bool // whether FindPlain found it

	// Set by join.
	Columns  []columns.Column // columns of the table
	cells    []int            // grid row with the lowest part of the name, by column
	groups   []string         // text above the name, by column
	Labelled bool             // whether a column identifies the product in a row
	Long     bool             // whether each row is a band
	Bands    int              // number of columns with a band
	Fit      float64          // fraction of the cells below that fit their columns; 0.5 if there are none

	// Set by package layout.
	Layout     columns.Layout
	Map        *columns.TableMap // map that defines the columns, or nil
	MapProblem string            // columns that the map has and the table lacks; "" for none
}

const (
	// MaxHeaderRows is the maximum number of rows that name the columns of a table.
	MaxHeaderRows  = 3
	maxHeaderBytes = 1 << 20 // bytes of all names: a title that is merged over 16,384 columns is part of each name
)

// Find returns the first header in the grid that names products and fits at least half of the cells below it,
// or otherwise the header with the highest score, whose Fit the caller must check. It returns nil if there is
// no header or the search exceeds its limit.
func Find(g *grid.Grid) (best *Header) {
	for leaf := 0; leaf < len(g.Rows) && g.Cost <= grid.MaxSearched; leaf++ {
		bands := false // without bands, reading names is not worthwhile
		for first := leaf; first >= max(0, leaf-MaxHeaderRows+1); first-- {
			names, hasBands := g.MayName(first)
			if bands = bands || hasBands; !names {
				break
			}
			h := &Header{First: first, leaf: leaf, Last: leaf, Grid: g}
			if !bands || !h.join() {
				continue
			}
			h.extend()
			if h.Fit >= 0.5 && (h.Labelled || h.IsCornered() || h.Long && !g.IsTransposed() && h.IsNamed()) {
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

// FindPlain returns the first header without bands. It names fields, one of which identifies a product, and
// contains no values. The row below has at least two cells with text, and does not name fields.
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

// join reads the column names. It returns false if they do not name a table, or if one of the rows
// seems to be a row of values.
func (h *Header) join() bool {
	g := h.Grid
	var rows [][]string
	width, offBands, size := 0, 0, 0
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
		isOff := func(part string) bool { return g.LookOf(part) == grid.IsOffBand }
		if column.BandHz == 0 && slices.ContainsFunc(parts, isOff) {
			offBands++ // values can look like frequencies outside the bands
		}
	}
	if g.IsTransposed() {
		h.readLineTitles()
	}
	columns.Resolve(h.Columns)
	h.judge()
	return offBands <= h.Bands && (h.Bands > 0 || h.Long || h.plain)
}

// parts returns the parts of a column name, the parts above the last, and the row of the lowest. ok is
// false if a field name has text other than a unit below it, as in a row of values.
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

// texts returns the strings in a header row by column. In a row of groups, a blank cell above a band gets the
// text of the nearest cell on its left, because many tables leave the group's other cells blank. Merged cells
// show the extent of a group.
func (h *Header) texts(row int) []string {
	g := h.Grid
	leaf := g.Texts[h.leaf]
	names := slices.Concat(g.Texts[row], make([]string, max(0, len(leaf)-len(g.Texts[row]))))
	if row < h.leaf && h.isTitle(row) {
		return nil
	}
	group := ""
	for c := 0; c < len(leaf) && row < h.leaf && !g.Across[row]; c++ {
		if l := g.Look(h.leaf, c); l == grid.IsBand || l == grid.IsOffBand {
			group = cmp.Or(names[c], group)
			names[c] = group
		} else {
			group = ""
		}
	}
	return names
}

// isTitle reports whether the only text in a row is above columns of different kinds, so that it is not part
// of their names.
func (h *Header) isTitle(row int) bool {
	g := h.Grid
	text, bands, others := "", false, false
	for c := range g.Cells(row) {
		if text != "" && g.Text(row, c) != text {
			return false
		}
		text = g.Text(row, c)
		l := g.Look(h.leaf, c)
		isOfBands := l == grid.IsBand || l == grid.IsOffBand || l == grid.IsGroup
		bands, others = bands || isOfBands, others || !isOfBands && l != grid.IsBlank
	}
	n, _ := grid.Filled(g.Rows[row])
	return others && (bands || n == 1)
}

// columnOf reads a column name that spans several rows. It uses the whole name if it is known, otherwise the
// longest known part. The text above a band determines the quantity of its coefficients.
func columnOf(parts []string) columns.Column {
	joined := strings.Join(parts, " ")
	best, from, to := columns.Parse(joined), 0, len(parts)
	if isResolved(&best) || len(parts) < 2 {
		return best
	}
	for length := len(parts) - 1; length > 0 && !isResolved(&best); length-- {
		for i := len(parts) - length; i >= 0 && !isResolved(&best); i-- {
			part := columns.Parse(strings.Join(parts[i:i+length], " "))
			if isResolved(&part) || part.Known() && !best.Known() {
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

// isResolved reports whether a name resolves a column. A quantity's name does not: it can be above a band.
func isResolved(c *columns.Column) bool {
	return c.Hz() > 0 || c.Known() && !grid.IsAxis(c.Field)
}

// takeGroup applies the group name to a column.
func takeGroup(c *columns.Column, name string) {
	if isOfCoefficients(c) {
		takeMeasurand(c, columns.MeasurandOf(name), strings.Contains(name, "%"))
	}
}

// takeMeasurand applies the title above a coefficient column. A quantity that records do not have turns it
// into a column of strings.
func takeMeasurand(c *columns.Column, m columns.Measurand, isPercent bool) {
	if c.Quantity == "" && m.Foreign {
		*c = columns.Column{Header: c.Header}
		return
	}
	c.Quantity, c.Resolution = cmp.Or(c.Quantity, m.Quantity), cmp.Or(c.Resolution, m.Resolution)
	c.Percent = c.Percent || isPercent
}

func isOfCoefficients(c *columns.Column) bool {
	return c.Hz() > 0 || c.Field == columns.Coefficient
}

// extend adds rows with groups above, and a row with units below.
func (h *Header) extend() {
	before := *h
	for h.First > 0 && h.leaf-h.First+1 < MaxHeaderRows && h.isGroupRow(h.First-1) {
		h.First--
	}
	if h.Last+1 < len(h.Grid.Rows) && h.isUnitRow(h.Last+1) {
		h.Last++
	}
	if h.given = true; !h.join() {
		*h = before
	}
}

// isGroupRow reports whether a row above a header names groups of its columns. Such a row contains words for
// coefficients above bands, merged cells above some columns, or words above bands and field names above
// columns that the header leaves blank.
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
		case l == grid.IsNumber || l == grid.IsOffBand:
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

// isUnitRow reports whether a row below a header contains only units, norms, quantities below bands, or
// symbols for ratings below their names.
func (h *Header) isUnitRow(row int) (found bool) {
	for c, l := range h.Grid.Cells(row) {
		text := h.Grid.Text(row, c)
		switch isBare := normOrPrice.MatchString(text); {
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

// normOrPrice matches a norm or a price per unit, as below the names of classes and prices.
var normOrPrice = regexp.MustCompile(`^[\[(]?((DIN|EN|ISO|ASTM|BS)[ -]*)+[0-9][0-9 :.-]*[\])]?$|^[€$£₹]|^(EUR|CHF|` +
	`USD|GBP|SEK|NOK|DKK|PLN)\b`)

// IsNamed reports whether a column identifies the product in a row or, in a table of one product, a row above
// the header does.
func (h *Header) IsNamed() bool {
	g := h.Grid
	seen := map[columns.Quantity]bool{}
	for i := range h.Columns {
		c := &h.Columns[i]
		if c.Field == columns.Frequency { // start of the next series
			clear(seen)
		}
		if c.Field == columns.Coefficient && seen[c.Quantity] {
			return h.Labelled
		}
		seen[c.Quantity] = seen[c.Quantity] || c.Field == columns.Coefficient
	}
	isOfProduct := func(f grid.Fact) bool { // with a single value
		row := g.Index(f.At.Number)
		isBelowKey := row > 0 && !h.Labelled && g.IsKeys(row-1, h.First)
		return grid.IsProductField(f.Column.Field) && (g.IsTransposed() || isBelowKey || g.Text(row, f.At.Cell) == "")
	}
	return h.Labelled || slices.ContainsFunc(h.Preface().Pairs, isOfProduct)
}

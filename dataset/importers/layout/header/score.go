package header

import (
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
)

// judge counts what the columns contain, and computes how well the rows below fit them.
func (h *Header) judge() {
	h.Bands, h.Labelled = 0, columns.Has(h.Columns, grid.ProductFields...)
	for i := range h.Columns {
		if h.Columns[i].BandHz > 0 {
			h.Bands++
		}
	}
	frequency, coefficient := columns.Has(h.Columns, columns.Frequency), columns.Has(h.Columns, columns.Coefficient)
	for i := range h.Columns { // "f" means frequency only next to coefficient columns
		c := &h.Columns[i]
		if c.Field == columns.None && !frequency && (coefficient || h.Bands > 0) && (c.Header == "f" || c.Header == "F") {
			c.Field, frequency = columns.Frequency, true
		}
	}
	h.Long = h.Bands == 0 && frequency && coefficient
	h.Fit = h.share()
}

// fitRows is the maximum number of rows below a header that are examined.
const fitRows = 50

// share returns the fraction of cells below bands that can be coefficients or, in a long table, of cells
// below the frequency that can be frequencies. Without a product column it stops at a blank row, because the
// next data sheet can follow.
func (h *Header) share() float64 {
	g := h.Grid
	filled, fitting := 0, 0.0
	for row := h.Last + 1; row < min(len(g.Rows), h.Last+1+fitRows); row++ {
		names, bands := g.MayName(row)
		if filled > 0 && (h.endsSheet(row) || names && bands && !h.Long) { // start of the next table
			break
		}
		for c := range h.Columns {
			text := g.Text(row, c)
			looked := h.Columns[c].BandHz > 0 || h.Long && h.Columns[c].Field == columns.Frequency
			if text == "" || !looked || grid.IsDitto(text) {
				continue
			}
			filled++
			switch value, ok := columns.PlainNumber(text); {
			case !ok:
			case h.Long || value <= 2 || h.Columns[c].Percent || strings.Contains(text, "%"):
				fitting++
			case value <= 130 && value == float64(int(value)): // a percentage without "%", which becomes a fault later
				fitting += 0.5
			}
		}
	}
	if filled == 0 {
		return 0.5
	}
	return fitting / float64(filled)
}

// below returns the buffered rows of values below a header, up to the next header.
func (h *Header) below() (rows []int) {
	g := h.Grid
	for row := h.Last + 1; row < len(g.Rows); row++ {
		if names, bands := g.MayName(row); names && bands || len(rows) > 0 && h.endsSheet(row) {
			break
		}
		if n, _ := grid.Filled(g.Rows[row]); n > 1 {
			rows = append(rows, row)
		}
	}
	return rows
}

// endsSheet reports whether a blank row above the given row can end a table without products, which is a
// data sheet.
func (h *Header) endsSheet(row int) bool {
	return !h.Labelled && h.Grid.Rows[row].Number > h.Grid.Rows[row-1].Number+1
}

// IsSure reports whether a header is so certain that the transposed rows need not be searched. It must name
// products, and have bands whose names are more than numbers.
func (h *Header) IsSure() bool {
	if h == nil || !h.Labelled {
		return false
	}
	bands := 0
	for i := range h.Columns {
		if c := &h.Columns[i]; c.BandHz > 0 && !columns.IsNumeric(c.Header) {
			bands++
		}
	}
	return bands >= 6
}

// IsCornered reports whether the column next to the bands has a name for frequencies.
func (h *Header) IsCornered() bool { return h.Bands > 2 && columns.Has(h.Columns, columns.Frequency) }

// A curveBand identifies a coefficient column in a table, or in one of its set-ups.
type curveBand struct {
	bandHz     int
	quantity   columns.Quantity
	resolution columns.Resolution
}

func curveBandOf(c *columns.Column) curveBand { return curveBand{c.BandHz, c.Quantity, c.Resolution} }

// distinct returns the number of different bands. Groups and values can repeat bands.
func (h *Header) distinct() int {
	seen := map[curveBand]bool{}
	for i := range h.Columns {
		if h.Columns[i].BandHz > 0 {
			seen[curveBandOf(&h.Columns[i])] = true
		}
	}
	return len(seen)
}

// Repeats reports whether a band occurs twice.
func (h *Header) Repeats() bool { return h.distinct() < h.Bands }

// Score measures how much of a table the columns describe. It is 0 for nil.
func (h *Header) Score() float64 {
	if h == nil {
		return 0
	}
	n := h.distinct()
	for i := range h.Columns {
		if h.Columns[i].Field != columns.None {
			n++
		}
	}
	if !h.Labelled {
		n = n/2 + 1
	}
	return float64(n) * (h.Fit*h.Fit + 0.01)
}

package header

import (
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
)

// judge finds what the columns make together, and how well the rows below fit them.
func (h *Header) judge() {
	h.Bands, h.Labelled = 0, columns.Has(h.Columns, grid.ProductFields...)
	for i := range h.Columns {
		if h.Columns[i].BandHz > 0 {
			h.Bands++
		}
	}
	frequency, coefficient := columns.Has(h.Columns, columns.Frequency), columns.Has(h.Columns, columns.Coefficient)
	for i := range h.Columns { // a name of one letter counts only among others
		c := &h.Columns[i]
		if c.Field == columns.None && !frequency && (coefficient || h.Bands > 0) && (c.Header == "f" || c.Header == "F") {
			c.Field, frequency = columns.Frequency, true
		}
	}
	h.Long = h.Bands == 0 && frequency && coefficient
	h.Fit = h.share()
}

// fitRows is how many rows below a header are looked at.
const fitRows = 50

// share returns the share of the cells below bands that may be coefficients, or of those below the frequency
// that may be one. Below a header without products it ends at a blank row: what follows may be the next data
// sheet.
func (h *Header) share() float64 {
	g := h.Grid
	filled, fitting := 0, 0.0
	for row := h.Last + 1; row < min(len(g.Rows), h.Last+1+fitRows); row++ {
		names, bands := g.MayName(row)
		if filled > 0 && (h.endsSheet(row) || names && bands && !h.Long) { // the next table
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
			case value <= 130 && value == float64(int(value)): // a percentage without its sign, which is a fault later
				fitting += 0.5
			}
		}
	}
	if filled == 0 {
		return 0.5
	}
	return fitting / float64(filled)
}

// endsSheet reports whether a blank row before a row may end the table of a header without products, which is
// a data sheet.
func (h *Header) endsSheet(row int) bool {
	return !h.Labelled && h.Grid.Rows[row].Number > h.Grid.Rows[row-1].Number+1
}

// IsSure reports whether a header need not be tried transposed: it names products, and bands by more than
// numbers.
func (h *Header) IsSure() bool {
	bands := 0
	for i := 0; h != nil && i < len(h.Columns); i++ {
		if c := &h.Columns[i]; c.BandHz > 0 && !columns.IsNumeric(c.Header) {
			bands++
		}
	}
	return bands >= 6 && h.Labelled
}

// IsCornered reports whether the column of the products has the name of the bands beside it.
func (h *Header) IsCornered() bool { return h.Bands > 2 && columns.Has(h.Columns, columns.Frequency) }

// A curveBand is what only one column of a table, or of one of its set-ups, may be of.
type curveBand struct {
	bandHz     int
	quantity   columns.Quantity
	resolution columns.Resolution
}

func curveBandOf(c *columns.Column) curveBand { return curveBand{c.BandHz, c.Quantity, c.Resolution} }

// distinct returns how many bands there are: in groups and as a value one is there again.
func (h *Header) distinct() int {
	seen := map[curveBand]bool{}
	for i := range h.Columns {
		if h.Columns[i].BandHz > 0 {
			seen[curveBandOf(&h.Columns[i])] = true
		}
	}
	return len(seen)
}

// Repeats reports whether a band is there twice.
func (h *Header) Repeats() bool { return h.distinct() < h.Bands }

// Score says how much of a table the columns of a header make.
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

package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/product"
)

// A coefficient is one cell of a curve.
type coefficient struct {
	column  int // its index
	bandHz  int
	value   float64
	percent bool // it was written as a percentage

	quantity   int // its index in quantities
	resolution Resolution
}

// coefficient reads the coefficient of a band.
func (r *rowReader) coefficient(i int, kind workbook.Kind, text string, bandHz int) {
	percent := kind == workbook.Percent
	digits := text
	if text[len(text)-1] == '%' {
		digits = strings.TrimSpace(text[:len(text)-1])
		percent = true
	}
	percent = percent || r.columns[i].Percent
	n, ok := parseNumber(digits)
	if !ok {
		if !isAbsent(text, FieldCoefficient) {
			r.fault(i, "expected a coefficient such as 0.85, 0,85 or 85 %, got "+dataset.Quoted(text))
		}
		return
	}
	r.coefficients = append(r.coefficients, coefficient{
		column: i, bandHz: bandHz, value: n.value(percent && kind != workbook.Percent), percent: percent,
	})
}

// stray takes the coefficient of a frequency that no curve of ours has. Test reports reach further than our bands; what is in no series is a
// mistake that would lose a band.
func (r *rowReader) stray(i int, hz float64, key, text string) {
	if slices.Contains(beyondBands, hz) {
		r.tell(i, formatNumber(hz)+" Hz is beyond the bands from 50 to 10000 Hz: kept as text in structured_meta")
		r.keep(key, text)
		return
	}
	r.fault(i, noBandProblem(hz))
}

// A longCell is a coefficient of a long table, before the row's frequency is known.
type longCell struct {
	column int
	kind   workbook.Kind
	text   string
}

// longCell takes a frequency or a coefficient of a table that has a row a band. Where the other of the two is missing it is a text.
func (r *rowReader) longCell(i int, kind workbook.Kind, text string) {
	switch {
	case !r.long:
		r.tell(i, "kept as text in structured_meta: a coefficient needs a band in its column's name, or a column of frequencies beside it")
		r.keep(r.header(i), text)
	case r.columns[i].Field == FieldFrequency:
		r.frequency, r.frequencyText = i, text
	default:
		r.longCells = append(r.longCells, longCell{i, kind, text})
	}
}

// settleFrequency reads the coefficients of a row of a long table.
func (r *rowReader) settleFrequency() {
	if len(r.longCells) == 0 {
		return
	}
	if r.frequencyText == "" {
		r.fault(r.longCells[0].column, "no frequency in this row")
		return
	}
	hz, ok := hertzOf(r.frequencyText, r.columns[r.frequency].Unit)
	if !ok {
		r.fault(r.frequency, "expected a frequency such as 125, 125 Hz or 1k25, got "+dataset.Quoted(r.frequencyText))
		return
	}
	for _, cell := range r.longCells {
		if isOurBand(hz) {
			r.coefficient(cell.column, cell.kind, cell.text, int(hz))
		} else {
			r.stray(cell.column, hz, r.header(cell.column)+" "+formatNumber(hz)+" Hz", cell.text)
		}
	}
}

// settleCurves makes curves of the row's coefficients.
func (r *rowReader) settleCurves() {
	all := r.coefficients
	if len(all) == 0 {
		return
	}
	if r.other {
		for k := range all {
			r.keep(r.header(all[k].column), formatNumber(all[k].value))
		}
		return
	}
	r.shares.count(r, all)
	r.settleQuantities(all)
	r.settleResolutions(all)
	ascending := func(a, b coefficient) int {
		return cmp.Or(cmp.Compare(a.quantity, b.quantity), strings.Compare(string(a.resolution), string(b.resolution)), cmp.Compare(a.bandHz, b.bandHz))
	}
	if !slices.IsSortedFunc(all, ascending) {
		slices.SortStableFunc(all, ascending)
	}
	for start := 0; start < len(all); {
		end, points := start, r.gathered[:0]
		for ; end < len(all) && all[end].quantity == all[start].quantity && all[end].resolution == all[start].resolution; end++ {
			c := &all[end]
			switch {
			case end > start && all[end-1].bandHz == c.bandHz:
				r.twice(&all[end-1], c)
			case r.isCoefficient(c):
				points = append(points, acoustics.Point{BandHz: c.bandHz, Value: c.value})
			}
		}
		r.checkPercent(all[start:end])
		if len(points) > 0 {
			r.curves = append(r.curves, curve{quantities[all[start].quantity], all[start].resolution, slices.Clone(points)})
		}
		start, r.gathered = end, points
	}
}

// settleQuantities finds what each coefficient is of: by its column, the row's cells or the table.
func (r *rowReader) settleQuantities(all []coefficient) {
	byRow := slices.Index(quantities, cmp.Or(r.named, r.byNorm, r.quantity, AlphaS))
	for k := range all {
		c := &all[k]
		column := &r.columns[c.column]
		if c.quantity = byRow; column.Quantity != "" {
			c.quantity = slices.Index(quantities, column.Quantity)
		}
		c.resolution = column.Resolution
		if quantities[c.quantity] == AlphaP {
			c.resolution = Octave // there are no others
		}
	}
}

// settleResolutions finds the resolution of what has none by its column: a third-octave curve where one of its bands is the centre of no
// octave, else what the row or the table says, else an octave curve. One band of a long table does not tell.
func (r *rowReader) settleResolutions(all []coefficient) {
	said := cmp.Or(r.namedResolution, r.resolution)
	if r.long {
		said = cmp.Or(r.namedResolution, r.columns[r.frequency].Resolution, r.resolution)
	} else {
		said = cmp.Or(said, Octave)
	}
	var third [16]bool // by quantity
	for k := range all {
		third[all[k].quantity] = third[all[k].quantity] || all[k].resolution == AnyResolution && !isOctave(all[k].bandHz)
	}
	for k := range all {
		c := &all[k]
		switch {
		case c.resolution != AnyResolution:
		case third[c.quantity] && said != AnyResolution:
			c.resolution = ThirdOctave
		default:
			c.resolution = said
		}
	}
}

// isOctave reports whether a band is the centre of an octave.
func isOctave(bandHz int) bool { return slices.Contains(acoustics.OctaveBands, bandHz) }

// twice takes the second coefficient of a band: it must be the first once more.
func (r *rowReader) twice(first, second *coefficient) {
	if first.value == second.value {
		return
	}
	r.fault(second.column, "a second value for "+strconv.Itoa(second.bandHz)+" Hz: "+formatNumber(second.value)+" here and "+
		formatNumber(first.value)+" in "+r.reading.placeAt(first.column+1).Cell)
}

// isCoefficient reports whether a coefficient is one that the record takes.
func (r *rowReader) isCoefficient(c *coefficient) bool {
	q := quantities[c.quantity]
	limit := product.ScatteringLimit
	if q == AlphaS || q == AlphaP {
		limit = product.AbsorptionLimit
	}
	switch {
	case !(c.value >= product.LeastCoefficient && c.value <= limit):
		problem := formatNumber(c.value) + " is no coefficient: expected " + formatNumber(product.LeastCoefficient) + " to " + formatNumber(limit)
		if c.value > limit && !c.percent {
			problem += unmarked
		}
		r.fault(c.column, problem)
		return false
	case c.resolution == Octave && !isOctave(c.bandHz):
		r.fault(c.column, strconv.Itoa(c.bandHz)+" Hz is no octave band from 63 to 8000 Hz, as "+string(q)+" here has")
		return false
	}
	return true
}

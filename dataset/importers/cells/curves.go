package cells

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/product"
)

// A point is one coefficient of a row.
type point struct {
	column  *column
	bandHz  int
	value   float64
	percent bool // whether it was written as a percentage

	quantity   int                // index in columns.Quantities
	resolution columns.Resolution // AnyResolution until resolveResolutions, and after it only in a long table
	fixed      bool               // whether the column name determines the resolution
}

const expectedCoefficient = "expected a coefficient such as 0.85, 0,85 or 85 %, got "

// readCoefficient reads the coefficient at a frequency. It stores coefficients at the frequencies in
// columns.OuterBands as text. Any other frequency that is not a band is a fault.
func (r *Reader) readCoefficient(in *cell, hz float64) {
	c := in.column
	v := r.verdictOf(c)
	storeText := func() {
		name := c.Header
		if r.table.Long {
			name += " " + columns.FormatNumber(hz) + " Hz"
		}
		r.storeText(c.index, name, in.text)
	}
	switch value, percent, ok := in.number(); {
	case v.Foreign:
		if v.ofTable {
			r.count(&r.foreign, c)
		}
		storeText()
	case c.BandHz == 0 && slices.Contains(columns.OuterBands, hz):
		r.doubt(c, "", columns.FormatNumber(hz)+
			" Hz is outside the bands from 50 to 10000 Hz: stored as text in structured_meta")
		storeText()
	case c.BandHz == 0 && !columns.IsBand(hz):
		r.fault(c, columns.NoBand(hz))
	case in.kind == workbook.Time:
		r.fault(c, "expected a coefficient such as 0.85, got the time "+in.text)
	case !ok && !strings.ContainsAny(in.text, "0123456789"):
		r.pending.words = append(r.pending.words, *in)
	case !ok:
		r.fault(c, expectedCoefficient+dataset.Quoted(in.text))
	default:
		r.points = append(r.points, point{column: c, bandHz: int(hz), value: value, percent: percent,
			quantity: slices.Index(columns.Quantities, v.Quantity), resolution: v.Resolution, fixed: v.fixed})
	}
}

// readWords handles words in place of coefficients. They are faults, unless the row contains no coefficients
// at all.
func (r *Reader) readWords() {
	for _, in := range r.pending.words {
		if len(r.points) > 0 || r.table.Long {
			r.fault(in.column, expectedCoefficient+dataset.Quoted(in.text))
		} else {
			r.doubt(in.column, in.text, "is read as a missing value, because the set-up has no coefficients")
		}
	}
}

// readLong reads a coefficient in a row of a long table.
func (r *Reader) readLong(in *cell) {
	f := &r.pending.frequency
	if f.column == nil {
		f.column = in.column // prevents another report for this row
		r.fault(in.column, "missing frequency in this row")
	} else if hz, ok := columns.ParseFrequency(f.text, f.column.Unit); ok {
		r.readCoefficient(in, hz)
	} else if f.text != "" {
		r.fault(f.column, "expected a frequency such as 125, 125 Hz or 1k25, got "+dataset.Quoted(f.text))
		f.text = ""
	}
}

// number returns the number in a cell. percent reports whether it is a percentage.
func (in *cell) number() (value float64, percent, ok bool) {
	digits, sign := strings.CutSuffix(withoutFootnote(in.text), "%")
	if sign {
		digits = strings.TrimSpace(digits)
	}
	percent = sign || in.kind == workbook.Percent || in.column.Percent
	n, ok := columns.ParseNumber(digits)
	return n.Value(percent && in.kind != workbook.Percent), percent, ok
}

// verdictOf returns the quantity of a column's coefficients in the current row. It adds a warning about a
// doubtful quantity, but only one to each row.
func (r *Reader) verdictOf(c *column) *verdict {
	v := &c.verdict
	if c.verdictVersion != r.evidenceVersion {
		e := r.evidence
		e.column = columns.Measurand{Quantity: c.Quantity, Resolution: c.Resolution}
		*v, c.verdictVersion = e.weigh(), r.evidenceVersion
	}
	if v.doubt == "" || r.pending.doubted {
		return v
	}
	r.pending.doubted = true
	switch v.source { // the cell that contradicts the column name
	case ofCell:
		c = r.pending.quantity
	case ofNorm:
		c = r.pending.norm
	}
	r.doubt(c, "", v.doubt)
	return v
}

// makeCurves makes the curves of the current row from its points.
func (r *Reader) makeCurves() {
	all := r.points
	if len(all) == 0 {
		return
	}
	r.countShares(all)
	r.resolveResolutions(all)
	slices.SortStableFunc(all, point.compare)
	for len(all) > 0 {
		end := 1
		for end < len(all) && all[end].quantity == all[0].quantity && all[end].resolution == all[0].resolution {
			end++
		}
		r.makeCurve(all[:end])
		all = all[end:]
	}
}

// compare orders points by curve, then by band.
func (p point) compare(q point) int {
	return cmp.Or(p.quantity-q.quantity, cmp.Compare(p.resolution, q.resolution), p.bandHz-q.bandHz)
}

// makeCurve makes a curve from coefficients in ascending order of bands. If a band is repeated, its values
// must be equal.
func (r *Reader) makeCurve(all []point) {
	curve := Curve{columns.Quantities[all[0].quantity], all[0].resolution, make(acoustics.Curve, 0, len(all))}
	zeros := true
	for k := range all {
		p := &all[k]
		if k == 0 || all[k-1].bandHz != p.bandHz {
			if r.isCoefficient(p) {
				curve.Points = append(curve.Points, acoustics.Point{BandHz: p.bandHz, Value: p.value})
				zeros = zeros && p.value == 0
			}
		} else if first := &all[k-1]; first.value != p.value {
			r.fault(p.column, "different values for "+strconv.Itoa(p.bandHz)+" Hz: "+columns.FormatNumber(p.value)+
				" here and "+columns.FormatNumber(first.value)+" in "+r.place(first.column.index).Cell)
		}
	}
	r.checkPercent(all)
	if zeros && len(curve.Points) > 1 && !r.table.OwnExport {
		r.warn(all[0].column, "all coefficients of this row are 0: leave cells empty if there is no measurement")
	}
	if len(curve.Points) > 0 {
		r.row.Curves = append(r.row.Curves, curve)
	}
}

// resolveResolutions finds the resolutions that column names do not contain. It uses third octaves if one of
// the bands is not the centre of an octave, then other evidence, then octaves. In a long table, one band is
// not enough to decide.
func (r *Reader) resolveResolutions(all []point) {
	var third [16]bool // by index in columns.Quantities: whether the curve has third octaves
	for k := range all {
		if p := &all[k]; !p.fixed && !third[p.quantity] {
			third[p.quantity] = !isOctave(p.bandHz)
		}
	}
	for k := range all {
		switch p := &all[k]; {
		case p.fixed || p.resolution == columns.AnyResolution && r.table.Long:
		case third[p.quantity]:
			p.resolution = columns.ThirdOctave
		case p.resolution == columns.AnyResolution:
			p.resolution = columns.Octave
		}
	}
}

func isOctave(bandHz int) bool { return slices.Contains(acoustics.OctaveBands, bandHz) }

// isCoefficient reports whether a record can contain a coefficient.
func (r *Reader) isCoefficient(p *point) bool {
	q := columns.Quantities[p.quantity]
	limit := product.ScatteringLimit
	if q == columns.AlphaS || q == columns.AlphaP {
		limit = product.AbsorptionLimit
	}
	switch {
	case !(p.value >= product.MinCoefficient && p.value <= limit):
		problem := "coefficient " + columns.FormatNumber(p.value) + " is out of range: expected " +
			columns.FormatNumber(product.MinCoefficient) + " to " + columns.FormatNumber(limit)
		if p.value > limit && !p.percent {
			problem += markHint
		}
		r.fault(p.column, problem)
		return false
	case p.resolution == columns.Octave && !isOctave(p.bandHz):
		r.fault(p.column, strconv.Itoa(p.bandHz)+" Hz is not an octave band from 63 to 8000 Hz, as required for "+
			string(q)+" here")
		return false
	}
	return true
}

// markHint is the end of the message about a number that is too large.
const markHint = "; mark percentages with % in the cell or the column name"

// checkPercent reports a curve in which only some cells are percentages. If the column names contain "%", it
// also reports a single fraction, such as 0.62, among whole numbers. It ignores 0.
func (r *Reader) checkPercent(all []point) {
	var first, share *point
	shares, whole := 0, len(all) > 2
	for k := range all {
		p := &all[k]
		switch {
		case p.value == 0:
			continue
		case first == nil:
			first = p
		case p.percent != first.percent:
			r.fault(p.column, "mixed units: some cells of this curve are percentages and others are not; compare with "+
				r.place(first.column.index).Cell)
			return
		}
		whole = whole && p.column.Percent // a "%" in a cell is unambiguous
		if p.value > 0 && p.value < 0.01 {
			shares, share = shares+1, p
		} else {
			whole = whole && math.Abs(p.value*100-math.Round(p.value*100)) <= 1e-9
		}
	}
	if whole && shares == 1 {
		r.fault(share.column, "mixed units: "+columns.FormatNumber(share.value*100)+
			" % here, but integer percentages in the other cells of this curve")
	}
}

// countShares counts rows that seem to contain percentages without a "%" (a coefficient exceeds the limit) or
// fractions with a "%" (no coefficient exceeds 1 %, and one is below it).
func (r *Reader) countShares(all []point) {
	over := slices.IndexFunc(all, func(p point) bool { return !p.percent && p.value > product.AbsorptionLimit })
	below := slices.IndexFunc(all, func(p point) bool { return p.value > 0 && p.value < 0.01 })
	isOther := func(p point) bool { return p.value > 0.01 || !p.percent && p.value != 0 }
	r.rows++
	if over >= 0 {
		r.count(&r.over, all[over].column)
	}
	if below >= 0 && !slices.ContainsFunc(all, isOther) {
		r.count(&r.below, all[below].column)
	}
}

// HasCoefficients reports whether any row contained a coefficient.
func (r *Reader) HasCoefficients() bool { return r.rows > 0 }

// noCoefficients is the problem reported for a table with a foreign quantity.
const noCoefficients = "unsupported quantity in the title, sheet name or file name: " +
	"expected αs, αp, scattering or diffusion, or a map that states the quantity"

// tableFaults returns the faults that concern the whole table. In a single row, small percentages without a
// "%" could be coefficients, and fractions could be percentages. A table of reverberation times has no
// coefficients.
func (r *Reader) tableFaults() (faults []dataset.Fault) {
	add := func(f *finding, problem string) {
		faults = append(faults, dataset.Fault{Place: f.Place, Whole: true, Problem: problem})
	}
	if r.foreign.count > 0 && r.rows == 0 {
		add(&r.foreign, noCoefficients)
	}
	if r.over.count > 1 && r.over.count*10 > r.rows {
		add(&r.over, "unmarked percentages: "+strconv.Itoa(r.over.count)+" of "+strconv.Itoa(r.rows)+
			" rows have coefficients over "+columns.FormatNumber(product.AbsorptionLimit)+markHint)
	}
	if r.below.count > 1 && r.below.count == r.rows {
		add(&r.below, "fractions marked as percentages: no value in the table exceeds 1 %; if the values are "+
			"fractions, remove the % from column names and cells, or use a map")
	}
	return faults
}

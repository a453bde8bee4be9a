package products

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
)

// An entry is a set-up with the bands of one array: its parts and their bands.
type entry struct {
	parts     []*part
	curves    []cells.Curve
	conflicts []dataset.Fault // different values for one band
	repeats   bool            // whether several parts have the same band
	spread    bool            // whether the bands of a curve are in several rows, none of them in a long table
}

func (e *entry) array() array { return e.parts[0].array }

// isMeasured reports whether all parts are measured, so that the entries contain all strings of the set-up.
func (e *entry) isMeasured() bool {
	return !slices.ContainsFunc(e.parts, func(p *part) bool { return !p.measured })
}

// cells returns the cells of the entry's rows.
func (e *entry) cells() (all []located) {
	for _, p := range e.parts {
		for i := range p.row.cells {
			all = append(all, located{&p.row.cells[i], p.row})
		}
	}
	return all
}

// curve returns the bands of a quantity, or nil.
func (e *entry) curve(q columns.Quantity, r columns.Resolution) acoustics.Curve {
	for _, c := range e.curves {
		if c.Quantity == q && c.Resolution == r {
			return c.Points
		}
	}
	return nil
}

// A value is the coefficient of a part in a band.
type value struct {
	curve cells.Curve // quantity and resolution, without points
	point acoustics.Point
	part  *part
}

// compare orders values by curve.
func (v *value) compare(o *value) int {
	place := func(v *value) int { return slices.Index(columns.Quantities, v.curve.Quantity) }
	return cmp.Or(cmp.Compare(place(v), place(o)), cmp.Compare(v.curve.Resolution, o.curve.Resolution))
}

// compareBand orders values by curve, then by band.
func (v *value) compareBand(o *value) int {
	return cmp.Or(v.compare(o), cmp.Compare(v.point.BandHz, o.point.BandHz))
}

// divide merges the bands of rows that are one set-up, and sets the roles of the topics. If bands contradict
// each other, strings that only some of the rows have become part of the set-up and separate the rows. tooLong
// is the row at which the strings become too long for a record.
func (v *survey) divide() (entries []entry, tooLong *row) {
	for i := range v.facts {
		switch of := &v.facts[i]; {
		case of.differs && of.topic.joinsSetUp():
			of.role = perSetUp
		case of.differs:
			of.role = differing
		}
	}
	v.findPerBand()
	for {
		setUps, tooLong := v.split()
		if tooLong != nil {
			return nil, tooLong
		}
		v.entries = v.entries[:0]
		for _, parts := range setUps {
			v.entries = append(v.entries, merge(parts))
		}
		if !v.separate() {
			break
		}
	}
	for i := range v.entries {
		v.found.faults = append(v.found.faults, v.entries[i].conflicts...)
	}
	return v.entries, nil
}

// separate makes strings part of the set-up if only some rows of contradicting set-ups have them. It reports
// whether there are any.
func (v *survey) separate() (found bool) {
	for i := range v.entries {
		e, counts := &v.entries[i], map[*fact]int{}
		if len(e.conflicts) == 0 {
			continue
		}
		for _, l := range e.cells() {
			counts[v.factOf(l.cell)]++
		}
		for of, n := range counts {
			if n < len(e.parts) && of.role == agreed && of.topic.joinsSetUp() {
				of.role, found = perSetUp, true
			}
		}
	}
	return found
}

// merge makes an entry from the parts of a set-up.
func merge(parts []*part) (e entry) {
	e.parts, parts[0].isNew = parts, true
	if c := parts[0].row.curves; len(parts) == 1 && len(c) == 1 && c[0].Resolution != columns.AnyResolution {
		if arrayOf(c[0].Quantity) == parts[0].array {
			e.curves = c // the usual case
		}
		return e
	}
	values := valuesOf(parts)
	for i := 0; i < len(values); {
		first := &values[i] // of a band
		if i == 0 || first.compare(&values[i-1]) != 0 {
			e.curves = append(e.curves, first.curve)
		} else if p, q := first.part, values[i-1].part; p != q {
			e.spread = e.spread || !p.row.Table.Long && !q.row.Table.Long
		}
		c := &e.curves[len(e.curves)-1]
		c.Points = append(c.Points, first.point)
		least, most := first, first
		for ; i < len(values) && first.compareBand(&values[i]) == 0; i++ {
			v := &values[i]
			e.repeats = e.repeats || v.part != first.part
			v.part.isNew = v.part.isNew || v.part == first.part || v.point.Value != first.point.Value
			if v.point.Value < least.point.Value {
				least = v
			} else if v.point.Value > most.point.Value {
				most = v
			}
		}
		if least != most {
			e.conflicts = append(e.conflicts, conflict(least, most))
		}
	}
	return e
}

// valuesOf returns the values of the parts for their array, sorted by curve, band and part. A curve without a
// resolution has octaves if all values of its quantity are at centres of octaves. Practical coefficients are
// octaves.
func valuesOf(parts []*part) (values []value) {
	thirds := map[columns.Quantity]bool{}
	for _, p := range parts {
		for _, c := range p.row.curves {
			of := cells.Curve{Quantity: c.Quantity, Resolution: c.Resolution}
			for _, point := range c.Points {
				if arrayOf(c.Quantity) == p.array {
					values = append(values, value{of, point, p})
				}
				isOctave := c.Resolution != columns.AnyResolution || slices.Contains(acoustics.OctaveBands, point.BandHz)
				thirds[c.Quantity] = thirds[c.Quantity] || !isOctave
			}
		}
	}
	for i := range values {
		switch c := &values[i].curve; {
		case c.Quantity == columns.AlphaP:
			c.Resolution = columns.Octave
		case c.Resolution != columns.AnyResolution:
		case thirds[c.Quantity]:
			c.Resolution = columns.ThirdOctave
		default:
			c.Resolution = columns.Octave
		}
	}
	slices.SortStableFunc(values, func(a, b value) int { return a.compareBand(&b) })
	return values
}

// conflict returns a fault about two values for one band, with both cells.
func conflict(one, other *value) dataset.Fault {
	place, _ := one.place()
	f := dataset.Fault{Problem: columns.FormatNumber(other.point.Value) + " at " + strconv.Itoa(other.point.BandHz) +
		" Hz, but " + columns.FormatNumber(one.point.Value) + " in " + place.String() +
		": expected one value for each band of a set-up"}
	f.Place, f.Path = other.place()
	return f
}

// place returns the place of a value and its column name.
func (v *value) place() (place dataset.Place, header string) {
	r, best := v.part.row, -1
	for i := range r.Table.Columns {
		c := &r.Table.Columns[i]
		fits := c.BandHz == v.point.BandHz && (c.Quantity == v.curve.Quantity || c.Quantity == "")
		if fits && (best < 0 || c.Resolution == v.curve.Resolution) || best < 0 && c.Field == columns.Coefficient {
			best = i
		}
	}
	if best < 0 {
		return r.Place(1), string(v.curve.Quantity)
	}
	return r.Place(best + 1), r.Table.Columns[best].Header
}

// maxPerBand is the maximum number of cells that findPerBand reads, each several times. It allows 2,000
// set-ups of 24 bands with 20 columns.
const maxPerBand = 1 << 20

// findPerBand finds topics of bands, such as the uncertainty of a band. Rows with one band each differ in
// such a topic, and no band occurs twice without the topic. The topic must not separate set-ups, because each
// band would become a set-up.
func (v *survey) findPerBand() {
	hasOthers := func(l located) bool {
		return !l.row.Table.Long || len(l.row.curves) != 1 || len(l.row.curves[0].Points) != 1
	}
	var candidates []*fact
	for i := range v.facts {
		if of := &v.facts[i]; of.role == perSetUp && !slices.ContainsFunc(of.cells, hasOthers) {
			candidates = append(candidates, of)
		}
	}
	if len(candidates)*len(v.rows) > maxPerBand {
		return
	}
	slices.SortFunc(candidates, func(a, b *fact) int {
		return cmp.Or(cmp.Compare(a.topic.field, b.topic.field), strings.Compare(a.topic.key, b.topic.key))
	})
	for _, of := range candidates {
		of.role = ofBand
		setUps, over := v.split()
		if over != nil || slices.ContainsFunc(setUps, func(parts []*part) bool { return merge(parts).repeats }) {
			of.role = perSetUp
		}
	}
}

// bands returns the strings in the rows of an entry with their bands: "125 Hz: 0.05; 250 Hz: 0.04".
func (e *entry) bands(t *topic) string {
	var texts []string
	for _, l := range e.cells() {
		if l.cell.column.topic == t {
			texts = append(texts, strconv.Itoa(l.row.curves[0].Points[0].BandHz)+" Hz: "+l.cell.text)
		}
	}
	slices.SortFunc(texts, dataset.Natural)
	return strings.Join(texts, "; ")
}

// doubt adds the warnings about the rows of an entry.
func (v *survey) doubt(e *entry) {
	place, of := e.parts[0].row.Place(1), e.parts[0].texts[mounting]
	for _, p := range e.parts {
		if m := p.texts[mounting]; m != of {
			v.note(p.row.Place(1), "mounting",
				"two spellings of one mounting: "+dataset.Quoted(of)+" and "+dataset.Quoted(m), "row")
		}
		if !p.isNew && p.array != unmeasured {
			v.note(p.row.Place(1), "", "repeats values from another row of the same set-up", "row")
		}
	}
	if e.spread {
		v.note(place, "", "bands from several rows are read as one curve, because the rows do not name different set-ups",
			"set-up")
	}
	// The octaves of some rows can differ from the means of the third octaves of others.
	if len(e.parts) > 1 && slices.ContainsFunc(columns.Quantities, func(q columns.Quantity) bool {
		return acoustics.CurvesContradict(e.curve(q, columns.Octave), e.curve(q, columns.ThirdOctave))
	}) {
		v.note(place, "", "rows are read as one set-up, but their octaves are not the means of their third octaves: "+
			"check whether the rows are several set-ups", "set-up")
	}
}

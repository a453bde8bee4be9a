package products

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
)

// An entry is a set-up: its parts and their bands.
type entry struct {
	parts   []*part
	curves  []cells.Curve
	idle    []*part // whose bands others have as well
	repeats bool    // several parts have the same band
	spread  bool    // the bands of a curve are in several rows, none of them of a long table
}

func (e *entry) array() array { return e.parts[0].array }

// cells returns the cells of the rows of the entry.
func (e *entry) cells() (all []located) {
	for _, p := range e.parts {
		for i := range p.row.cells {
			all = append(all, located{&p.row.cells[i], p.row})
		}
	}
	return all
}

// curve returns the bands of a quantity, nil for none.
func (e *entry) curve(q columns.Quantity, r columns.Resolution) acoustics.Curve {
	for _, c := range e.curves {
		if c.Quantity == q && c.Resolution == r {
			return c.Points
		}
	}
	return nil
}

// A value is what a part says of a band.
type value struct {
	curve cells.Curve // without its points
	point acoustics.Point
	part  int // of its entry
}

func (v *value) compare(o *value) int {
	place := func(v *value) int { return slices.Index(columns.Quantities, v.curve.Quantity) }
	return cmp.Or(cmp.Compare(place(v), place(o)), cmp.Compare(v.curve.Resolution, o.curve.Resolution))
}

func (v *value) compareBand(o *value) int {
	return cmp.Or(v.compare(o), cmp.Compare(v.point.BandHz, o.point.BandHz))
}

// A conflict is two values for one band of a set-up.
type conflict struct {
	parts      []*part
	one, other value
}

// divide unites the bands of the rows that are one set-up, and finds the roles of the topics by it. Where
// bands contradict each other, a text that only some of the rows have is what tells them apart: then it is of
// the set-up, as if the others had another one. over is the row up to which the texts are too long for a
// record.
func (v *survey) divide() (entries []entry, faults []dataset.Fault, over *row) {
	for i := range v.facts {
		switch of := &v.facts[i]; {
		case of.differs && of.topic.ofSetUp():
			of.role = apart
		case of.differs:
			of.role = differing
		}
	}
	v.findPerBand()
	for {
		setUps, over := v.split()
		if over != nil {
			return nil, nil, over
		}
		var conflicts []conflict
		entries = v.entries[:0]
		for _, parts := range setUps {
			e, c := unite(parts)
			entries, conflicts = append(entries, e), append(conflicts, c...)
		}
		v.entries = entries
		if !v.tellApart(conflicts) {
			for _, c := range conflicts {
				faults = append(faults, c.fault())
			}
			return entries, faults, nil
		}
	}
}

// tellApart makes the texts those of set-ups that only some rows of contradicting set-ups have. It reports
// whether there is any.
func (v *survey) tellApart(conflicts []conflict) (found bool) {
	for _, c := range conflicts {
		counts := map[*fact]int{}
		for _, p := range c.parts {
			for i := range p.row.cells {
				counts[v.of(&p.row.cells[i])]++
			}
		}
		for of, n := range counts {
			if n < len(c.parts) && of.role == agreed && of.topic.ofSetUp() {
				of.role, found = apart, true
			}
		}
	}
	return found
}

// unite makes an entry of the parts of a set-up.
func unite(parts []*part) (e entry, conflicts []conflict) {
	e.parts = parts
	if c := parts[0].row.curves; len(parts) == 1 && len(c) == 1 && c[0].Resolution != columns.AnyResolution {
		if arrayOf(c[0].Quantity) == parts[0].array {
			e.curves = c // as most are
		}
		return e, nil
	}
	values, news := valuesOf(parts), make([]bool, len(parts))
	news[0] = true
	for i := 0; i < len(values); {
		first := &values[i]
		if i == 0 || first.compare(&values[i-1]) != 0 {
			e.curves = append(e.curves, first.curve)
		} else if p, q := parts[first.part], parts[values[i-1].part]; p != q {
			e.spread = e.spread || !p.row.table.Long && !q.row.table.Long
		}
		c := &e.curves[len(e.curves)-1]
		c.Points = append(c.Points, first.point)
		least, most := first, first
		for ; i < len(values) && first.compareBand(&values[i]) == 0; i++ {
			v := &values[i]
			e.repeats = e.repeats || v.part != first.part
			news[v.part] = news[v.part] || v.part == first.part || v.point.Value != first.point.Value
			switch {
			case v.point.Value < least.point.Value:
				least = v
			case v.point.Value > most.point.Value:
				most = v
			}
		}
		if least.point.Value != most.point.Value {
			conflicts = append(conflicts, conflict{parts, *least, *most})
		}
	}
	for i, says := range news {
		if !says {
			e.idle = append(e.idle, parts[i])
		}
	}
	return e, conflicts
}

// valuesOf returns the values of the parts for their array, by curve, band and part. Where a curve has no
// resolution, it has octaves if all values of the quantity are at octave centres. Practical coefficients are
// octaves.
func valuesOf(parts []*part) (values []value) {
	thirds := map[columns.Quantity]bool{}
	for i, p := range parts {
		for _, c := range p.row.curves {
			for _, point := range c.Points {
				if arrayOf(c.Quantity) == p.array {
					values = append(values, value{cells.Curve{Quantity: c.Quantity, Resolution: c.Resolution}, point, i})
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
	slices.SortFunc(values, func(a, b value) int {
		return cmp.Or(a.compareBand(&b), cmp.Compare(a.part, b.part))
	})
	return values
}

// fault returns the fault of two values for one band. It names both cells.
func (c *conflict) fault() dataset.Fault {
	one, _ := c.one.place(c.parts)
	other, header := c.other.place(c.parts)
	problem := columns.FormatNumber(c.other.point.Value) + " at " + strconv.Itoa(c.other.point.BandHz) + " Hz, but " +
		columns.FormatNumber(c.one.point.Value) + " in " + one.String() + ": expected one value for a set-up and band"
	return dataset.Fault{Place: other, Path: header, Problem: problem}
}

// place returns the place of a value, and the name of its column.
func (v *value) place(parts []*part) (place dataset.Place, header string) {
	r, best := parts[v.part].row, -1
	for i := range r.table.Columns {
		c := &r.table.Columns[i]
		fits := c.BandHz == v.point.BandHz && (c.Quantity == v.curve.Quantity || c.Quantity == "")
		if fits && (best < 0 || c.Resolution == v.curve.Resolution) || best < 0 && c.Field == columns.Coefficient {
			best = i
		}
	}
	if best < 0 {
		return r.place(1), string(v.curve.Quantity)
	}
	return r.place(best + 1), r.table.Columns[best].Header
}

// maxPerBand is how many cells findPerBand looks at, each several times: 2,000 set-ups of 24 bands with 20
// columns.
const maxPerBand = 1 << 20

// findPerBand finds the topics that are of bands: those in which rows with a band each differ although no
// band is there twice without them, such as the uncertainty of a band. They are not of the set-up, or each
// band would be a set-up of its own.
func (v *survey) findPerBand() {
	var candidates []*fact
	for i := range v.facts {
		if v.facts[i].role == apart {
			candidates = append(candidates, &v.facts[i])
		}
	}
	if len(candidates)*len(v.rows) > maxPerBand {
		return
	}
	candidates = slices.DeleteFunc(candidates, func(of *fact) bool {
		return slices.ContainsFunc(v.cells(of), func(l located) bool {
			return !l.row.table.Long || len(l.row.curves) != 1 || len(l.row.curves[0].Points) != 1
		})
	})
	slices.SortFunc(candidates, func(a, b *fact) int {
		return cmp.Or(cmp.Compare(a.topic.field, b.topic.field), strings.Compare(a.topic.key, b.topic.key))
	})
	repeats := func(parts []*part) bool {
		e, _ := unite(parts)
		return e.repeats
	}
	for _, of := range candidates {
		of.role = ofBand
		setUps, over := v.split()
		if over != nil || slices.ContainsFunc(setUps, repeats) {
			of.role = apart
		}
	}
}

// bands returns what the rows of an entry say of their bands: "125 Hz: 0.05; 250 Hz: 0.04".
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

// doubts returns what is doubtful about the rows of an entry.
func (e *entry) doubts() (f findings) {
	first := e.parts[0]
	for _, p := range e.parts {
		if m, of := p.texts[mounting], first.texts[mounting]; m != of {
			problem := "one mounting as " + dataset.Quoted(of) + ", also spelt " + dataset.Quoted(m)
			f.doubt(p.row.place(1), "mounting", problem, "row")
		}
	}
	if e.array() == unmeasured {
		return f
	}
	for _, p := range e.idle {
		f.doubt(p.row.place(1), "", "says nothing new of its set-up", "row")
	}
	place := first.row.place(1)
	if e.spread {
		f.doubt(place, "", "one curve of the bands of several rows, which say nothing else of their set-up", "set-up")
	}
	if e.contradictsItself() {
		f.doubt(place, "", "one set-up of several rows, whose octaves are not the means of their third octaves: "+
			"perhaps several set-ups", "set-up")
	}
	return f
}

// contradictsItself reports whether octaves of some rows are not the means of the third octaves of others.
func (e *entry) contradictsItself() bool {
	return len(e.parts) > 1 && slices.ContainsFunc(columns.Quantities, func(q columns.Quantity) bool {
		return acoustics.Contradict(e.curve(q, columns.Octave), e.curve(q, columns.ThirdOctave))
	})
}

// ratingFields are ratings that a source may declare for each set-up.
var ratingFields = []columns.Field{columns.AlphaW, columns.NRC, columns.SAA, columns.Class, columns.ShapeInd}

// ratingDoubts compares the ratings in which rows differ with the coefficients of their own set-ups. The
// build compares those of the product.
func (v *survey) ratingDoubts(entries []entry) []dataset.Fault {
	differs := func(of fact) bool { return of.role != agreed && slices.Contains(ratingFields, of.topic.field) }
	if !slices.ContainsFunc(v.facts, differs) {
		return nil
	}
	setUps, best := make([]dataset.SetUp, len(entries)), v.bestRow()
	for i := range entries {
		e, s := &entries[i], &setUps[i]
		s.Octave, s.Third = e.curve(columns.AlphaS, columns.Octave), e.curve(columns.AlphaS, columns.ThirdOctave)
		s.Practical = e.curve(columns.AlphaP, columns.Octave)
		if e.array() != absorption && (e.array() != practical || e.isMeasured()) {
			continue
		}
		var ratings []located // each text once
		for _, l := range e.cells() {
			if l.cell.column.field == columns.AlphaW && s.AlphaW == nil {
				s.AlphaW = number(l.cell.text)
			}
			isOfProduct := l.row == best && (l.cell.column.field == columns.Class || l.cell.column.field == columns.ShapeInd)
			if differs(*v.of(l.cell)) && !isOfProduct && !slices.ContainsFunc(ratings, l.isSame) {
				ratings = append(ratings, l)
			}
		}
		for _, l := range ratings {
			key := cmp.Or(metaKeys[l.cell.column.field], string(l.cell.column.field))
			s.Declared = append(s.Declared, dataset.Declared{Key: key, Text: l.cell.text,
				Fault: dataset.Fault{Place: l.place(), Path: l.cell.column.header}})
		}
	}
	_, largest := v.extremes(columns.AlphaW)
	return dataset.RatingDoubts(setUps, largest)
}

// extremes returns the least and the largest number that rows have for a field, infinities when there is
// none.
func (v *survey) extremes(f columns.Field) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, l := range v.cells(v.fact(f)) {
		if v := number(l.cell.text); v != nil {
			least, most = min(least, *v), max(most, *v)
		}
	}
	return least, most
}

// number returns the number that a text is, nil for none.
func number(text string) *float64 {
	if text == "" {
		return nil
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) {
		return &v
	}
	return nil
}

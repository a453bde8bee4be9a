package products

import (
	"math"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
)

// A survey collects the strings in a product's rows by topic, with faults and warnings. It reuses its memory
// for each product.
type survey struct {
	rows  []*row
	facts []fact
	empty []string // fields with an empty string or curve, which only an export lists
	found findings
	notes dataset.Notes // warnings about several products

	parts   []part    // parts of the rows, in their order; set by split
	ordered []*part   // parts in the order of the record; set by split
	setUps  [][]*part // set-ups in ordered; set by split
	entries []entry   // entries of the product; set by divide
}

// findings are the faults and warnings of a row or a product.
type findings struct{ faults, warnings []dataset.Fault }

func (v *survey) fault(place dataset.Place, path, problem string) {
	v.found.faults = append(v.found.faults, dataset.Fault{Place: place, Path: path, Problem: problem})
}

func (v *survey) warn(place dataset.Place, path, problem string) {
	v.found.warnings = append(v.found.warnings, dataset.Fault{Place: place, Path: path, Problem: problem})
}

// note counts a warning that can apply to several rows or products.
func (v *survey) note(place dataset.Place, path, problem, unit string) {
	v.notes.Add(dataset.Note{Path: path, Problem: problem, Unit: unit}, place)
}

// A fact contains the strings of the rows for a topic.
type fact struct {
	topic   *topic
	cells   []located // cells of the topic; empty only in the zero fact
	differs bool      // whether rows have different strings
	role    role      // role of the topic; set by divide
}

// A role is the use of a topic in a product.
type role uint8

const (
	agreed    role = iota // all rows with the topic have the same text
	perSetUp              // rows differ in the topic, and it belongs to the set-up
	ofBand                // rows differ in the topic by band; see findPerBand
	differing             // rows differ in the topic, and it has its own rule
)

// begin sorts the rows of a product by place and collects their strings.
func (v *survey) begin(rows []*row) {
	for i := range v.facts {
		v.facts[i].topic.index = 0
	}
	v.rows, v.facts, v.found = rows, v.facts[:0], findings{}
	slices.SortStableFunc(rows, func(a, b *row) int { return a.Compare(b.Origin) })
	shareThickness(rows)
	for _, r := range rows {
		for j := range r.cells {
			c := &r.cells[j]
			if t := c.column.topic; t.index == 0 {
				t.index = len(v.facts) + 1
				v.facts = slices.Grow(v.facts, 1)[:t.index]
				*v.factOf(c) = fact{topic: t, cells: v.factOf(c).cells[:0]}
			}
			of := v.factOf(c)
			of.cells = append(of.cells, located{c, r})
			of.differs = of.differs || of.cells[0].cell.text != c.text
		}
	}
	v.empty = v.empty[:0]
	for _, l := range v.fact(columns.Empty).cells {
		v.empty = append(v.empty, strings.Fields(l.cell.text)...)
	}
	// Shape indicators belong to the set-ups if alpha_w does and some of its rows have none.
	alphaW, shape := v.fact(columns.AlphaW), v.fact(columns.ShapeInd)
	if alphaW.differs && len(alphaW.cells) > len(shape.cells) && shape.topic != nil {
		v.factOf(shape.cells[0].cell).differs = true
	}
}

// shareThickness copies the thickness of a row of master data, which contains no coefficients and no set-up,
// to the rows with coefficients. It does nothing if a row with coefficients has a thickness, or if rows of
// master data have different thicknesses.
func shareThickness(rows []*row) {
	if len(rows) < 2 {
		return
	}
	var master cells.Length
	isSetUp := func(c cell) bool { return c.column.topic.kind == setUpAlways }
	for _, r := range rows {
		if r.thickness.Known {
			isMaster := len(r.curves) == 0 && !r.airGap.Known && !slices.ContainsFunc(r.cells, isSetUp)
			if !isMaster || master.Known && master != r.thickness {
				return
			}
			master = r.thickness
		}
	}
	if !master.Known || !slices.ContainsFunc(rows, (*row).hasCurves) {
		return
	}
	for _, r := range rows {
		if r.thickness = (cells.Length{}); !r.hasCurves() {
			continue
		}
		if r.thickness = master; r.depth.Known && !r.airGap.Known && r.depth.MM >= master.MM {
			r.airGap = cells.Length{MM: math.Round((r.depth.MM-master.MM)*1e6) / 1e6, Known: true}
		}
	}
}

// factOf returns the fact of a cell.
func (v *survey) factOf(c *cell) *fact { return &v.facts[c.column.topic.index-1] }

// fact returns the fact of a field, or the zero fact.
func (v *survey) fact(f columns.Field) fact {
	for i := range v.facts {
		if v.facts[i].topic.field == f {
			return v.facts[i]
		}
	}
	return fact{}
}

// text returns the text of a field if all rows with the field have the same one. It returns "" for an empty
// text, and nil if rows differ or have none.
func (v *survey) text(f columns.Field) *string {
	if of := v.fact(f); of.topic != nil && of.role == agreed {
		return &of.cells[0].cell.text
	}
	if slices.Contains(v.empty, string(f)) {
		return new(string)
	}
	return nil
}

// value returns the text of a field if all rows with the field have the same one, and otherwise "".
func (v *survey) value(f columns.Field) string {
	if text := v.text(f); text != nil {
		return *text
	}
	return ""
}

// boolean returns the value of a boolean field, or its default.
func (v *survey) boolean(f columns.Field, byDefault bool) bool {
	if text := v.value(f); text != "" {
		return text == "true"
	}
	return byDefault
}

// A located is a cell with its row.
type located struct {
	cell *cell
	row  *row
}

// isSame reports whether another cell has the same topic and text.
func (l located) isSame(o located) bool {
	return l.cell.column.topic == o.cell.column.topic && l.cell.text == o.cell.text
}

func (l located) place() dataset.Place { return l.row.Place(l.cell.column.number) }

// firstOfEach returns the first cell with each text, sorted by text.
func firstOfEach(all []located) []located {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b located) int { return strings.Compare(a.cell.text, b.cell.text) })
	return slices.CompactFunc(all, func(a, b located) bool { return a.cell.text == b.cell.text })
}

// inPlaces lists strings with their places: "A" in a.csv:2[B2], "B" in a.csv:3[B3].
func inPlaces(all []located) string {
	inPlace := func(l located) string { return dataset.Quoted(l.cell.text) + " in " + l.place().String() }
	return dataset.Listed(all, len(all), inPlace)
}

// contradict adds a fault about several strings for a field that a product has once. It lists all strings.
func (v *survey) contradict(all []located) {
	last := all[len(all)-1]
	v.fault(last.place(), last.cell.column.header, dataset.Quoted(last.cell.text)+", but "+
		inPlaces(all[:len(all)-1])+": expected one value for a product")
}

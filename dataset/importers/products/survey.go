package products

import (
	"math"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
)

// A survey is what the rows of a product say, topic by topic. It keeps its memory from product to product.
type survey struct {
	rows  []row
	facts []fact

	parts   []part // of the rows, made by split
	ordered []*part
	setUps  [][]*part // of ordered, made by split
	entries []entry   // made by divide
}

// A fact is what rows say of a topic.
type fact struct {
	topic   *topic
	first   located
	differs bool // rows have several texts
	role    role // set by divide
}

// A role is what a topic is in a product.
type role uint8

const (
	agreed    role = iota // all rows that have it have one text
	apart                 // rows differ in it, and it is of the set-up
	ofBand                // rows differ in it from band to band, see findPerBand
	differing             // rows differ in it, and it has a rule of its own
)

// begin sorts the rows of a product by place and finds what they say.
func (v *survey) begin(rows []row) {
	for i := range v.facts {
		v.facts[i].topic.index = 0
	}
	v.rows, v.facts = rows, v.facts[:0]
	if inOrder := func(a, b row) int { return a.compare(b.origin) }; !slices.IsSortedFunc(rows, inOrder) {
		slices.SortStableFunc(rows, inOrder)
	}
	shareThickness(rows)
	for i := range rows {
		for j := range rows[i].cells {
			c := &rows[i].cells[j]
			if t := c.column.topic; t.index == 0 {
				v.facts = append(v.facts, fact{topic: t, first: located{c, &rows[i]}})
				t.index = len(v.facts)
			} else if of := v.of(c); of.first.cell.text != c.text {
				of.differs = true
			}
		}
	}
	// Shape indicators are of the set-ups where alpha_w is and some of its rows have none.
	alphaW, shape := v.fact(columns.AlphaW), v.fact(columns.ShapeInd)
	if alphaW != nil && shape != nil && alphaW.differs {
		shape.differs = shape.differs || len(v.cells(alphaW)) > len(v.cells(shape))
	}
}

// shareThickness gives the rows with coefficients the thickness of a row without any, which says nothing else
// of a set-up, as master data does; none where one of them has a thickness, or where rows without coefficients
// have several.
func shareThickness(rows []row) {
	if len(rows) < 2 {
		return
	}
	var master cells.Length
	isSetUp := func(c cell) bool { return c.column.topic.kind == setUpAlways }
	for i := range rows {
		r := &rows[i]
		isMaster := len(r.curves) == 0 && !r.airGap.Known && !slices.ContainsFunc(r.cells, isSetUp)
		if r.thickness.Known && (!isMaster || master.Known && master != r.thickness) {
			return
		}
		if r.thickness.Known {
			master = r.thickness
		}
	}
	if !master.Known || !slices.ContainsFunc(rows, row.hasCurves) {
		return
	}
	for i := range rows {
		r := &rows[i]
		if r.thickness = (cells.Length{}); !r.hasCurves() {
			continue
		}
		if r.thickness = master; r.depth.Known && !r.airGap.Known && r.depth.MM >= master.MM {
			r.airGap = cells.Length{MM: math.Round((r.depth.MM-master.MM)*1e6) / 1e6, Known: true}
		}
	}
}

// of returns the fact of a cell.
func (v *survey) of(c *cell) *fact { return &v.facts[c.column.topic.index-1] }

// fact returns what the rows say of a field, nil when they say nothing.
func (v *survey) fact(f columns.Field) *fact {
	for i := range v.facts {
		if v.facts[i].topic.field == f {
			return &v.facts[i]
		}
	}
	return nil
}

// common returns the text of a field that all rows with the field have, nil where they differ or have none.
func (v *survey) common(f columns.Field) *string {
	if of := v.fact(f); of != nil && of.role == agreed {
		return &of.first.cell.text
	}
	return nil
}

// value returns the text of a field that all rows with the field have, else "".
func (v *survey) value(f columns.Field) string {
	if text := v.common(f); text != nil {
		return *text
	}
	return ""
}

// text returns the text of a field; "" for one that is there and empty, nil for none.
func (v *survey) text(f columns.Field) *string {
	text := v.common(f)
	if text == nil && v.isEmpty(string(f)) {
		text = new(string)
	}
	return text
}

// boolean returns whether a field is true, or its default.
func (v *survey) boolean(f columns.Field, byDefault bool) bool {
	if text := v.common(f); text != nil {
		return *text == "true"
	}
	return byDefault
}

// isEmpty reports whether a field is there and empty, as only our own export says.
func (v *survey) isEmpty(field string) bool {
	return slices.ContainsFunc(v.cells(v.fact(columns.Empty)), func(l located) bool {
		return slices.Contains(strings.Fields(l.cell.text), field)
	})
}

// A located is a cell with its row.
type located struct {
	cell *cell
	row  *row
}

// isSame reports whether another cell says the same.
func (l located) isSame(o located) bool {
	return l.cell.column.topic == o.cell.column.topic && l.cell.text == o.cell.text
}

func (l located) place() dataset.Place { return l.row.place(l.cell.column.number) }

// cells returns the cells of a topic, none for that of no row.
func (v *survey) cells(of *fact) (all []located) {
	if of == nil {
		return nil
	}
	for i := range v.rows {
		for j := range v.rows[i].cells {
			if c := &v.rows[i].cells[j]; c.column.topic == of.topic {
				all = append(all, located{c, &v.rows[i]})
			}
		}
	}
	return all
}

// firstOfEach returns the first cell of each text, by text.
func firstOfEach(all []located) []located {
	slices.SortStableFunc(all, func(a, b located) int { return strings.Compare(a.cell.text, b.cell.text) })
	return slices.CompactFunc(all, func(a, b located) bool { return a.cell.text == b.cell.text })
}

// inPlaces names texts with their places: "A" in a.csv:2[B2], "B" in a.csv:3[B3].
func inPlaces(all []located) string {
	inPlace := func(l located) string { return dataset.Quoted(l.cell.text) + " in " + l.place().String() }
	return dataset.Listed(all, len(all), inPlace)
}

// contradiction returns the fault of several texts of which a product has one. It names all.
func contradiction(all []located) dataset.Fault {
	last := all[len(all)-1]
	problem := dataset.Quoted(last.cell.text) + ", but " + inPlaces(all[:len(all)-1]) +
		": expected one for a product"
	return dataset.Fault{Place: last.place(), Path: last.cell.column.header, Problem: problem}
}

package products

import (
	"cmp"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
)

// An origin is where a row comes from.
type origin struct {
	table        *layout.Table
	number, line int
}

// place returns the place of a cell by its 1-based number, of the first cell for 0.
func (o origin) place(cell int) dataset.Place { return o.table.Place(o.number, o.line, max(cell, 1)) }

// compare orders rows by file, sheet and number.
func (o origin) compare(p origin) int {
	if o.table != p.table {
		if c := cmp.Or(natural(o.table.Input, p.table.Input), natural(o.table.Sheet, p.table.Sheet)); c != 0 {
			return c
		}
	}
	return cmp.Compare(o.number, p.number)
}

// A row is a cells.Row as it is kept until its product is made. It is small, since there may be 100,000 of
// them.
type row struct {
	origin
	maker             *maker // nil: the row names none
	cells             []cell
	curves            []cells.Curve
	thickness, airGap cells.Length
	faults, warnings  []dataset.Fault
}

func (r row) hasCurves() bool { return len(r.curves) > 0 }

// A cell is a text of a row.
type cell struct {
	topic  *topic
	header string
	text   string
	number int // 1-based, of the row; 0 when no one cell says it
}

// A topic is what the rows of a product may agree on: a field, or a column that no rule knows.
type topic struct {
	field columns.Field // columns.None for what no rule knows
	key   string        // in structured_meta
	kind  kind
	slot  int // in setUpFields, -1: not there
	row   int // the last one that has it, by topics.rows
	index int // among the facts of the survey at hand, from 1; 0: not there
}

// A kind says what becomes of a topic when the rows of a product differ.
type kind uint8

const (
	ofMeta      kind = iota // of structured_meta; where rows differ, of the set-up
	ofProduct               // a field of the product; where rows differ, of the set-up
	onlyOne                 // a field of the product, in which rows must not differ
	chosen                  // a field of the product that has a rule of its own
	setUpAlways             // of the set-up in any case
	ofIdentity              // in the key of the row, and not kept
)

// kinds has the kinds of the fields that are not of structured_meta.
var kinds = func() map[columns.Field]kind {
	kinds := map[columns.Field]kind{}
	for kind, fields := range map[kind]string{
		ofIdentity: "id manufacturer",
		onlyOne: "slug manufacturer_slug manufacturer_id data_source published purchasable has_epd structured_meta " +
			"images geometry",
		chosen: "label installation_types alpha_w alpha_w_min updated_at empty",
		ofProduct: "label_en commercial_name description description_en material_category absorption_character " +
			"fire_class url epd_url",
		setUpAlways: "norm entry_number entry_id entry_label source_kind source_norm measuring_option mounting " +
			"calculated_absorption limit_frequency_hz",
	} {
		for f := range strings.FieldsSeq(fields) {
			kinds[columns.Field(f)] = kind
		}
	}
	return kinds
}()

// metaKeys are the keys in structured_meta of recognised fields. What has none has the column's name.
var metaKeys = map[columns.Field]string{
	columns.Article: "Artikelnummer", columns.Material: "Material", columns.Source: "Quelle",
	columns.Laboratory: "Prüfinstitut", columns.TestDate: "Prüfdatum",
	columns.NRC: "NRC", columns.SAA: "SAA", columns.Class: "Absorberklasse",
	columns.ShapeInd: "Formindikatoren", columns.Size: "Abmessungen", columns.Shape: "Form",
	columns.Width: "Breite (mm)", columns.Height: "Höhe (mm)", columns.Depth: "Tiefe (mm)",
}

// namelessKey is the key of a cell whose column has no name.
const namelessKey = "remark"

// topics are those of all rows, by field, or by the column's name for what no rule knows.
type topics struct {
	all  map[[2]string]*topic
	rows int    // kept so far
	room []cell // in which the cells of a row are gathered
	last []cell // of the row before: most rows of a table have the same topics
}

// keep returns a row with its values in the words of the vocabulary, and the words that the vocabulary lacks.
func (t *topics) keep(r *cells.Row, w *words) (row, []doubt) {
	k := row{origin: origin{r.Table, r.Number, r.Line}, thickness: r.Thickness, airGap: r.AirGap,
		faults: r.Faults, warnings: r.Warnings, curves: slices.Clone(r.Curves)}
	t.rows++
	t.room = t.room[:0]
	var doubts []doubt
	for i := range r.Values {
		v := &r.Values[i]
		switch v.Field {
		case columns.ID, columns.Manufacturer: // in the key of the row
		case columns.Category, columns.Character, columns.Installation:
			m := w.of(cellWords{v.Field, v.Text, r.Table.Ours})
			if m.known != "" {
				t.add(v.Field, v.Header, m.known, v.Cell)
			}
			if m.others != "" {
				t.add(columns.None, v.Header, m.others, v.Cell)
			}
			for _, problem := range m.problems {
				doubts = append(doubts, doubt{note{string(v.Field), problem, "row"}, k.place(v.Cell)})
			}
		default:
			t.add(v.Field, v.Header, v.Text, v.Cell)
		}
	}
	k.cells = slices.Clone(t.room)
	t.last = k.cells
	return k, doubts
}

// add adds a cell to the row at hand. Columns of one name share a cell. A text that the row before has too is
// not kept twice, and any other is copied, since it is a part of the text of a whole row.
func (t *topics) add(f columns.Field, header, text string, number int) {
	c := cell{header: cmp.Or(header, namelessKey), number: number}
	var last cell
	if i := len(t.room); i < len(t.last) {
		last = t.last[i]
	}
	if c.topic = last.topic; c.topic == nil || c.topic.field != f || last.header != c.header {
		c.topic = t.of(f, c.header)
	}
	if c.topic.row == t.rows {
		i := slices.IndexFunc(t.room, func(other cell) bool { return other.topic == c.topic })
		t.room[i].text += "; " + text
		return
	}
	if c.text = last.text; c.text != text {
		c.text = strings.Clone(text)
	}
	c.topic.row = t.rows
	t.room = append(t.room, c)
}

// of returns the topic of a column. Two columns of one field have one topic.
func (t *topics) of(f columns.Field, header string) *topic {
	key := [2]string{string(f), header}
	if f != columns.None {
		key[1] = ""
	}
	of := t.all[key]
	if of == nil {
		of = &topic{field: f, key: cmp.Or(metaKeys[f], header), kind: kinds[f]}
		of.slot = slices.Index(setUpFields[:], f)
		t.all[key] = of
	}
	return of
}

// A survey is what the rows of a product say, topic by topic.
type survey struct {
	rows  []row
	facts []fact
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

// newSurvey sorts the rows by place and returns what they say, in the room of other facts. There is one
// survey at a time: close ends it.
func newSurvey(rows []row, room []fact) survey {
	if inOrder := func(a, b row) int { return a.compare(b.origin) }; !slices.IsSortedFunc(rows, inOrder) {
		slices.SortStableFunc(rows, inOrder)
	}
	shareThickness(rows)
	v := survey{rows: rows, facts: room[:0]}
	for i := range rows {
		for j := range rows[i].cells {
			c := &rows[i].cells[j]
			if t := c.topic; t.index == 0 {
				v.facts = append(v.facts, fact{topic: t, first: located{c, &rows[i]}})
				t.index = len(v.facts)
			} else if v.of(c).first.cell.text != c.text {
				v.of(c).differs = true
			}
		}
	}
	// Shape indicators are of the set-ups where alpha_w is and some of its rows have none.
	alphaW, shape := v.fact(columns.AlphaW), v.fact(columns.ShapeInd)
	if alphaW != nil && shape != nil && alphaW.differs {
		shape.differs = shape.differs || len(v.cells(alphaW)) > len(v.cells(shape))
	}
	return v
}

// shareThickness gives the rows with coefficients the thickness of a row without any, which says nothing else
// of a set-up, as master data does; none where one of them has a thickness, or where rows without coefficients
// have several.
func shareThickness(rows []row) {
	var master cells.Length
	isSetUp := func(c cell) bool { return c.topic.kind == setUpAlways }
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
		if rows[i].thickness = (cells.Length{}); rows[i].hasCurves() {
			rows[i].thickness = master
		}
	}
}

func (v *survey) close() {
	for i := range v.facts {
		v.facts[i].topic.index = 0
	}
}

// ofSetUp reports whether the topic is of the set-up where rows differ.
func (t *topic) ofSetUp() bool {
	return t.kind == ofMeta || t.kind == ofProduct || t.field == columns.AlphaW || t.field == columns.AlphaWMin
}

// of returns the fact of a cell.
func (v *survey) of(c *cell) *fact { return &v.facts[c.topic.index-1] }

// fact returns what the rows say of a field, nil when they say nothing.
func (v *survey) fact(f columns.Field) *fact {
	for i := range v.facts {
		if v.facts[i].topic.field == f {
			return &v.facts[i]
		}
	}
	return nil
}

// value returns the text of a field that all rows with the field have, "" where they differ.
func (v *survey) value(f columns.Field) string {
	if of := v.fact(f); of != nil && of.role == agreed {
		return of.first.cell.text
	}
	return ""
}

// A located is a cell with its row.
type located struct {
	cell *cell
	row  *row
}

func (l located) place() dataset.Place { return l.row.place(l.cell.number) }

// cells returns the cells of a topic, none for that of no row.
func (v *survey) cells(of *fact) (all []located) {
	if of == nil {
		return nil
	}
	for i := range v.rows {
		for j := range v.rows[i].cells {
			if c := &v.rows[i].cells[j]; c.topic == of.topic {
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
	return listed(all, len(all), inPlace)
}

// contradiction returns the fault of several texts of which a product has one. It names all.
func contradiction(all []located) dataset.Fault {
	last := all[len(all)-1]
	problem := dataset.Quoted(last.cell.text) + ", but " + inPlaces(all[:len(all)-1]) +
		": expected one for a product"
	return dataset.Fault{Place: last.place(), Path: last.cell.header, Problem: problem}
}

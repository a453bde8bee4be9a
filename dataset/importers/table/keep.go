package table

import (
	"cmp"
	"math"
	"slices"

	"sabine/dataset"
)

// A row is a reading as it is kept until its product is written. It is small, since there may be 100,000 of them.
type row struct {
	table  *tableContext
	number int // as people's programs number it
	line   int // of the file, 0 in a workbook
	maker  *maker
	cells  []cell
	curves []curve

	thickness, airGap lengthMM

	faults, warnings []dataset.Fault
}

// A cell is a text of a row.
type cell struct {
	*subject
	text   string
	number int // 1-based, of the row; 0 when no one cell says it
}

// A subject is what a column of texts speaks of: a field, or a topic that no rule knows, under the column's name.
type subject struct {
	header string
	topic  *topic
	row    int // the last one that spoke of it, by products.taken

}

// A topic is what the rows of a product may agree on. For the product at hand it has what the first row says.
type topic struct {
	field   Field  // FieldNone for what no rule knows
	key     string // in structured_meta
	kind    kind
	product *gathered // that the rest is about
	cell    *cell     // the first that speaks of it
	differs bool      // in its rows
	perBand bool      // of single bands, in a table with a row a band
	used    bool      // in another field than its own
}

// ofSetUp reports whether the topic is the set-up's where rows differ.
func (t *topic) ofSetUp() bool {
	return t.kind == ofMeta || t.kind == ofProduct || t.field == FieldAlphaW || t.field == FieldAlphaWMin
}

// tellsSetUpsApart reports whether the topic is the set-up's, since rows differ.
func (t *topic) tellsSetUpsApart() bool { return t.differs && t.ofSetUp() && !t.perBand }

// A kind says what becomes of a topic when the rows of a product differ.
type kind uint8

const (
	ofMeta      kind = iota // of structured_meta; where rows differ, of the set-up
	ofProduct               // a field of the product; where rows differ, of the set-up
	onlyOne                 // a field of the product, in which rows must not differ
	chosen                  // a field of the product that has a rule of its own
	setUpAlways             // of the set-up in any case
	ofIdentity              // who makes it and which product it is, which is read already
)

// topicKinds has the kinds of the fields that are not of structured_meta.
var topicKinds = map[Field]kind{
	FieldID: ofIdentity, FieldManufacturer: ofIdentity, FieldOverallDepth: ofIdentity, FieldQuantity: ofIdentity,
	FieldSlug: onlyOne, FieldManufacturerSlug: onlyOne, FieldManufacturerID: onlyOne, FieldDataSource: onlyOne, FieldPublished: onlyOne,
	FieldPurchasable: onlyOne, FieldHasEPD: onlyOne, FieldMeta: onlyOne, FieldImages: onlyOne, FieldGeometry: onlyOne,
	FieldLabel: chosen, FieldInstallation: chosen, FieldAlphaW: chosen, FieldAlphaWMin: chosen, FieldUpdated: chosen, FieldEmpty: chosen,
	FieldLabelEN: ofProduct, FieldCommercialName: ofProduct, FieldDescription: ofProduct, FieldDescriptionEN: ofProduct,
	FieldCategory: ofProduct, FieldCharacter: ofProduct, FieldFireClass: ofProduct, FieldURL: ofProduct, FieldEPDURL: ofProduct,
	FieldNorm: setUpAlways, FieldEntryNumber: setUpAlways, FieldEntryID: setUpAlways, FieldEntryLabel: setUpAlways, FieldSourceKind: setUpAlways,
	FieldSourceNorm: setUpAlways, FieldMeasuringOption: setUpAlways, FieldMounting: setUpAlways, FieldCalculated: setUpAlways, FieldLimitFrequency: setUpAlways,
}

// metaKeys are the keys in structured_meta of recognised fields. What has none has the column's name.
var metaKeys = map[Field]string{
	FieldArticle: "Artikelnummer", FieldMaterial: "Material", FieldSource: "Quelle", FieldLaboratory: "Prüfinstitut", FieldTestDate: "Prüfdatum",
	FieldNRC: "NRC", FieldSAA: "SAA", FieldClass: "Absorberklasse", FieldShapeInd: "Formindikatoren",
	FieldSize: "Abmessungen", FieldShape: "Form", FieldWidth: "Breite (mm)", FieldHeight: "Höhe (mm)", FieldDepth: "Tiefe (mm)",
}

type subjectKey struct {
	field  Field
	header string
}

// subject returns what a column speaks of. Two columns of one field speak of one topic.
func (p *products) subject(f Field, header string) *subject {
	header = cmp.Or(header, namelessKey)
	s := p.subjects[subjectKey{f, header}]
	if s == nil {
		key := cmp.Or(metaKeys[f], header)
		of := subjectKey{f, header}
		if f != FieldNone {
			of.header = ""
		}
		t := p.topics[of]
		if t == nil {
			t = &topic{field: f, key: key, kind: topicKinds[f]}
			p.topics[of] = t
		}
		s = &subject{header: header, topic: t}
		p.subjects[subjectKey{f, header}] = s
	}
	return s
}

// keep makes a row of a reading, its values in the vocabulary's words.
func (p *products) keep(r *reading, m *maker) row {
	k := row{
		table: r.table, number: r.row, line: r.line, maker: m,
		thickness: toLength(r.thicknessMM), airGap: toLength(r.airGapMM), faults: r.faults, warnings: r.warnings,
		cells: p.room[:0],
	}
	p.taken++
	for i := range r.texts {
		switch t := &r.texts[i]; {
		case topicKinds[t.field] == ofIdentity:
		case t.field == FieldCategory || t.field == FieldCharacter:
			value, ok := p.words.value(t.field, t.text, r.table.ours)
			p.keepValue(&k, t, value, ok)
		case t.field == FieldInstallation:
			known, others := p.words.list(t.text, r.table.ours)
			if known != "" {
				p.keepValue(&k, t, known, true)
			}
			if others != "" {
				p.keepValue(&k, t, others, false)
			}
		default:
			p.keepCell(&k, t.field, t.header, t.text, t.cell)
		}
	}
	for _, m := range r.rest {
		p.keepCell(&k, FieldNone, m.Key, m.Value, 0)
	}
	p.keepDepth(&k, toLength(r.overallDepthMM))
	p.room = k.cells
	k.cells, k.curves = slices.Clone(k.cells), slices.Clone(r.curves)
	p.last = k.cells
	return k
}

func (p *products) keepCell(k *row, f Field, header, text string, number int) {
	var s *subject
	if i := len(k.cells); i < len(p.last) && p.last[i].topic.field == f && p.last[i].header == header {
		s = p.last[i].subject
		if p.last[i].text == text {
			text = p.last[i].text // the other one need not be kept
		}
	} else {
		s = p.subject(f, header)
	}
	if s.row == p.taken { // columns of one name share an entry
		i := slices.IndexFunc(k.cells, func(c cell) bool { return c.subject == s })
		k.cells[i].text += "; " + text
		return
	}
	s.row = p.taken
	k.cells = append(k.cells, cell{s, text, number})
}

// keepValue keeps a value of a family of the vocabulary; ok is false for one that the vocabulary lacks.
func (p *products) keepValue(k *row, t *fieldText, value string, ok bool) {
	if ok {
		p.keepCell(k, t.field, t.header, value, t.cell)
		return
	}
	p.notes.add(t.header, dataset.Quoted(value)+" is not in the vocabulary of "+string(t.field)+": kept in structured_meta", "row", k.place(t.cell))
	p.keepCell(k, FieldNone, t.header, value, t.cell)
}

// depthKey is where an overall depth is kept that gives no air gap.
const depthKey = "Aufbauhöhe"

// keepDepth makes the air gap of an overall depth and a thickness.
func (p *products) keepDepth(k *row, depth lengthMM) {
	switch {
	case !depth.known:
	case !k.thickness.known:
		p.keepCell(k, FieldNone, depthKey, depth.String(), 0)
	case !k.airGap.known && depth.mm >= k.thickness.mm:
		k.airGap = lengthMM{roundMM(depth.mm - k.thickness.mm), true}
	case !k.airGap.known || roundMM(k.thickness.mm+k.airGap.mm) != roundMM(depth.mm):
		problem := "an overall depth of " + depth.String() + ", but a thickness of " + k.thickness.String()
		if k.airGap.known {
			problem += " and an air gap of " + k.airGap.String()
		}
		k.warnings = append(k.warnings, dataset.Fault{Place: k.place(1), Path: string(FieldOverallDepth), Problem: problem})
	}
}

// A lengthMM is a length that may not be known.
type lengthMM struct {
	mm    float64
	known bool
}

func toLength(mm *float64) lengthMM {
	if mm == nil {
		return lengthMM{}
	}
	return lengthMM{*mm, true}
}

func (l lengthMM) String() string { return formatNumber(l.mm) + " mm" }

// roundMM drops what float64 adds to decimals.
func roundMM(mm float64) float64 { return math.Round(mm*1e6) / 1e6 }

// place returns the place of a cell of the row by its number; 0 is the first.
func (k *row) place(number int) dataset.Place {
	return k.table.placeAt(k.number, k.line, max(number, 1))
}

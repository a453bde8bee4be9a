package products

import (
	"cmp"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/identity"
)

// A row is a cells.Row, retained until its product is made. It is small, because there can be 100,000 of
// them.
type row struct {
	identity.Origin
	maker             *identity.Maker // nil if the row has none
	cells             []cell
	curves            []cells.Curve
	thickness, airGap cells.Length
	depth             cells.Length // overall depth of a row without a thickness
	found             *findings    // faults and warnings of its cells
}

// From returns the origin of the row.
func (r *row) From() identity.Origin { return r.Origin }

// Text returns the text of a field, or "" if the row has none.
func (r *row) Text(f columns.Field) string {
	for i := range r.cells {
		if r.cells[i].column.field == f {
			return r.cells[i].text
		}
	}
	return ""
}

func (r *row) hasCurves() bool { return len(r.curves) > 0 }

// noFindings is shared by all rows without findings.
var noFindings findings

// A cell is a string in a row.
type cell struct {
	column *column
	text   string
}

// A column is the meaning of a cell: its field or name, and its topic.
type column struct {
	columnKey
	topic *topic
}

type columnKey struct {
	field  columns.Field
	header string
	number int // 1-based number of the cell; 0 if there is no single cell
}

// A topic is a field or an unknown column on which the rows of a product can agree.
type topic struct {
	field columns.Field // columns.None for an unknown column
	key   string        // key in structured_meta
	kind  kind
	slot  int // index in setUpFields, or -1
	index int // 1-based index of its fact in the current survey; 0 for none
}

// A kind determines what happens to a topic if the rows of a product differ.
type kind uint8

const (
	ofMeta      kind = iota // stored in structured_meta; in the set-up if rows differ
	ofProduct               // a field of the product; in the set-up if rows differ
	onlyOne                 // a field of the product that must not differ
	chosen                  // a field of the product with its own rule
	setUpAlways             // always in the set-up
)

// kinds contains the kinds of the fields that are not in structured_meta.
var kinds = func() map[columns.Field]kind {
	kinds := map[columns.Field]kind{}
	for kind, fields := range map[kind]string{
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

// joinsSetUp reports whether the topic, which is not a field of set-ups, belongs to the set-up if rows differ.
func (t *topic) joinsSetUp() bool {
	return t.kind == ofMeta || t.kind == ofProduct || t.field == columns.AlphaW || t.field == columns.AlphaWMin
}

// metaKeys are the keys of known fields in structured_meta. The keys of other strings are their column names.
var metaKeys = map[columns.Field]string{
	columns.Article: "Artikelnummer", columns.Material: "Material", columns.Source: "Quelle",
	columns.Laboratory: "Prüfinstitut", columns.TestDate: "Prüfdatum",
	columns.NRC: "NRC", columns.SAA: "SAA", columns.Class: "Absorberklasse",
	columns.ShapeInd: "Formindikatoren", columns.Size: "Abmessungen", columns.Shape: "Form",
	columns.Width: "Breite (mm)", columns.Height: "Höhe (mm)", columns.Depth: "Tiefe (mm)",
}

// namelessKey is the key of a cell whose column has no name.
const namelessKey = "remark"

// topics are the topics of all rows, by field, or by column name for unknown columns.
type topics struct {
	all     map[[2]string]*topic
	columns map[columnKey]*column
	words   map[columns.Field]*dataset.Words // vocabulary of the fields that have one
	room    []cell                           // buffer for the cells of a row
	last    []cell                           // cells of the previous row, which often has the same columns
}

func newTopics(v *dataset.Vocabulary) topics {
	t := topics{all: map[[2]string]*topic{}, columns: map[columnKey]*column{}}
	t.words = map[columns.Field]*dataset.Words{}
	for _, f := range []columns.Field{columns.Category, columns.Character, columns.Installation} {
		t.words[f] = dataset.NewWords(v, string(f))
	}
	return t
}

// retain returns a row with values from the vocabulary, and reports unknown words.
func (t *topics) retain(r *cells.Row, notes dataset.Notes) *row {
	k := &row{Origin: identity.OriginOf(r), thickness: r.Thickness, airGap: r.AirGap, depth: r.Depth,
		curves: slices.Clone(r.Curves), found: &noFindings}
	if len(r.Faults)+len(r.Warnings) > 0 {
		k.found = &findings{r.Faults, r.Warnings}
	}
	t.room = t.room[:0]
	for i := range r.Values {
		v := &r.Values[i]
		at := columnKey{v.Field, cmp.Or(v.Header, namelessKey), v.Cell}
		switch v.Field {
		case columns.ID, columns.Manufacturer: // already in the key of the row
		case columns.Category, columns.Character, columns.Installation:
			m := t.words[v.Field].Read(v.Text, v.Field == columns.Installation, r.Table.OwnExport)
			if m.Values != "" {
				t.add(at, m.Values)
			}
			if at.field = columns.None; m.Unknown != "" {
				t.add(at, m.Unknown)
			}
			for _, problem := range m.Problems {
				notes.Add(dataset.Note{Path: string(v.Field), Problem: problem, Unit: "row"}, k.Place(v.Cell))
			}
		default:
			t.add(at, v.Text)
		}
	}
	k.cells = slices.Clone(t.room)
	t.last = k.cells
	return k
}

// add adds a cell to the current row. Columns with the same name have one cell. A string that is also in the
// previous row is shared. Other strings are copied, because they are substrings of a whole row's text.
func (t *topics) add(at columnKey, text string) {
	var c cell
	if i := len(t.room); i < len(t.last) {
		c = t.last[i]
	}
	if c.column == nil || c.column.columnKey != at {
		c.column = t.column(at)
	}
	topic := c.column.topic
	if i := slices.IndexFunc(t.room, func(other cell) bool { return other.column.topic == topic }); i >= 0 {
		t.room[i].text += "; " + text
		return
	}
	if c.text != text {
		c.text = strings.Clone(text)
	}
	t.room = append(t.room, c)
}

// column returns the column for a key. Two columns for the same field have the same topic.
func (t *topics) column(at columnKey) *column {
	if of := t.columns[at]; of != nil {
		return of
	}
	name := [2]string{string(at.field), at.header}
	if at.field != columns.None {
		name[1] = ""
	}
	of := t.all[name]
	if of == nil {
		of = &topic{field: at.field, key: cmp.Or(metaKeys[at.field], at.header), kind: kinds[at.field]}
		of.slot = slices.Index(setUpFields[:], at.field)
		t.all[name] = of
	}
	t.columns[at] = &column{at, of}
	return t.columns[at]
}

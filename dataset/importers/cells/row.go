package cells

import (
	"cmp"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
)

// A Row is the content of one table row: a product, and one of its set-ups. It is valid until the next row
// is read, but its faults, warnings and points remain valid.
type Row struct {
	Table        *layout.Table
	Number, Line int     // numbers for layout.Table.Place
	Values       []Value // fields, each once, then unknown columns; both in column order
	Curves       []Curve // each quantity and resolution once

	Thickness, AirGap Length
	Depth             Length // overall depth if there is no thickness; also in Values, as text

	// Faults are faults in the cells of the row. A product with a fault does not become a record.
	Faults, Warnings []dataset.Fault
}

// A Value is a field's text in the form of a record: a fire class, an address, a date in RFC 3339, a number
// with a decimal point. A cell that is invalid for its field becomes a value without a field, under the
// column name.
type Value struct {
	Field  columns.Field // columns.None for a value in structured_meta
	Text   string        // value in the form of a record; never empty
	Header string        // name of the column
	Cell   int           // 1-based cell number, for Place; 0 if the value comes from several cells or none
}

// A Curve is a list of coefficients in a row.
type Curve struct {
	Quantity   columns.Quantity
	Resolution columns.Resolution // AnyResolution only for the single point in a long table's row
	Points     acoustics.Curve    // points in ascending order, with each band once
}

// A Length is a length in millimetres that can be unknown.
type Length struct {
	MM    float64
	Known bool
}

func (l Length) String() string { return columns.FormatNumber(l.MM) + " mm" }

// Text returns a field's text, or "" if the row has none.
func (r *Row) Text(f columns.Field) string {
	for i := range r.Values {
		if r.Values[i].Field == f {
			return r.Values[i].Text
		}
	}
	return ""
}

// add adds a field's value. If two columns have the same field, it stores the second value as text.
func (r *Reader) add(in cell, f columns.Field, text string) {
	i := slices.IndexFunc(r.row.Values, func(v Value) bool { return v.Field == f })
	if i < 0 {
		r.row.Values = append(r.row.Values, Value{f, text, in.column.Header, in.column.index + 1})
		return
	}
	switch before := &r.row.Values[i]; {
	case f == columns.Images && before.Text != "[]" && text != "[]":
		before.Text = strings.TrimSuffix(before.Text, "]") + "," + text[1:]
	case before.Text != text:
		r.refuse(in, "differs from the value in column "+dataset.Quoted(before.Header))
	}
}

// refuse stores a cell that is invalid for its field as text.
func (r *Reader) refuse(in cell, why string) {
	r.doubt(in.column, in.text, why+": stored as text in structured_meta")
	r.storeText(in.column.index, in.column.Header, in.text)
}

// The limits for strings that a row retains. They exceed the limits for a record.
const (
	maxRest      = 1000
	maxRestBytes = 1 << 20
)

// storeText retains a string under a name. Columns with the same name have one value.
func (r *Reader) storeText(i int, name, text string) {
	if r.pending.overfull {
		return
	}
	name = cmp.Or(name, "remark")
	k := slices.IndexFunc(r.rest, func(v Value) bool { return v.Header == name })
	if k < 0 {
		k = len(r.rest)
		r.rest = append(r.rest, Value{columns.None, text, name, i + 1})
	} else {
		r.rest[k].Text, r.rest[k].Cell = r.rest[k].Text+"; "+text, 0
	}
	if len(r.rest) > maxRest || len(r.rest[k].Text) > maxRestBytes && r.rest[k].Cell == 0 {
		r.pending.overfull = true
		r.row.Faults = append(r.row.Faults, dataset.Fault{Place: r.place(0), Path: "structured_meta",
			Problem: "the values in unknown columns exceed the limit for a product"})
	}
}

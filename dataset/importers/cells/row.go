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

// A Row is what one row of a table says: of a product, and of one set-up of it. It is valid until the next
// row is read; its faults, warnings and the points of its curves stay.
type Row struct {
	Table        *layout.Table
	Number, Line int     // for Place
	Values       []Value // of fields, each once, then of unknown columns; both in the order of the columns
	Curves       []Curve // each quantity and resolution once

	Thickness, AirGap Length
	Depth             Length // overall, where the row has no thickness to take off it; also in Values, as a text

	// Faults are of its cells; a product with one makes no record.
	Faults, Warnings []dataset.Fault
}

// A Value is a text of a field, in the form that the record has it in: a fire class, an address, a date as
// RFC 3339, a number with a decimal point. A cell that its field cannot hold is a value without a field,
// under the name of its column.
type Value struct {
	Field  columns.Field // columns.None: structured_meta
	Text   string        // not empty
	Header string        // the column's name
	Cell   int           // 1-based, for Place; 0 when no one cell says it
}

// A Curve is the coefficients of a row.
type Curve struct {
	Quantity   columns.Quantity
	Resolution columns.Resolution // AnyResolution only for the one point of a row of a long table
	Points     acoustics.Curve    // ascending, each band once
}

// A Length is a length in millimetres that may not be known.
type Length struct {
	MM    float64
	Known bool
}

func (l Length) String() string { return columns.FormatNumber(l.MM) + " mm" }

// Text returns what the row says of a field, "" for nothing.
func (r *Row) Text(f columns.Field) string {
	for i := range r.Values {
		if r.Values[i].Field == f {
			return r.Values[i].Text
		}
	}
	return ""
}

// add adds a value of a field. Of two columns of one field the first counts, and the other is kept as text.
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
		r.refuse(in, "is not what "+dataset.Quoted(before.Header)+" says")
	}
}

// refuse keeps a cell that its field cannot hold as text.
func (r *Reader) refuse(in cell, why string) {
	r.doubt(in.column, in.text, why+": kept as text in structured_meta")
	r.keep(in.column.index, in.column.Header, in.text)
}

// The bounds of what a row keeps as text. They are over the limits of a record, which could not hold more.
const (
	maxRest      = 1000
	maxRestBytes = 1 << 20
)

// keep keeps a text under a name. Columns of one name share a value.
func (r *Reader) keep(i int, name, text string) {
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
			Problem: "more cells of columns that no rule knows than a product can have"})
	}
}

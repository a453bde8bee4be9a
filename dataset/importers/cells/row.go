package cells

import (
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

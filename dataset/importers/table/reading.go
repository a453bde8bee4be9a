package table

import (
	"sabine/dataset"
	"sabine/dataset/acoustics"
)

// A reading is what one row of a table says: of a product, and of one set-up of it. Texts are trimmed and not empty.
type reading struct {
	place  dataset.Place       // of the row's first cell
	texts  []fieldText         // of the fields that are texts, each once, in the order of the columns
	rest   []dataset.MetaEntry // of the columns that no rule knows, in their order: the column's name and the cell
	curves []curve             // each quantity and resolution once

	thicknessMM, airGapMM, overallDepthMM *float64

	// faults are of its cells; a product with one makes no record.
	faults, warnings []dataset.Fault
}

// A fieldText is what a cell says of a field, in the form that the record has it in: a fire class is one, an address is one, a date is RFC 3339,
// a number has a decimal point. What is in no such form is in rest instead.
type fieldText struct {
	field  Field
	text   string
	header string // of the column, for what goes to structured_meta all the same
	place  dataset.Place
}

// A curve is the coefficients of a row.
type curve struct {
	quantity   Quantity
	resolution Resolution      // Octave or ThirdOctave, never neither
	points     acoustics.Curve // ascending, each band once
}

// text returns what the row says of a field, "" for nothing.
func (r *reading) text(f Field) string {
	for i := range r.texts {
		if r.texts[i].field == f {
			return r.texts[i].text
		}
	}
	return ""
}

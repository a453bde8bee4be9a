package table

import (
	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// A reading is what one row of a table says: of a product, and of one set-up of it. Texts are trimmed and not empty.
type reading struct {
	table  *tableContext       // that the row stands in
	row    int                 // its number there
	line   int                 // of the file, 0 in a workbook
	texts  []fieldText         // of the fields that are texts, each once, in the order of the columns
	rest   []product.MetaEntry // of the columns that no rule knows, in their order: the column's name and the cell
	curves []curve             // each quantity and resolution once

	thicknessMM, airGapMM, overallDepthMM *float64
	lengths                               [3]float64 // that they point to

	// faults are of its cells; a product with one makes no record.
	faults, warnings []dataset.Fault
}

// place returns the place of the row's first cell.
func (r *reading) place() dataset.Place { return r.placeAt(1) }

// A fieldText is what a cell says of a field, in the form that the record has it in: a fire class is one, an address is one, a date is RFC 3339,
// a number has a decimal point. What is in no such form is in rest instead.
type fieldText struct {
	field  Field
	text   string
	header string // of the column, for what goes to structured_meta all the same
	cell   int    // 1-based, of the row: reading.placeAt has its place
}

// placeAt returns the place of a cell of the row by its 1-based number. Places are made when a message needs one: 100,000 rows of thirty
// cells would take more memory by their places than by their texts.
func (r *reading) placeAt(cell int) dataset.Place { return r.table.placeAt(r.row, r.line, cell) }

// A curve is the coefficients of a row.
type curve struct {
	quantity   Quantity
	resolution Resolution      // Octave or ThirdOctave; AnyResolution for the one point of a row of a long table
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

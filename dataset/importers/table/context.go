package table

import (
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/workbook"
)

// A tableContext is what the rows of one table have in common. The first row is read when its first part is complete.
type tableContext struct {
	input, sheet string
	columns      []Column
	quantity     Quantity   // of coefficients whose column and row do not say; "" is AlphaS
	resolution   Resolution // likewise; AnyResolution: each row's bands tell
	comma        bool       // the decimal sign of most numbers is a comma
	ours         bool       // it is our own export: texts are as they stand, and nrc and saa are computed
	manufacturer string     // of rows that name none; "": that of the options
	sourceKind   string     // likewise
	// origin, when not nil, tells where a cell stands that is not where its row and number say: of a transposed table, and of the lines above.
	origin func(row, line, cell int) (atRow, atLine, atCell int)

	long   bool          // it has a row a band
	states []columnState // by column; nil before the first row

	shares percentShares

	// What the cells of a row are gathered in.
	coefficients []coefficient
	longCells    []longCell
	gathered     acoustics.Curve
	atHand       reading // what the row says
}

// A columnState is what is kept of a column from row to row.
type columnState struct {
	form form // of its texts, nil for any
	told bool // that some of its cells are kept as text: once a table is enough

	// lastText is the text of the last cell with one, and lastForm what became of it: tables repeat themselves downwards.
	lastText, lastForm string

	// quantity and resolution are what lastText names, in a column of norms or quantities; foreign: it is none of ours.
	quantity   Quantity
	resolution Resolution
	foreign    bool

	// Cells of a length without a unit, and in another unit than millimetres: the first of each. How many are in millimetres, and in others.
	bare, other   lengthCell
	inMM, inOther int
}

// A lengthCell is a cell with a length, for messages.
type lengthCell struct {
	place dataset.Place
	text  string
}

// quantityOf returns the quantity that a cell of the column names.
func (s *columnState) quantityOf(text string) (Quantity, Resolution) {
	if text != s.lastText {
		s.lastText = strings.Clone(text)
		s.quantity, s.resolution = quantityOfCell(text)
		s.foreign = isOther(text)
	}
	return s.quantity, s.resolution
}

// begin prepares the context for rows, and again where it got more columns.
func (t *tableContext) begin() {
	for i := len(t.states); i < len(t.columns); i++ {
		f := t.columns[i].Field
		state := columnState{form: forms[f]}
		if t.ours && slices.Contains(oursAsTheyStand, f) {
			state.form = nil
		}
		t.states = append(t.states, state)
	}
	t.long = hasField(t.columns, FieldFrequency) && hasField(t.columns, FieldCoefficient)
}

// oursAsTheyStand are the fields that our own export writes as they are, blanks and lines included.
var oursAsTheyStand = []Field{
	FieldLabel, FieldLabelEN, FieldCommercialName, FieldManufacturer, FieldCategory, FieldCharacter, FieldEntryID, FieldEntryLabel, FieldMounting,
}

// mixedUnits returns the columns of lengths of which some cells have another unit than millimetres and some none, once all rows are read. It
// is a doubt where most units are millimetres, else a fault.
func (t *tableContext) mixedUnits() (faults, warnings []dataset.Fault) {
	for i := range t.states {
		s := &t.states[i]
		if s.bare.text == "" || s.other.text == "" {
			continue
		}
		f := dataset.Fault{Place: s.bare.place, Path: t.columns[i].Header,
			Problem: "mixed units: " + dataset.Quoted(s.bare.text) + " has no unit here, and " + s.other.place.Cell + " has " + dataset.Quoted(s.other.text)}
		if s.inMM > s.inOther {
			f.Problem += "; it is taken as millimetres, as most are"
			warnings = append(warnings, f)
		} else {
			f.Problem += "; expected a unit in each cell, or one in the column's name"
			f.Whole = true
			faults = append(faults, f)
		}
	}
	return faults, warnings
}

// placeAt returns the place of a cell of a row, by the 1-based numbers of the row and of its cell.
func (t *tableContext) placeAt(row, line, cell int) dataset.Place {
	if t.origin != nil {
		row, line, cell = t.origin(row, line, cell)
	}
	return workbook.PlaceOf(t.input, t.sheet, workbook.Row{Number: row, Line: line}, cell)
}

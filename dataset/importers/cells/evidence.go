package cells

import (
	"cmp"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
)

// evidence is what a table says of the coefficients of one column in one row, by where it says it.
type evidence struct {
	cell, norm, section        columns.Measurand // of the row: its quantity, its norm, the title before it
	column                     columns.Measurand
	mapped, title, sheet, file columns.Measurand // of the table

	first     *layout.Column     // the first column of coefficients; nil for none
	several   bool               // the names of the table's columns say several quantities
	nearer    bool               // a name or a cell may say what outweighs the title
	frequency columns.Resolution // from the name of the row's column of frequencies, in a long table
}

// Evidence that messages name.
const (
	ofCell   = "the row's cell"
	ofNorm   = "the row's norm"
	ofColumn = "the column's name"
	ofTitle  = "the title above the table"
	ofSheet  = "the sheet's name"
	ofFile   = "the file's name"
)

// weigh returns what the coefficients are: what the first of the rules says that holds and says anything.
func (e *evidence) weigh() (v verdict) {
	for _, rule := range []struct {
		source, reason string
		says           columns.Measurand
		holds          bool
	}{
		{ofCell, "times, areas and deviations are never published as coefficients", e.cell, e.cell.Foreign},
		{ofNorm, "normal incidence is never published as random incidence", e.norm, e.norm.Foreign},
		{ofCell, "a row says itself what it is", e.cell, !e.several},
		{ofNorm, "a norm of another kind is another measurement", e.norm,
			!e.several && kindOf(e.norm) != kindOf(e.column)},
		{ofColumn, "no cell or title can tell columns of several quantities apart", e.column, true},
		{ofCell, "the column does not say", e.cell, true},
		{ofNorm, "a norm is of its row, a title is of many", e.norm, true},
		{"the title above the row", "the nearest title is meant", e.section, true},
		{"the map", "a person wrote it for this table", e.mapped, true},
		{ofTitle, "it is nearer than the sheet's name", e.title, true},
		{ofSheet, "it is nearer than the file's name", e.sheet, true},
		{ofFile, "it is all that is left", e.file, true},
		{"nothing", "most tables are of absorption", columns.Measurand{Quantity: columns.AlphaS}, true},
	} {
		if rule.holds && kindOf(rule.says) != "" {
			v = verdict{Measurand: rule.says, source: rule.source}
			v.ofTable = rule.source == ofTitle || rule.source == ofSheet || rule.source == ofFile
			v.doubt = e.doubt(&v, rule.reason)
			break
		}
	}
	v.fixed = e.column.Resolution != columns.AnyResolution
	v.Resolution = cmp.Or(e.column.Resolution, e.cell.Resolution, e.frequency, e.section.Resolution,
		e.title.Resolution, e.sheet.Resolution, e.file.Resolution)
	if v.Quantity == columns.AlphaP {
		v.Resolution, v.fixed = columns.Octave, true // there are no others
	}
	return v
}

// A verdict is what the coefficients of a column are in the rows that have the same evidence.
type verdict struct {
	columns.Measurand
	source string // of the rule
	doubt  string // what contradicts it, or that it names no coefficients; "" for nothing
	fixed  bool   // the column's name says the resolution, so that bands cannot

	ofTable bool // a title, or the name of the sheet or file, says it
}

// doubt returns what contradicts a verdict, or that it names no coefficients; "" for nothing.
func (e *evidence) doubt(v *verdict, reason string) string {
	above := e.title
	if kindOf(e.section) != "" {
		above = e.section
	}
	switch {
	case v.Foreign:
		return v.source + " names none of the coefficients that a record has: kept as text in structured_meta"
	case e.column.Quantity != "" && v.Quantity != e.column.Quantity:
		return v.source + " says " + string(v.Quantity) + " and the names of the columns say " +
			string(e.column.Quantity) + ": read as " + string(v.Quantity) + ", since " + reason
	case v.source == ofColumn && !e.several && kindOf(above) != "" && kindOf(above) != kindOf(e.column):
		return v.source + " says " + string(v.Quantity) + " and the title above says " +
			cmp.Or(string(above.Quantity), "what is no coefficient of a record") + ": read as " + string(v.Quantity)
	}
	return ""
}

// kindOf returns which measurement a quantity is of, "" for what names none.
func kindOf(m columns.Measurand) string {
	switch {
	case m.Foreign:
		return "foreign"
	case m.Quantity == columns.AlphaP:
		return columns.AlphaS.Norm()
	}
	return m.Quantity.Norm()
}

// evidenceOf returns what a table says of all of its rows.
func evidenceOf(t *layout.Table) evidence {
	e := evidence{title: t.Title, sheet: t.SheetName, file: t.FileName}
	if t.Map != nil {
		e.mapped.Quantity = cmp.Or(t.Map.Quantity, columns.AlphaS) // as docs/tables.md says
	}
	var first columns.Quantity
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Left == "" && c.Quantity != "" {
			first = cmp.Or(first, c.Quantity)
			e.several = e.several || c.Quantity != first
		}
		e.nearer = e.nearer || c.Quantity != "" || c.Field == columns.OfQuantity || c.Field == columns.Norm
		if e.first == nil && (c.BandHz > 0 || c.Field == columns.Coefficient) {
			e.first = c
		}
	}
	return e
}

// Foreign returns the fault of a table whose title, or else the name of its sheet or file, says that all of
// its coefficients are of a quantity that no record has; nil for any other.
func Foreign(t *layout.Table) *dataset.Fault {
	e := evidenceOf(t)
	if v := e.weigh(); !v.Foreign || !v.ofTable || e.nearer || e.first == nil {
		return nil
	}
	return &dataset.Fault{Place: e.first.Place, Whole: true, Problem: noCoefficients}
}

// TableQuantity returns the quantity of the coefficients of which neither row nor column says one.
func TableQuantity(t *layout.Table) columns.Quantity {
	e := evidenceOf(t)
	return cmp.Or(e.weigh().Quantity, columns.AlphaS)
}

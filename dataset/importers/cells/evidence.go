package cells

import (
	"cmp"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
)

// evidence contains the measurands that a table gives for a column's coefficients in a row, by source.
type evidence struct {
	cell, norm, section        columns.Measurand // measurands of the row, its norm, and the title above it
	column                     columns.Measurand
	mapped, title, sheet, file columns.Measurand // measurands for the whole table

	first     *layout.Column     // first column with coefficients, or nil
	several   bool               // whether the column names contain several quantities
	nearer    bool               // whether a name or a cell can take precedence over the title
	frequency columns.Resolution // resolution from the frequency column in a long table
}

// Names of sources in messages.
const (
	ofCell   = "the quantity in the row"
	ofNorm   = "the standard in the row"
	ofColumn = "the column name"
	ofTitle  = "the title above the table"
	ofSheet  = "the sheet name"
	ofFile   = "the file name"
)

// weigh returns the measurand from the first rule that applies and yields one.
func (e *evidence) weigh() (v verdict) {
	for _, rule := range []struct {
		source, reason string
		measurand      columns.Measurand
		applies        bool
	}{
		{ofCell, "times, areas and deviations are never published as coefficients", e.cell, e.cell.Foreign},
		{ofNorm, "normal incidence is never published as random incidence", e.norm, e.norm.Foreign},
		{ofCell, "a row defines its own quantity", e.cell, !e.several},
		{ofNorm, "a standard of a different kind means a different measurement", e.norm,
			!e.several && kindOf(e.norm) != kindOf(e.column)},
		{ofColumn, "only column names can distinguish columns of several quantities", e.column, true},
		{ofCell, "the column name has no quantity", e.cell, true},
		{ofNorm, "a standard applies to its row, a title to many rows", e.norm, true},
		{"the title above the row", "the nearest title applies", e.section, true},
		{"the map", "a user wrote the map for this table", e.mapped, true},
		{ofTitle, "a title is more specific than a sheet name", e.title, true},
		{ofSheet, "a sheet name is more specific than a file name", e.sheet, true},
		{ofFile, "there is no other evidence", e.file, true},
		{"nothing", "most tables contain absorption coefficients", columns.Measurand{Quantity: columns.AlphaS}, true},
	} {
		if rule.applies && kindOf(rule.measurand) != "" {
			v = verdict{Measurand: rule.measurand, source: rule.source}
			v.ofTable = rule.source == ofTitle || rule.source == ofSheet || rule.source == ofFile
			v.doubt = e.doubt(&v, rule.reason)
			break
		}
	}
	v.fixed = e.column.Resolution != columns.AnyResolution
	v.Resolution = cmp.Or(e.column.Resolution, e.cell.Resolution, e.frequency, e.section.Resolution,
		e.title.Resolution, e.sheet.Resolution, e.file.Resolution)
	if v.Quantity == columns.AlphaP {
		v.Resolution, v.fixed = columns.Octave, true // alpha_p exists only in octaves
	}
	return v
}

// A verdict is the quantity of a column's coefficients in the rows with the same evidence.
type verdict struct {
	columns.Measurand
	source string // source that determined the quantity
	doubt  string // contradiction, or a missing quantity; "" for none
	fixed  bool   // whether the column name, and not the bands, determines the resolution

	ofTable bool // whether a title, or the name of the sheet or file, determined the quantity
}

// doubt describes a contradiction in a verdict, or a quantity that no record has. It returns "" for none.
func (e *evidence) doubt(v *verdict, reason string) string {
	above := e.title
	if kindOf(e.section) != "" {
		above = e.section
	}
	switch {
	case v.Foreign:
		return v.source + " states an unsupported quantity: stored as text in structured_meta"
	case e.column.Quantity != "" && v.Quantity != e.column.Quantity:
		return v.source + " says " + string(v.Quantity) + ", but the column names say " +
			string(e.column.Quantity) + ": read as " + string(v.Quantity) + ", because " + reason
	case v.source == ofColumn && !e.several && kindOf(above) != "" && kindOf(above) != kindOf(e.column):
		return v.source + " says " + string(v.Quantity) + ", but the title above says " +
			cmp.Or(string(above.Quantity), "an unsupported quantity") + ": read as " + string(v.Quantity)
	}
	return ""
}

// kindOf returns the kind of measurement that a measurand names, or "".
func kindOf(m columns.Measurand) string {
	switch {
	case m.Foreign:
		return "foreign"
	case m.Quantity == columns.AlphaP:
		return columns.AlphaS.Norm()
	}
	return m.Quantity.Norm()
}

// evidenceOf returns the evidence that a table gives for all of its rows.
func evidenceOf(t *layout.Table) evidence {
	e := evidence{title: t.Title, sheet: t.SheetName, file: t.FileName}
	if t.Map != nil {
		e.mapped.Quantity = cmp.Or(t.Map.Quantity, columns.AlphaS) // the default of a map; see docs/tables.md
	}
	var first columns.Quantity
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.LeftOut == "" && c.Quantity != "" {
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

// Foreign returns the fault of a table whose title, sheet name or file name assigns to all coefficients a
// quantity that no record contains. It returns nil for any other table.
func Foreign(t *layout.Table) *dataset.Fault {
	e := evidenceOf(t)
	if v := e.weigh(); !v.Foreign || !v.ofTable || e.nearer || e.first == nil {
		return nil
	}
	return &dataset.Fault{Place: e.first.Place, Whole: true, Problem: noCoefficients}
}

// TableQuantity returns the quantity of coefficients whose rows and columns name none.
func TableQuantity(t *layout.Table) columns.Quantity {
	e := evidenceOf(t)
	return cmp.Or(e.weigh().Quantity, columns.AlphaS)
}

package cells

import (
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
)

// wordsOf returns the set-up fields without a column, which rows can describe in words.
func wordsOf(t *layout.Table) (fields []columns.Field) {
	if t.OwnExport || t.Map != nil {
		return nil
	}
	for _, f := range []columns.Field{columns.Mounting, columns.Thickness, columns.AirGap, columns.OverallDepth} {
		if !t.Has(f) && (f != columns.OverallDepth || !t.Has(columns.AirGap)) {
			fields = append(fields, f)
		}
	}
	return fields
}

// isOfSetup reports whether the words in a column can describe a set-up. A description can, if it comes from
// the line below a product's name.
func (r *Reader) isOfSetup(c *column) bool {
	switch c.Field {
	case columns.Mounting, columns.EntryLabel, columns.MeasuringOption:
		return len(r.fromWords) > 0
	case columns.Label:
		return slices.Contains(r.fromWords, columns.Thickness)
	}
	return c.Field == columns.Description && c.index >= len(r.table.Columns)
}

// readSetup reads a row's set-up from words, and adds a warning with the cells. The words remain unchanged.
func (r *Reader) readSetup() {
	for _, in := range r.pending.setups {
		c := in.column
		if in.text != c.setupText {
			c.setupText, c.setup = in.text, columns.ParseSetup(in.text)
		}
		s, isUsed := c.setup, false
		if c.Field == columns.Label {
			s = columns.Setup{Thickness: s.Thickness}
		}
		take := func(f columns.Field, text string, to *Length) {
			mm, _, ok := columns.ParseLength(text, "", in.decimal)
			if ok && !to.Known && slices.Contains(r.fromWords, f) {
				*to, isUsed = Length{mm, true}, true
			}
		}
		take(columns.Thickness, s.Thickness, &r.row.Thickness)
		take(columns.AirGap, s.AirGap, &r.row.AirGap)
		if take(columns.OverallDepth, s.OverallDepth, &r.row.Depth); r.row.Depth.Known && r.pending.depth == nil {
			r.pending.depth = c
		}
		if s.Mounting != "" && r.row.Text(columns.Mounting) == "" && slices.Contains(r.fromWords, columns.Mounting) {
			r.add(in, columns.Mounting, s.Mounting)
			isUsed = true
		}
		if isUsed {
			r.doubt(c, in.text, "describes the set-up in words: its thickness, air gap or mounting was read")
		}
	}
}

// readMounting reads a mounting. Additional text becomes the measuring option if no column contains it.
func (r *Reader) readMounting(in cell) {
	mounting := ""
	if in != in.column.last && !r.table.OwnExport && r.table.Map == nil && !r.table.Has(columns.MeasuringOption) {
		mounting = columns.BeforeMore.Mounting(in.text)
	}
	if mounting == "" {
		r.readText(in)
		return
	}
	r.add(in, columns.Mounting, mounting)
	r.add(in, columns.MeasuringOption, in.text)
}

// lengthOf returns the length in a cell and its unit. A tolerance can follow, "40 mm (± 3 mm)", or a mounting
// in brackets, "100 mm (Typ G-100)", which is used if there is no mounting column.
func (r *Reader) lengthOf(in cell) (mm float64, own string, ok bool) {
	if mm, own, ok = columns.ParseLength(in.text, in.column.Unit, in.decimal); ok {
		return mm, own, ok
	}
	if _, isNone := wordOf(in); isNone {
		return 0, "", true
	}
	text, tolerance, _ := strings.Cut(in.text, "±")
	text, brackets, _ := strings.Cut(strings.TrimRight(text, " ("), " (")
	mounting := columns.ParseSetup(brackets).Mounting
	if tolerance == "" && (mounting == "" || !slices.Contains(r.fromWords, columns.Mounting)) {
		return 0, "", false
	}
	if mm, own, ok = columns.ParseLength(text, in.column.Unit, in.decimal); ok && mounting != "" {
		r.add(in, columns.Mounting, mounting)
	}
	return mm, own, ok
}

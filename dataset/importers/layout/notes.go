package layout

import (
	"slices"
	"strconv"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/workbook"
)

// takeNotes reads the notes since the last row of values. If decide is true, the last title in them applies
// to the rows below.
func (r *rowReader) takeNotes(decide bool) {
	for _, row := range r.notes {
		if f, _, ok := grid.PairIn(row); ok && grid.IsProductField(f.Column.Field) {
			r.scan.context.Facts.Forget()
			r.context.Forget()
			break
		}
	}
	for _, row := range r.notes {
		r.takeNote(row, decide)
	}
	r.notes, r.isFoot = r.notes[:0], false
}

// takeNote reads a row with one string: a key with its value, a title that names a quantity, or unused text.
func (r *rowReader) takeNote(row workbook.Row, decide bool) {
	_, first := grid.Filled(row)
	text, at := row.Cells[first].Text, r.table.position(row.Number, row.Line, first+1)
	measurand := columns.MeasurandOf(grid.InOneLine(text))
	f, cell, isPair := grid.PairIn(row)
	c := f.Column
	f.At = r.table.position(row.Number, row.Line, cell+1)
	if r.sectioned && decide && !isPair && grid.IsProductName(text) {
		f = grid.FactOf(columns.Label, grid.InOneLine(text), at)
		isPair = true
		if n := len(r.sections); n > 0 && r.sections[n-1].rows > 0 { // otherwise the title applies to products below
			r.endTitle()
		}
	}
	isGiven := func(f grid.Fact) bool { return f.At.Number == row.Number && f.At.Line == row.Line }
	switch {
	case slices.ContainsFunc(r.context, isGiven): // see readTrailing
	case isPair && r.isLast && r.table.Layout != columns.Transposed && !slices.Contains(grid.LastingFields, c.Field):
		r.noteUnused(at, text) // a pair below all rows
	case isPair && r.table.indexOf(f.Column.Field) < 0:
		r.scan.context.Facts.Set(f)
		r.context.Set(r.takeFact(f))
	case decide && !grid.IsFootnote(text) && r.table.Layout != columns.Transposed && r.takeSection(text, at, measurand):
	default:
		r.noteUnused(at, text)
	}
}

// takeSection reads the quantity and the mounting in a title among the rows. The mounting applies up to the
// next title.
func (r *rowReader) takeSection(text string, at grid.Position, measurand columns.Measurand) (isUsed bool) {
	mounting := grid.MountingIn(text, at)
	if r.table.indexOf(columns.Mounting) >= 0 {
		mounting = nil
	}
	r.endTitle()
	for _, f := range mounting {
		f := r.takeFact(f)
		r.context.Set(f)
		r.ofTitle = append(r.ofTitle, f)
	}
	if measurand.Quantity != "" || measurand.Foreign {
		r.section = measurand
		r.scan.context.Title = grid.Title{Measurand: measurand, Percent: grid.InPercent.MatchString(text)}
	}
	if isUsed = mounting != nil || measurand.Quantity != "" || measurand.Foreign; isUsed {
		r.sections = append(r.sections, section{title: at, text: text, mounts: mounting != nil})
	}
	return isUsed
}

// endTitle drops the mounting from the last title among the rows.
func (r *rowReader) endTitle() {
	isOfTitle := func(f grid.Fact) bool { return slices.ContainsFunc(r.ofTitle, f.IsOfField) }
	r.context = slices.DeleteFunc(r.context, isOfTitle)
	r.ofTitle = r.ofTitle[:0]
	if n := len(r.sections); n > 0 && r.sections[n-1].mounts {
		r.sections = append(r.sections, section{}) // begins a section for the rows below
	}
}

// takeFact registers a fact from a context row, a group or a link.
func (r *rowReader) takeFact(f grid.Fact) grid.Fact {
	r.table.places = append(r.table.places, f.At)
	f.Number = len(r.table.places)
	if !slices.ContainsFunc(r.end.Contexts, f.IsOfField) {
		r.end.Contexts = append(r.end.Contexts, f)
	}
	return f
}

// noteUnused reports a cell, and its row, as unused.
func (r *rowReader) noteUnused(at grid.Position, text string) {
	if r.unused++; r.unused <= maxUnused {
		r.end.Unused = append(r.end.Unused, grid.NamedCell(at, text))
	}
}

// countMarked counts a row that is read although it is hidden or struck out.
func (r *rowReader) countMarked(row workbook.Row, place dataset.Place, text string) {
	if row.Hidden {
		r.hiddenRows.Add(place, text)
	}
	if row.Struck {
		r.struckRows.Add(place, text)
	}
}

// finish adds the warnings that depend on the whole table.
func (r *rowReader) finish() {
	r.takeNotes(false)
	var sections, mountings grid.Tally
	for _, s := range r.sections {
		if s.text == "" {
			continue
		}
		if s.rows == 0 {
			r.noteUnused(s.title, s.text)
			continue
		}
		list := &sections
		if s.mounts {
			list = &mountings
		}
		if list.Add(r.table.placeAt(s.title), s.text); list.Count <= grid.MaxNamed {
			list.Names[list.Count-1] += " (rows: " + strconv.Itoa(s.rows) + ")"
		}
	}
	e := &r.end
	e.Err = r.scan.takeError()
	e.Warnings = slices.Concat(e.Warnings, r.hiddenColumns.Warning("hidden columns are left out"),
		r.hiddenRows.Warning("rows hidden by a filter or a collapsed group are read"),
		r.hiddenLeft.Warning("hidden rows are left out"), r.struckRows.Warning("rows that are struck out are read"),
		r.dittos.Warning(strconv.Itoa(r.dittos.Count)+" ditto marks were replaced by the value above"),
		r.surplusCells.Warning("cells after the last column are stored under the key remark in structured_meta"),
		mountings.Warning("titles between rows are read as the mounting of the rows below"),
		sections.Warning("titles between rows are read as the quantity of the rows below"),
		r.summaries.Warning("rows with means, totals or limits are left out"))
	if r.mounted == 0 && r.mounting >= 0 {
		r.noteUnused(r.titleMounting.At, r.titleMounting.Cell.Text)
	}
	warn := func(count, column int, problem string) {
		if count > 0 {
			e.Warnings = append(e.Warnings, dataset.Fault{Place: r.table.Columns[column].Place, Problem: problem})
		}
	}
	warn(r.mounted, r.mounting, "blank cells in this column are filled with the mounting in the title, "+
		r.titleMounting.Cell.Text+": "+strconv.Itoa(r.mounted))
	warn(e.FilledIn, 0, "rows without a product name are assigned to the product in the row above: "+
		strconv.Itoa(e.FilledIn))
	warn(r.unused, 0, "unused cells: "+grid.Listed(e.Unused, r.unused))
}

package layout

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/layout/header"
	"sabine/dataset/importers/workbook"
)

// maxSurplus is the maximum number of values in a row after the last named column.
const maxSurplus = 1000

// takeValues completes a row of values and yields it, once for each of its set-ups. It reports whether to
// continue.
func (r *rowReader) takeValues(row workbook.Row, yield func(*Row) bool) bool {
	if n := len(r.sections); n > 0 {
		r.sections[n-1].rows++
	}
	r.end.Rows++
	r.takeSurplus(row)
	r.complete(row)
	r.row = Row{Number: row.Number, Line: row.Line, Cells: r.cells, Context: r.context, Section: r.section,
		Surplus: r.surplus}
	r.takeLink()
	given := row.Cells[:min(len(row.Cells), len(r.cells))] // counted when the row was read
	if r.spend(-textBytes(given), -len(given)); r.scan.err != nil {
		return false
	}
	if len(r.setups) > 0 {
		return r.yieldSetups(yield)
	}
	return yield(&r.row)
}

// takeSurplus reads the cells after the last named column.
func (r *rowReader) takeSurplus(row workbook.Row) {
	r.surplus = r.surplus[:0]
	for i := len(r.table.Columns); i < len(row.Cells); i++ {
		if !grid.HasText(&row.Cells[i]) {
			continue
		}
		at := grid.PositionOf(row, i+1)
		if len(r.surplus) == maxSurplus {
			r.scan.err = r.scan.fault(at, "more than "+strconv.Itoa(maxSurplus)+" cells after the last named column")
			return
		}
		if row.Line == 0 { // package cells reports a fault in CSV
			r.surplusCells.Add(r.table.placeAt(at), row.Cells[i].Text)
		}
		r.surplus = append(r.surplus, Surplus{r.table.placeAt(at), strings.TrimSpace(row.Cells[i].Text)})
	}
}

// complete fills in the cells of a row: cells merged with the row above, ditto marks, and the product from
// the row above if the row has none.
func (r *rowReader) complete(row workbook.Row) {
	t := r.table
	r.cells, r.above = append(r.above[:0], row.Cells[:min(len(row.Cells), len(t.Columns))]...), r.cells
	for len(r.cells) < len(t.Columns) {
		r.cells = append(r.cells, workbook.Cell{})
	}
	r.merged.fill(row.Number, r.cells, t.Columns)
	for i := range r.cells {
		cell := &r.cells[i]
		r.end.HasValue[i] = r.end.HasValue[i] || grid.HasText(cell)
		switch {
		case t.Columns[i].LeftOut != "":
			*cell = workbook.Cell{}
		case grid.IsDitto(cell.Text) && len(r.above) > 0 && grid.HasText(&r.above[i]):
			*cell = r.above[i]
			r.dittos.Add(t.Place(row.Number, row.Line, i+1), "")
		}
	}
	for _, c := range r.links {
		if text := r.cells[c].Text; text != "" && !isAddress(text) {
			at := t.position(row.Number, row.Line, c+1)
			if link := r.scan.sheet.Link(at.Number, at.Cell); link != "" {
				r.cells[c] = workbook.Cell{Text: link}
			}
		}
	}
	r.fillDown()
	if i := r.mounting; i >= 0 && !grid.HasText(&r.cells[i]) {
		r.cells[i] = r.titleMounting.Cell
		r.mounted++
	}
	r.markPercent()
}

// fillDown copies the product and thickness from the row above to a row without a product.
func (r *rowReader) fillDown() {
	has := r.product == nil
	for _, c := range r.products {
		has = has || grid.IsProductField(r.table.Columns[c].Field) && grid.HasText(&r.cells[c])
	}
	if has {
		r.product = r.product[:0]
		for _, c := range r.products {
			r.product = append(r.product, r.cells[c])
		}
		return
	}
	r.end.FilledIn++
	for i, c := range r.products {
		if !grid.HasText(&r.cells[c]) {
			r.cells[c] = r.product[i]
		}
	}
}

// markPercent marks the coefficients in a row of a transposed table as percentages if its name contains "%".
func (r *rowReader) markPercent() {
	if r.percents < 0 || !strings.Contains(r.cells[r.percents].Text, "%") ||
		r.table.Columns[r.percents].Field != columns.OfQuantity && !grid.InPercent.MatchString(r.cells[r.percents].Text) {
		return
	}
	for _, c := range r.bands {
		cell := &r.cells[c]
		if columns.IsNumeric(cell.Text) && cell.Kind != workbook.Percent && !strings.Contains(cell.Text, "%") {
			*cell = workbook.Cell{Text: cell.Text + " %"}
		}
	}
}

// spend subtracts the current row, or a set-up's row, and additional bytes and cells from the budget.
func (r *rowReader) spend(otherText, otherCells int) {
	for _, c := range r.longNames {
		if r.row.Cells[c].Text != "" {
			otherText += len(r.table.Columns[c].Header) - maxPlainName
		}
	}
	for i := range r.row.Context {
		otherText += len(r.row.Context[i].Cell.Text)
	}
	cell, problem := r.scan.options.Budget.Spend(r.row.Cells, otherText, otherCells+len(r.row.Context))
	if problem != "" && r.scan.err == nil {
		r.scan.err = &dataset.Fault{Place: r.table.Place(r.row.Number, r.row.Line, cell), Problem: problem}
	}
}

// yieldSetups yields a row once for each set-up with a coefficient in it, or once if there is none. Only the
// first yielded row contains the surplus.
func (r *rowReader) yieldSetups(yield func(*Row) bool) bool {
	context, used := r.row.Context, false
	for i := range r.setups {
		s := &r.setups[i]
		some := false
		r.row.Cells = append(r.setupCells[:0], r.cells...)
		for c := range r.row.Cells {
			isBlank := !grid.HasText(&r.cells[c]) || grid.IsDash(r.cells[c].Text)
			isCoefficient := r.table.Columns[c].BandHz > 0 || r.table.Columns[c].Field == columns.Coefficient
			if some = some || s.Own[c] && isCoefficient && !isBlank; !s.Own[c] {
				r.row.Cells[c] = workbook.Cell{}
			}
		}
		if r.setupCells = r.row.Cells; !some {
			continue
		}
		r.setupContext = append(r.setupContext[:0], context...)
		for _, f := range s.Context {
			r.setupContext.Set(f)
		}
		if r.row.Context = r.setupContext; used {
			r.row.Surplus = nil
			r.spend(0, rowCells)
		}
		if used = true; r.scan.err != nil || !yield(&r.row) {
			return false
		}
	}
	if used {
		return true
	}
	r.row.Cells, r.row.Context = r.cells, context
	return yield(&r.row)
}

// takeLink reads the link in the cell that names the product.
func (r *rowReader) takeLink() {
	if r.label < 0 || !grid.HasText(&r.row.Cells[r.label]) {
		return
	}
	at := r.table.position(r.row.Number, r.row.Line, r.label+1)
	if link := r.scan.sheet.Link(at.Number, at.Cell); link != "" {
		r.rowContext = append(append(r.rowContext[:0], r.context...), r.takeFact(grid.FactOf(columns.URL, link, at)))
		r.row.Context = r.rowContext
	}
}

func isAddress(text string) bool {
	return strings.Contains(text, "://") || strings.HasPrefix(strings.TrimSpace(text), "www.")
}

// mergedCells copies the value from the first of several merged cells to the cells below it.
type mergedCells struct {
	ranges []workbook.Range // remaining ranges, sorted by first row
	active []mergedColumn   // current ranges by column; each cell is in at most one range
}

// A mergedColumn is a range over several rows.
type mergedColumn struct {
	lastRow int
	value   workbook.Cell
	centre  int // row of the octave if a coefficient is merged over three third octaves in a long table
}

// fill sets the cells in a row. It does not copy coefficients, because a value merged over two set-ups
// belongs to neither.
func (m *mergedCells) fill(row int, cells []workbook.Cell, cols []header.Column) {
	for len(m.ranges) > 0 && m.ranges[0].FirstRow <= row {
		r := m.ranges[0]
		m.ranges = m.ranges[1:]
		if first := r.FirstColumn - 1; r.FirstRow == row && r.LastColumn == r.FirstColumn+2 && r.LastColumn <= len(cells) &&
			cols[first].BandHz > 0 && slices.Contains(acoustics.OctaveBands, cols[first+1].BandHz) {
			cells[first+1], cells[first] = cells[first], workbook.Cell{} // value of an octave merged over its thirds
		}
		if r.FirstRow == row && r.LastRow > row && r.FirstColumn <= len(cells) {
			if m.active == nil {
				m.active = make([]mergedColumn, len(cells))
			}
			c := r.FirstColumn - 1
			m.active[c] = mergedColumn{lastRow: r.LastRow, value: cells[c]}
			if cols[c].Field == columns.Coefficient && r.LastRow == row+2 {
				m.active[c].centre, cells[c] = row+1, workbook.Cell{}
			}
		}
	}
	for c := range m.active {
		isCoefficient := cols[c].BandHz > 0 || cols[c].Field == columns.Coefficient
		if cells[c].Text == "" && row <= m.active[c].lastRow && (!isCoefficient || row == m.active[c].centre) {
			cells[c] = m.active[c].value
		}
	}
}

// isNumbering reports whether a row numbers the columns: 1, 2, 3.
func isNumbering(cells []workbook.Cell) bool {
	number := 0
	for i := range cells {
		text := strings.TrimSpace(cells[i].Text)
		if text == "" {
			continue
		}
		if number++; text != strconv.Itoa(number) {
			return false
		}
	}
	return number >= 3
}

// summaryPattern matches long names of rows of sums and requirements.
var summaryPattern = regexp.MustCompile(`(?i)^(` + strings.Join(grid.Words("summaries"), "|") + `)\b|\bmittelwert$`)

// summary returns the cell that marks a row as means, totals or limits, or -1. This is the only cell that
// names the product or, if there is none, the first cell with text.
func (r *rowReader) summary(cells []workbook.Cell, first int) int {
	at, named := first, 0
	for _, c := range r.products {
		if strings.TrimSpace(textOf(cells, c)) != "" && r.table.Columns[c].Field != columns.Thickness &&
			!grid.IsDash(cells[c].Text) {
			at, named = c, named+1
		}
	}
	if named > 1 && !r.hasNumber(cells) && isStatistic(cells[first].Text) { // "Summe | 3 Artikel"
		return first
	}
	isForeign := r.table.Layout == columns.Transposed && // "T1 leer [s]"
		columns.MeasurandOf(grid.TextOf(cells, at)).Foreign
	if named > 1 || !isStatistic(cells[at].Text) && !isForeign {
		return -1
	}
	return at
}

// isStatistic reports whether a string names a row of means, totals or limits.
func isStatistic(text string) bool {
	if len(text) > 32 || summaryPattern.MatchString(text) {
		return summaryPattern.MatchString(text)
	}
	text = strings.Trim(text, " :.Øø")
	key := []byte("\n")
	for _, r := range text {
		if r != ' ' && r != '-' && r != '.' {
			key = utf8.AppendRune(key, unicode.ToLower(r))
		}
	}
	return text == "" || strings.Contains(statistics, string(append(key, '\n')))
}

// statistics are the short names of rows of means, totals or limits, in lower case and one per line.
var statistics = "\n" + strings.Join(grid.Words("statistics"), "\n") + "\n"

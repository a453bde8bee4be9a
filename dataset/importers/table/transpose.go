package table

import (
	"cmp"
	"slices"
	"strings"

	"sabine/dataset/importers/workbook"
)

// transposed returns the grid with its columns as rows. Its cells tell where they stand in the sheet.
func (g *grid) transposed() *grid {
	rows := g.rows
	t := &grid{rows: make([]workbook.Row, g.width())}
	for c := range t.rows {
		t.rows[c] = workbook.Row{Number: c + 1, Cells: make([]workbook.Cell, len(rows))}
		for i := range rows {
			if c < len(rows[i].Cells) {
				t.rows[c].Cells[i] = rows[i].Cells[c]
			}
		}
	}
	for _, m := range g.merged {
		if first, end := g.index(m.FirstRow), g.index(m.LastRow+1); first == len(rows) {
			break
		} else if first < end {
			t.merged = append(t.merged, workbook.Range{FirstRow: m.FirstColumn, FirstColumn: first + 1, LastRow: m.LastColumn, LastColumn: end})
		}
	}
	slices.SortFunc(t.merged, func(a, b workbook.Range) int { return cmp.Compare(a.FirstRow, b.FirstRow) })
	t.origin = func(row workbook.Row, column int) (workbook.Row, int) { return rows[column], row.Number - 1 }
	return t
}

// cut returns the fault of a transposed table whose last line is cut off.
func (g *grid) cut(input, sheet string) error {
	lines := len(g.rows[0].Cells)
	if lines < 2 {
		return nil
	}
	last, _ := g.at(0, lines-1)
	if before, _ := g.at(0, lines-2); last.Cut && len(last.Cells) < len(before.Cells) {
		return cutFault(input, sheet, last, len(before.Cells))
	}
	return nil
}

// joinUnits takes a line of units below the names of a transposed table, which is a column of it as it is held here, for a part of those.
func (g *grid) joinUnits(h *header) {
	for c := 1; c < len(h.columns); c++ {
		if c >= len(g.texts[h.leaf]) || g.look(h.leaf, c) != isUnit {
			continue
		}
		units := true
		for row := h.last + 1; row < len(g.rows); row++ {
			units = units && (g.look(row, c) == isUnit || g.look(row, c) == isBlank)
		}
		joined := columnOf(h.columns[c-1].Header + " " + h.columns[c].Header)
		if !units || !joined.known() {
			continue
		}
		h.columns[c-1], h.columns[c] = joined, Column{}
		for row := h.last + 1; row < len(g.rows); row++ {
			if cells := g.rows[row].Cells; c < len(cells) {
				if strings.Contains(cells[c].Text, "%") {
					cells[c-1].Text += " %"
				}
				cells[c] = workbook.Cell{}
			}
		}
	}
}

// applyAttributes takes what the lines above a transposed table say, which are columns of it as it is held here: names with their values in
// one cell, and what stands in the first column alone, above the row that names the others. A quantity without values is of the bands behind.
func (r *sheetReader) applyAttributes(columns []Column, g *grid, h *header) {
	first := slices.IndexFunc(columns, func(c Column) bool { return c.BandHz > 0 || isProductField(c.Field) && c.Field != FieldDescription })
	var group preface
	for c := range columns {
		column := &columns[c]
		values, row := g.values(h, c)
		switch of, value, ok := keyAndValue(column.Header); {
		case column.BandHz > 0:
			column.Quantity, column.Resolution = cmp.Or(column.Quantity, group.quantity), cmp.Or(column.Resolution, group.resolution)
			column.Percent = column.Percent || group.percent
		case values == 0 && ok:
			r.preface.say(of, g.saidValue(h.cells[c], c, value))
			*column = Column{Header: column.Header}
		case values == 0:
			if quantity, resolution := quantityOf(column.Header); quantity != "" || resolution != AnyResolution {
				group = preface{quantity: quantity, resolution: resolution, percent: strings.Contains(column.Header, "%")}
				*column = Column{Header: column.Header}
			} else if column.Header != "" && !column.known() {
				r.preface.unused = append(r.preface.unused, g.named(h.cells[c], c))
			}
		case values == 1 && c < first && row == h.last+1 && len(g.rows) > h.last+2 && isSayable(column):
			said := g.saidValue(row, c, "")
			said.cell = g.rows[row].Cells[c]
			r.preface.say(*column, said)
			g.rows[row].Cells[c] = workbook.Cell{}
			*column = Column{Header: column.Header}
		}
	}
}

// values returns how many cells of a column have a value, and the row of the first one.
func (g *grid) values(h *header, column int) (n, first int) {
	for row := h.last + 1; row < len(g.rows); row++ {
		if column < len(g.rows[row].Cells) && strings.TrimSpace(g.rows[row].Cells[column].Text) != "" {
			if n++; n == 1 {
				first = row
			}
		}
	}
	return n, first
}

// markPercent marks the coefficients of a row whose name, in a transposed table, says that they are percentages.
func (t *tableReader) markPercent() {
	if t.marks < 0 || !strings.Contains(t.cells[t.marks].Text, "%") {
		return
	}
	if t.columns[t.marks].Field != FieldQuantity && !inPercent.MatchString(t.cells[t.marks].Text) {
		return
	}
	for _, c := range t.bands {
		if text := t.cells[c].Text; isNumeric(text) && t.cells[c].Kind != workbook.Percent && !strings.Contains(text, "%") {
			t.cells[c] = workbook.Cell{Text: text + " %"}
		}
	}
}

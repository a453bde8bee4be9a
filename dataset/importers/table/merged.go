package table

import (
	"cmp"
	"slices"

	"sabine/dataset/importers/workbook"
)

// mergedCells gives merged cells below the first one the value of that one.
type mergedCells struct {
	ranges []workbook.Range // those to come, by their first row
	active []mergedColumn   // by column, since a cell is of one range only
}

// A mergedColumn is a range over several rows.
type mergedColumn struct {
	lastRow int
	value   workbook.Cell
}

// fill gives the cells of a row their values. Coefficients are not filled: a value that two set-ups share is said by neither.
func (m *mergedCells) fill(row int, cells []workbook.Cell, columns []Column) {
	for len(m.ranges) > 0 && m.ranges[0].FirstRow <= row {
		r := m.ranges[0]
		m.ranges = m.ranges[1:]
		if r.FirstRow == row && r.LastRow > row && r.FirstColumn <= len(cells) {
			if m.active == nil {
				m.active = make([]mergedColumn, len(cells))
			}
			m.active[r.FirstColumn-1] = mergedColumn{r.LastRow, cells[r.FirstColumn-1]}
		}
	}
	for c := range m.active {
		if columns[c].BandHz == 0 && columns[c].Field != FieldCoefficient && cells[c].Text == "" && row <= m.active[c].lastRow {
			cells[c] = m.active[c].value
		}
	}
}

// mergedFrom returns the ranges that begin at a row or below it.
func mergedFrom(all []workbook.Range, row int) []workbook.Range {
	i, _ := slices.BinarySearchFunc(all, row, func(r workbook.Range, row int) int { return cmp.Compare(r.FirstRow, row) })
	return all[i:]
}

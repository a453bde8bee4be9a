package table

import (
	"sabine/dataset"
	"sabine/dataset/importers/workbook"
)

// readSheet reads the rows of a sheet to readings, and hands them to the products.
func (im *importing) readSheet(input string, s *workbook.Sheet) error {
	var columns []Column
	return s.Rows(func(row workbook.Row) bool {
		if columns == nil {
			for _, cell := range row.Cells {
				columns = append(columns, columnOf(cell.Text))
			}
			return true
		}
		im.products.add(im.readRow(input, s, columns, row))
		return true
	})
}

// placeOf returns the place of a cell.
func placeOf(input, sheet string, row workbook.Row, column int) dataset.Place {
	cell := workbook.CellName(row.Number, column)
	if sheet != "" {
		cell = sheet + "!" + cell
	}
	return dataset.Place{Input: input, Line: row.Line, Cell: cell, Index: -1, Offset: -1}
}

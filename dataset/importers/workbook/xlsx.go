package workbook

import (
	"io"

	"github.com/xuri/excelize/v2"

	"sabine/dataset"
)

// openXLSX reads a workbook.
func openXLSX(name string, r io.Reader) (*Book, error) {
	f, err := excelize.OpenReader(r)
	if err != nil {
		return nil, &dataset.Fault{Place: dataset.Place{Input: name, Index: -1, Offset: -1}, Problem: "not a workbook: " + err.Error()}
	}
	book := &Book{close: f.Close}
	for _, sheet := range f.GetSheetList() {
		book.Sheets = append(book.Sheets, &Sheet{Name: sheet, rows: func(yield func(Row) bool) error {
			rows, err := f.Rows(sheet)
			if err != nil {
				return err
			}
			for number := 1; rows.Next(); number++ {
				texts, err := rows.Columns(excelize.Options{RawCellValue: true})
				if err != nil {
					return err
				}
				cells := make([]Cell, len(texts))
				for i, text := range texts {
					cells[i] = Cell{Text: text}
				}
				if !yield(Row{Number: number, Cells: cells}) {
					break
				}
			}
			return rows.Close()
		}})
	}
	return book, nil
}

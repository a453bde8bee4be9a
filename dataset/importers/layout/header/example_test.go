package header_test

import (
	"fmt"

	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/layout/header"
	"sabine/dataset/importers/workbook"
)

// In the example, the band names are below the name of their group, and above the values.
func Example() {
	var rows []workbook.Row
	for i, texts := range [][]string{
		{"Bezeichnung", "αs", ""}, {"", "125", "250"}, {"Fjord 40", "0,10", "0,35"},
	} {
		row := workbook.Row{Number: i + 1}
		for _, text := range texts {
			row.Cells = append(row.Cells, workbook.Cell{Text: text})
		}
		rows = append(rows, row)
	}
	h := header.Find(grid.New(rows, nil))
	for i := range h.Columns {
		fmt.Println(h.Columns[i].String())
	}
	// Output:
	// label
	// alpha_s 125 Hz
	// alpha_s 250 Hz
}

package grid_test

import (
	"fmt"

	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/workbook"
)

// The example transposes a table whose bands are rows: its lines become columns. One line is a fact.
func Example() {
	cells := func(texts ...string) (cells []workbook.Cell) {
		for _, text := range texts {
			cells = append(cells, workbook.Cell{Text: text})
		}
		return cells
	}
	g := grid.New([]workbook.Row{
		{Number: 1, Cells: cells("Hersteller: Acme")},
		{Number: 2, Cells: cells("Frequenz", "Fjord 40", "Hygge 20")},
		{Number: 3, Cells: cells("125 Hz", "0,10", "0,05")},
	}, nil)
	turned := g.Transposed()
	for row := range turned.Rows {
		fmt.Printf("%q %q\n", turned.Text(row, 1), turned.Text(row, 2))
	}
	fact, _, _ := grid.PairIn(g.Rows[0])
	fmt.Println(fact.Column.Field, fact.Cell.Text)
	// Output:
	// "Frequenz" "125 Hz"
	// "Fjord 40" "0,10"
	// "Hygge 20" "0,05"
	// manufacturer Acme
}

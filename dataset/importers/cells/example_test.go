package cells_test

import (
	"fmt"
	"strings"

	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
)

// The example reads fields, lengths and curves from a table row.
func Example() {
	table := &layout.Table{Input: "list.csv"}
	for _, name := range []string{"Bezeichnung", "Dicke", "Brandklasse", "Farbe", "αs 125 Hz", "αs 250 Hz"} {
		table.Columns = append(table.Columns, layout.Column{Column: columns.Parse(name)})
	}
	row := &layout.Row{Number: 2}
	for text := range strings.SplitSeq("Platte;4 cm;A2 - s1, d0 nach EN 13501-1;weiß;0,15;35 %", ";") {
		row.Cells = append(row.Cells, workbook.Cell{Text: text})
	}
	reader := cells.NewReader(table)
	r := reader.Read(row)
	fmt.Println(r.Text(columns.Label), r.Thickness, r.Text(columns.FireClass))
	fmt.Println(r.Curves[0].Quantity, r.Curves[0].Resolution, r.Curves[0].Points)
	fmt.Println(r.Faults[0].Error())
	// Output:
	// Platte 40 mm A2-s1,d0
	// alpha_s octave [{125 0.15} {250 0.35}]
	// list.csv[F2]: αs 250 Hz: mixed units: some cells of this curve are percentages and others are not; compare with E2
}

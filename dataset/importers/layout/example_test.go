package layout_test

import (
	"fmt"
	"log"
	"strings"

	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
)

// The file's bands are rows. In the resulting table, each row is a set-up, regardless of the file's layout.
func Example() {
	const file = "Hersteller: Acme;;\nFrequenz;Fjord 40;Hygge 20\n125 Hz;0,10;0,05\n250 Hz;0,35;0,15\n"
	book, err := workbook.Open("list.csv", strings.NewReader(file), workbook.Options{})
	if err != nil {
		log.Fatal(err)
	}
	scanner := layout.NewScanner(book.Sheets[0], layout.Options{Input: "list.csv"})
	defer scanner.Close()
	for {
		table, err := scanner.Next()
		if err != nil {
			log.Fatal(err)
		}
		if table == nil {
			break
		}
		table.Rows(func(row *layout.Row) bool {
			for i, cell := range row.Cells {
				if cell.Text != "" {
					fmt.Print(table.Columns[i].String(), " ", cell.Text, ", ")
				}
			}
			fmt.Println(row.Context[0].Column.Field, row.Context[0].Cell.Text)
			return true
		})
	}
	// Output:
	// label Fjord 40, 125 Hz 0,10, 250 Hz 0,35, manufacturer Acme
	// label Hygge 20, 125 Hz 0,05, 250 Hz 0,15, manufacturer Acme
}

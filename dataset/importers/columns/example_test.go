package columns_test

import (
	"fmt"

	"sabine/dataset/importers/columns"
)

// The example shows what the column names of a table mean.
func Example() {
	header := []columns.Column{}
	for _, name := range []string{"Bezeichnung", "Stärke (cm)", "αs 125 Hz [%]", "250", "EK-Preis", "Farbe"} {
		header = append(header, columns.Parse(name))
	}
	columns.Resolve(header)
	for _, c := range header {
		fmt.Printf("%-14s %s\n", c.Header, c.String())
	}
	// Output:
	// Bezeichnung    label
	// Stärke (cm)    thickness_cm
	// αs 125 Hz [%]  alpha_s 125 Hz %
	// 250            250 Hz
	// EK-Preis       -
	// Farbe
}

package products_test

import (
	"fmt"

	"sabine/dataset/acoustics"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/products"
)

// Two rows from package cells are two set-ups of one product.
func Example() {
	table := &layout.Table{Input: "list.csv"}
	s := products.New(products.Options{Manufacturer: "Acme", SourceKind: "measured"})
	for i, thickness := range []float64{20, 40} {
		s.Add(&cells.Row{
			Table: table, Number: i + 2, Line: i + 2,
			Values:    []cells.Value{{Field: columns.Label, Text: "Filz", Header: "Name", Cell: 1}},
			Thickness: cells.Length{MM: thickness, Known: true},
			Curves: []cells.Curve{{
				Quantity: columns.AlphaS, Resolution: columns.Octave,
				Points: acoustics.Curve{{BandHz: 500, Value: thickness / 100}},
			}},
		})
	}
	for r := range s.Products() {
		fmt.Println(r.Key.Name, "of", r.Key.Manufacturer, "in", r.Place)
		for _, a := range r.Product.Measurements.Absorption {
			fmt.Println(a.ID, *a.ThicknessMM, "mm:", a.AlphaSOctave)
		}
	}
	// Output:
	// Filz of Acme in list.csv:2[A2]
	// abs-t20 20 mm: [{500 0.2}]
	// abs-t40 40 mm: [{500 0.4}]
}

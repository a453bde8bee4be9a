package table_test

import (
	"fmt"
	"io"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/table"
)

// In the example, two rows are set-ups of one product. The purchase price is left out, with a warning.
func ExampleInput() {
	const list = "Artikel;Hersteller;Montage;250 Hz;500 Hz;1 kHz;EK netto\n" +
		"Filz;Acme;E-200;0,35;0,70;0,85;12,90\n" +
		"Filz;Acme;E-400;50 %;75 %;85 %;dto.\n"
	file := dataset.Input{Name: "list.csv", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(list)), nil
	}}
	var account table.Account
	tables := table.Input([]dataset.Input{file}, table.Options{SourceKind: "measured", Account: &account})
	reader := dataset.NewReader([]dataset.Input{tables})
	for raw, err := range reader.Records() {
		if err != nil {
			fmt.Println(err)
			continue
		}
		p := dataset.Parse(raw).Product
		fmt.Println(p.Label.In("de"), "of", p.Manufacturer.Name)
		for _, a := range p.Measurements.Absorption {
			fmt.Println(a.ID, a.AlphaSOctave)
		}
	}
	for _, w := range reader.Warnings() {
		fmt.Println(&w)
	}
	fmt.Println(account.Tables[0].Columns[6].Became)
	// Output:
	// Filz of Acme
	// abs-e-200 [{250 0.35} {500 0.7} {1000 0.85}]
	// abs-e-400 [{250 0.5} {500 0.75} {1000 0.85}]
	// list.csv:1[G1]: columns with prices, discounts, stock or notes are left out unless a map includes them: G1 "EK netto"
	// -
}

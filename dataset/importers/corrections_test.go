package importers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/product"
)

func TestATableOfCorrections(t *testing.T) {
	const id = "00000000-0000-4000-8000-000000000001"
	const record = `{"id":"` + id + `","label":"Felt","manufacturer":"Acme","fire_class":"E",` +
		`"structured_meta":{"Artikelnummer":"47"}}`
	tests := []struct{ rule, table, want, finding string }{
		{"by id", "id;Brandklasse\n" + id + ";B\n", "Felt, Acme, B", ""},
		{"by id, with another label and manufacturer", "id;Hersteller;Name;Brandklasse\n" + id + ";Werk;Filz;B\n",
			"Filz, Werk, B", ""},
		{"by article number", "Artikelnummer;Brandklasse\n47;B\n", "Felt, Acme, B", ""},
		{"by article number and manufacturer", "Artikelnummer;Hersteller;Name;Brandklasse\n47;ACME;Filz;B\n",
			"Filz, Acme, B", ""},
		{"by label", "Name;Brandklasse\nFelt;B\n", "Felt, Acme, B", ""},
		{"by label and manufacturer", "Name;Hersteller;Brandklasse\nFelt;ACME;B\n", "Felt, Acme, B", ""},
		{"a cell without a value gives nothing", "Name;Hersteller;Brandklasse;Kategorie\nFelt;Acme;;Filz\n",
			"Felt, Acme, E", ""},
		{"of no product", "Name;Hersteller;Brandklasse\nFelt;Werk;B\n", "Felt, Acme, E",
			`t.csv:2[A2]: no product has the label "Felt" of "Werk": the correction has no effect`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			text := strings.ReplaceAll(test.table, "\n", ";;\n")
			text = strings.Replace(text, ";;\n", ";125 Hz;250 Hz\n", 1)
			c, err := dataset.ReadCorrections(t.Context(), Corrections([]dataset.Input{textInput("t.csv", text)}))
			if err != nil {
				t.Fatal(err)
			}
			parsed, done := c.Parse(dataset.Raw{JSON: []byte(record)})
			c.Note(dataset.Place{}, done)
			faults, warnings := c.Finish()
			var found []string
			for _, f := range slices.Concat(c.Faults, faults, warnings, parsed.Faults) {
				found = append(found, f.Error())
			}
			p := parsed.Product
			got := fmt.Sprintf("%s, %s, %s", p.Label.In(product.German), p.Manufacturer.Name, p.FireClass.Class)
			if got != test.want || strings.Join(found, "\n") != test.finding {
				t.Errorf("got  %s %q\nwant %s %q", got, found, test.want, test.finding)
			}
		})
	}
}

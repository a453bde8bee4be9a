package dataset_test

import (
	"fmt"
	"io"
	"strings"

	"sabine/dataset"
)

// The example reads a catalogue record by record. A fault states its place and the expected value.
func Example() {
	const catalogue = `{"id":"0b6f0d1e-0000-4000-8000-000000000001","label":"Filz 25","manufacturer":"Müller & Söhne","measurements":` +
		`{"absorption_iso_354":[{"source_kind":"measured","alpha_s_octave":{"250":0.55,"500":0.8,"1000":0.95,"2000":1,"4000":0.95}}]}}
{"id":"0b6f0d1e-0000-4000-8000-000000000002","label":"Filz 40","manufacturer":"Müller & Söhne","alpha_w":"hoch"}
`
	input := dataset.Input{Name: "catalogue.ndjson", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(catalogue)), nil
	}}
	checker := dataset.NewChecker()
	for raw, err := range dataset.NewReader([]dataset.Input{input}).Records() {
		if err != nil {
			fmt.Println(err)
			continue
		}
		parsed := dataset.Parse(raw)
		faults := parsed.Faults
		if p := parsed.Product; p != nil {
			faults, _ = checker.Add(raw.Place, p)
			fmt.Println(p.Label.In("en"), p.Manufacturer.Slug, *p.AlphaW)
		}
		for i := range faults {
			fmt.Println(faults[i].Error())
		}
	}
	// Output:
	// Filz 25 mueller-soehne 0.8
	// catalogue.ndjson:2: product 0b6f0d1e-0000-4000-8000-000000000002: alpha_w: expected a number or null, got the string "hoch"
}

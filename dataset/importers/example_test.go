package importers_test

import (
	"fmt"
	"strings"

	"sabine/dataset/importers"
)

// A table becomes source records.
func ExampleCSV() {
	const table = "Bezeichnung;Hersteller;250 Hz;500 Hz;1 kHz\nFilz 25;Müller & Söhne;0,55;80 %;0,95\n"
	var out strings.Builder
	err := importers.CSV(&out, strings.NewReader(table), importers.Options{})
	fmt.Print(out.String(), err)
	// Output:
	// {"id":"353205e8-48be-5ef9-8a66-160c854c9210","label":{"de":"Filz 25"},"manufacturer":"Müller & Söhne","measurements":{"absorption_iso_354":[{"source_kind":"literature","alpha_s_octave":{"250":0.55,"500":0.8,"1000":0.95}}]}}
	// <nil>
}

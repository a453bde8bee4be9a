package importers_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers"
	"sabine/dataset/importers/table"
)

// The example converts a table to source records.
func ExampleRecords() {
	const list = "Bezeichnung;Hersteller;250 Hz;500 Hz;1 kHz\nFilz 25;Müller & Söhne;55 %;80 %;95 %\n"
	file := dataset.Input{Name: "list.csv", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(list)), nil
	}}
	records := table.Input([]dataset.Input{file}, table.Options{SourceKind: "measured"})
	summary, err := importers.Records(context.Background(), os.Stdout, []dataset.Input{records}, false)
	fmt.Println(summary.Products, summary.Faults.Total, err)
	// Output:
	// {"id":"353205e8-48be-5ef9-8a66-160c854c9210","label":"Filz 25","manufacturer":"Müller & Söhne","measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"measured","alpha_s_octave":{"250":0.55,"500":0.8,"1000":0.95}}]}}
	// 1 0 <nil>
}

package export_test

import (
	"context"
	"io"
	"log"
	"os"
	"strings"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve/export"
)

func Example() {
	const records = `{"id":"6f1c2f0e-9d0b-4f0e-8a57-0d8d6a1f0001","slug":"wolke","label":"Deckensegel Wolke","manufacturer":"Stillwerk","material_category":"textil",
		"measurements":{"absorption_iso_354":[{"source_kind":"measured","mounting":"E-400","alpha_s_octave":{"125":0.3,"250":0.725,"500":0.95,"1000":1.05,"2000":1,"4000":0.9}}]}}`
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, folder := context.Background(), snapshot.Folder{Dir: dir}
	input := dataset.Input{Name: "example.json", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(records)), nil
	}}
	report, err := compiler.Build(ctx, compiler.Options{Inputs: []dataset.Input{input}, Folder: folder})
	if err != nil {
		log.Fatal(err)
	}
	g, err := runtime.Open(ctx, folder.Path(report.File))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = g.Close() }()

	products, o := g.Select(&runtime.Query{}), export.Options{Format: export.CATT}
	notes, err := export.NotesOf(products, &o, context.Background().Err)
	if err != nil {
		log.Fatal(err)
	}
	if err := export.Write(os.Stdout, products, &o, notes); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ; absorption in percent at 125 250 500 1000 2000 4000 Hz
	// wolke = <30.0 72.5 95.0 100.0 100.0 90.0>
	//  C:textil
	//  D:Deckensegel Wolke, Stillwerk, mounting E-400
	// ; clipped=1; raised=0; left_out=0; held=0
}

package runtime_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// Example compiles two records, opens the snapshot and searches it with a typing error.
func Example() {
	const records = `
{"id":"6f1c2f0e-9d0b-4f0e-8a57-0d8d6a1f0001","slug":"wolke","label":"Deckensegel Wolke","manufacturer":"Stillwerk","installation_types":["ceiling"],"alpha_w":0.9}
{"id":"6f1c2f0e-9d0b-4f0e-8a57-0d8d6a1f0002","slug":"welle","label":"Wandabsorber Welle","manufacturer":"Stillwerk","installation_types":["wall"],"alpha_w":0.7}
`
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	folder := snapshot.Folder{Dir: dir}
	input := dataset.Input{
		Name: "example.ndjson",
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(records)), nil },
	}
	ctx := context.Background()
	if _, err := compiler.Build(ctx, compiler.Options{Inputs: []dataset.Input{input}, Folder: folder}); err != nil {
		log.Fatal(err)
	}
	name, err := folder.Current()
	if err != nil {
		log.Fatal(err)
	}

	g, err := runtime.Open(ctx, folder.Path(name))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = g.Close() }()
	r := g.Search(&runtime.Query{Text: "Deckensegl", Limit: 20, Facets: true})
	fmt.Println(r.Total, r.Strategy, r.UsedFallback)
	for _, d := range r.Docs {
		fmt.Printf("%.87s …\n", g.AppendDetail(nil, d, false))
	}
	fmt.Println(r.Facets.Installations)
	// Output:
	// 1 fuzzy true
	// {"id":"6f1c2f0e-9d0b-4f0e-8a57-0d8d6a1f0001","slug":"wolke","label":"Deckensegel Wolke" …
	// [{ceiling 1}]
}

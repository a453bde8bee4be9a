package compiler_test

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
)

// This example compiles a catalogue twice. Since the content is the same, the second build changes nothing.
func Example() {
	dir, err := os.MkdirTemp("", "sabine")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	const records = `{"id": "0b6f4c3e-58a8-42eb-852b-be809a01c8e0", "label": "Vorhang", "manufacturer": "ACME", "material_category": "textil"}
{"id": "5a1d2c77-0c0e-4d0a-9a53-0f0f6d7b1c11", "label": "Holzpaneel", "manufacturer": "ACME", "material_category": "holz"}
`
	options := compiler.Options{
		Folder: snapshot.Folder{Dir: dir},
		Inputs: []dataset.Input{{Name: "catalogue.ndjson", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(records)), nil
		}}},
	}
	for range 2 {
		report, err := compiler.Build(context.Background(), options)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(report.Outcome, report.Counts.Products, "products", report.Families["material_category"])
	}
	// Output:
	// built 2 products map[holz:1 textil:1]
	// unchanged 2 products map[holz:1 textil:1]
}

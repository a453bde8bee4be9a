package dataset

import (
	"embed"
	"io"
)

// sampleFiles contains the sample catalogue: reference materials with coefficients from the literature,
// synthetic products, the product in the examples of the OpenAPI document, and a vocabulary.
// synthetic/sample_test.go generates references.ndjson from references.csv, and products.ndjson with
// synthetic.Generate. The other files are written by hand.
//
//go:embed sample/example.ndjson sample/references.ndjson sample/products.ndjson sample/vocabulary.json
var sampleFiles embed.FS

// Sample returns the embedded sample catalogue as inputs of a Reader.
func Sample() []Input {
	names := []string{"sample/example.ndjson", "sample/products.ndjson", "sample/references.ndjson",
		"sample/vocabulary.json"}
	inputs := make([]Input, len(names))
	for i, name := range names {
		inputs[i] = Input{Name: name, Open: func() (io.ReadCloser, error) { return sampleFiles.Open(name) }}
	}
	return inputs
}

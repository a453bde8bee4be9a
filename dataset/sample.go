package dataset

import (
	"embed"
	"io"
)

// The sample catalogue: reference materials with coefficients from the literature, synthetic products, the
// product of the OpenAPI document's examples, and their vocabulary. The first two catalogues are made by
// synthetic/sample_test.go, from references.csv and by synthetic.Generate; the example and the vocabulary are
// written by hand.
//
//go:embed sample/example.ndjson sample/references.ndjson sample/products.ndjson sample/vocabulary.json
var sampleFiles embed.FS

// Sample returns the sample catalogue inside the binary, as inputs of a Reader.
func Sample() []Input {
	names := []string{"sample/example.ndjson", "sample/products.ndjson", "sample/references.ndjson",
		"sample/vocabulary.json"}
	inputs := make([]Input, len(names))
	for i, name := range names {
		inputs[i] = Input{Name: name, Open: func() (io.ReadCloser, error) { return sampleFiles.Open(name) }}
	}
	return inputs
}

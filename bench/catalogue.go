package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"sabine/bench/queries"
	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/synthetic"
	"sabine/indexes/snapshot"
)

// Products returns the number of products for benchmarks and tests that use a single catalogue. It is the
// value of BENCH_PRODUCTS, or 10,000 if that is not set.
func Products() (int, error) {
	text := os.Getenv("BENCH_PRODUCTS")
	if text == "" {
		return 10_000, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("BENCH_PRODUCTS: expected a number of products, got %q", text)
	}
	return n, nil
}

// A Catalogue is a synthetic catalogue in memory, as NDJSON.
type Catalogue []byte

// NewCatalogue generates a catalogue of n products.
func NewCatalogue(n int) (Catalogue, error) {
	var b bytes.Buffer
	err := synthetic.Generate(&b, n, queries.Seed)
	return b.Bytes(), err
}

// Questions returns the published products and the questions derived from them.
func (c Catalogue) Questions() ([]queries.Product, []queries.Class, error) {
	products, err := queries.Read(bytes.NewReader(c))
	return products, queries.Derive(products, queries.Seed, queries.PerClass), err
}

// Build compiles the catalogue into dir and returns the path of the snapshot.
func (c Catalogue) Build(dir string) (path string, err error) {
	input := dataset.Input{Name: "catalogue.ndjson", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(c)), nil
	}}
	folder := snapshot.Folder{Dir: dir}
	report, err := compiler.Build(context.Background(), compiler.Options{Inputs: []dataset.Input{input}, Folder: folder})
	if err != nil {
		return "", err
	}
	return folder.Path(report.File), nil
}

package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/synthetic"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// seed is the one seed of every measured catalogue, so that figures of two runs speak of the same products.
const seed = 1

// Sizes returns how many products the measured catalogues have: BENCH_PRODUCTS, else 10,000 and 100,000, and with
// BENCH_LARGE a million too.
func Sizes() ([]int, error) {
	switch {
	case os.Getenv("BENCH_PRODUCTS") != "":
		n, err := Products()
		return []int{n}, err
	case os.Getenv("BENCH_LARGE") != "":
		return []int{10_000, 100_000, 1_000_000}, nil
	}
	return []int{10_000, 100_000}, nil
}

// Products returns the size of the one catalogue of what measures or judges no more than one: BENCH_PRODUCTS, else
// 10,000.
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

// A Catalogue is a synthetic catalogue as NDJSON in memory.
type Catalogue struct {
	Products int
	NDJSON   []byte
}

// NewCatalogue generates a catalogue of n products.
func NewCatalogue(n int) (*Catalogue, error) {
	var b bytes.Buffer
	if err := synthetic.Generate(&b, n, seed); err != nil {
		return nil, err
	}
	return &Catalogue{n, b.Bytes()}, nil
}

// Build compiles the catalogue into a folder.
func (c *Catalogue) Build(dir string) (*compiler.Report, error) {
	input := dataset.Input{Name: "catalogue.ndjson", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(c.NDJSON)), nil
	}}
	return compiler.Build(context.Background(), compiler.Options{Inputs: []dataset.Input{input}, Folder: snapshot.Folder{Dir: dir}})
}

// Compile compiles the catalogue into a folder and returns the snapshot's path.
func (c *Catalogue) Compile(dir string) (path string, err error) {
	report, err := c.Build(dir)
	if err != nil {
		return "", err
	}
	return snapshot.Folder{Dir: dir}.Path(report.File), nil
}

// Open compiles the catalogue into a folder and opens it.
func (c *Catalogue) Open(dir string) (*runtime.Generation, error) {
	path, err := c.Compile(dir)
	if err != nil {
		return nil, err
	}
	return runtime.Open(context.Background(), path)
}

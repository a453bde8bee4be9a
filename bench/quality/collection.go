package quality

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/klauspost/compress/zstd"

	"sabine/bench/queries"
	"sabine/dataset"
	"sabine/dataset/product"
)

// A Collection is a catalogue and the queries that somebody has judged on it.
type Collection struct {
	Name     string
	Inputs   []dataset.Input // to build it from
	Products []*product.Product
	Queries  []*Query
}

// The sample has judged queries beside it. The two halves of the blind collection are two catalogues of
// invented makers, each with queries of its own, written by people who knew neither rules nor lists nor an
// answer. The locked half is compressed, so that nobody reads it in passing: it is scored, and no rule is
// made of what it holds.
//
//go:embed judged.txt open locked
var files embed.FS

// Sample returns the sample catalogue with its queries.
func Sample() (*Collection, error) { return read("sample", dataset.Sample(), "judged.txt") }

// Open returns the half of the blind collection that rules may be made of.
func Open() (*Collection, error) {
	return read("open", embedded("open/products.ndjson", "open/vocabulary.json"), "open/judged.txt")
}

// Locked returns the half of the blind collection that is only scored.
func Locked() (*Collection, error) {
	return read("locked", embedded("locked/products.ndjson.zst", "locked/vocabulary.json.zst"), "locked/judged.txt.zst")
}

func embedded(names ...string) []dataset.Input {
	var inputs []dataset.Input
	for _, name := range names {
		inputs = append(inputs, dataset.Input{Name: path.Base(name), Open: func() (io.ReadCloser, error) {
			return files.Open(name)
		}})
	}
	return inputs
}

// read reads the published products of a catalogue and the judgements of them.
func read(name string, inputs []dataset.Input, judged string) (*Collection, error) {
	c := &Collection{Name: name, Inputs: inputs}
	err := queries.Published(inputs, func(p *product.Product, _ *dataset.Vocabulary) {
		c.Products = append(c.Products, p)
	})
	text, readErr := readText(judged)
	if err := errors.Join(err, readErr); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c.Queries, err = readQueries(judged, text, c.Products)
	return c, err
}

// readText reads a file that may be compressed.
func readText(name string) (string, error) {
	text, err := files.ReadFile(name)
	if err == nil && path.Ext(name) == ".zst" {
		decoder, _ := zstd.NewReader(nil) // without options it has no error
		defer decoder.Close()
		text, err = decoder.DecodeAll(text, nil)
	}
	return string(text), err
}

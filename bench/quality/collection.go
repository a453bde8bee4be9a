package quality

import (
	"embed"
	"fmt"
	"io"
	"path"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"

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
	for raw, err := range dataset.NewReader(inputs).Records() {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		parsed := dataset.Parse(raw)
		if len(parsed.Faults) > 0 {
			return nil, fmt.Errorf("%s: %w", name, &parsed.Faults[0])
		}
		if parsed.Product.Published {
			c.Products = append(c.Products, parsed.Product)
		}
	}
	text, err := readText(judged)
	if err != nil {
		return nil, err
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

// byID returns the products by their ids.
func (c *Collection) byID() map[uuid.UUID]*product.Product {
	products := map[uuid.UUID]*product.Product{}
	for _, p := range c.Products {
		products[p.ID] = p
	}
	return products
}

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

// The sample has judged queries beside it. The three parts of the blind collection are catalogues of invented
// makers, each with its own queries. Their writers knew neither rules nor lists nor an answer. The locked and
// the third part are compressed, so that nobody reads them in passing: they are scored, and no rule is made of
// what they hold.
//
//go:embed judged.txt open locked third
var files embed.FS

// Sample returns the sample catalogue with its queries.
func Sample() (*Collection, error) { return read("sample", dataset.Sample(), "judged.txt") }

// Open returns the half of the blind collection that rules may be made of.
func Open() (*Collection, error) {
	return read("open", embedded("open/products.ndjson", "open/vocabulary.json"), "open/judged.txt")
}

// Locked returns the half of the blind collection that is only scored.
func Locked() (*Collection, error) { return readLocked("locked") }

// Third returns the part of the blind collection that was written last, after the rules that the open half
// gave. It is only scored.
func Third() (*Collection, error) { return readLocked("third") }

func readLocked(name string) (*Collection, error) {
	return read(name, embedded(name+"/products.ndjson.zst", name+"/vocabulary.json.zst"), name+"/judged.txt.zst")
}

// Collections lists the functions that read the collections, the sample first.
var Collections = []func() (*Collection, error){Sample, Open, Locked, Third}

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

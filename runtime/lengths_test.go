package runtime_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"sabine/compiler"
	"sabine/dataset"
	source "sabine/dataset/product"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// parseNamed parses the record of a product with an id and a slug, or returns nil if they are invalid.
func parseNamed(id, slug string) (p *source.Product, record string) {
	record = fmt.Sprintf(`{"id":%q,"slug":%q,"label":"L","manufacturer":"M"}`, id, slug)
	return dataset.Parse(dataset.Raw{JSON: []byte(record)}).Product, record
}

// TestWhatARecordMayBeCalledIsFound checks that Lookup finds every id and slug that package dataset allows:
// the longest slug, and every valid form of a UUID.
func TestWhatARecordMayBeCalledIsFound(t *testing.T) {
	const id = "6f1c2f0e-9d0b-4f0e-8a57-0d8d6a1f0001"
	slug, record := "", ""
	for {
		p, next := parseNamed(id, slug+"a")
		if p == nil {
			break
		}
		slug, record = slug+"a", next
	}
	folder := snapshot.Folder{Dir: t.TempDir()}
	input := dataset.Input{Name: "a.ndjson", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(record)), nil
	}}
	built, err := compiler.Build(context.Background(), compiler.Options{Inputs: []dataset.Input{input}, Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	g, err := runtime.Open(context.Background(), folder.Path(built.File))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = g.Close() }()
	for _, name := range []string{slug, slug + "a", ""} {
		if _, found := g.Lookup(name); found != (name == slug) {
			t.Errorf("a slug of %d bytes: found: %t", len(name), found)
		}
	}
	for _, form := range []string{id, strings.ToUpper(id), "{" + id + "}", "urn:uuid:" + id,
		strings.ReplaceAll(id, "-", ""), strings.ReplaceAll(id, "-", "0")} {
		p, _ := parseNamed(form, "a")
		if _, found := g.Lookup(form); found != (p != nil) {
			t.Errorf("%s: found: %t, valid in a record: %t", form, found, p != nil)
		}
	}
}

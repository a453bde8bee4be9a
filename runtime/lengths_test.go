package runtime_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// TestTheLongestSlugIsFound: a lookup knows by itself how long a slug is, since runtime never sees source records. It finds
// the longest one that a record may have, and the UUID of its product.
func TestTheLongestSlugIsFound(t *testing.T) {
	const id = "6f1c2f0e-9d0b-4f0e-8a57-0d8d6a1f0001"
	slug, record := "", ""
	for {
		next := slug + "a"
		text := fmt.Sprintf(`{"id":%q,"slug":%q,"label":"L","manufacturer":"M"}`, id, next)
		if dataset.Parse(dataset.Raw{JSON: []byte(text)}).Product == nil {
			break
		}
		slug, record = next, text
	}
	folder := snapshot.Folder{Dir: t.TempDir()}
	input := dataset.Input{Name: "a.ndjson", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(record)), nil }}
	built, err := compiler.Build(context.Background(), compiler.Options{Inputs: []dataset.Input{input}, Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	g, err := runtime.Open(context.Background(), folder.Path(built.File))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = g.Close() }()
	for _, name := range []string{slug, id, strings.ToUpper(id)} {
		if _, ok := g.Lookup(name); !ok {
			t.Errorf("%d bytes, %.40s: not found", len(name), name)
		}
	}
	if _, ok := g.Lookup(slug + "a"); ok {
		t.Error("a slug that no record may have is found")
	}
}

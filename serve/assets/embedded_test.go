package assets_test

import (
	"bytes"
	"io"
	"maps"
	"testing"

	"github.com/klauspost/compress/gzip"

	"sabine/serve/explorer"
	"sabine/serve/reference"
)

// Read does not verify that both codings of a file have the same content. This test verifies it.
func TestEmbeddedFilesHaveTheSameContentInBothCodings(t *testing.T) {
	files, err := explorer.Assets()
	if err != nil {
		t.Fatal(err)
	}
	others, err := reference.Files()
	if err != nil {
		t.Fatal(err)
	}
	files = maps.Clone(files)
	maps.Copy(files, others)
	for name, f := range files {
		r, err := gzip.NewReader(bytes.NewReader(f.Gzip))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if plain, err := io.ReadAll(r); err != nil || !bytes.Equal(plain, f.Plain()) || len(plain) != f.Size {
			t.Errorf("%s: gzip holds %d bytes (%v), zstd %d, and Size is %d", name, len(plain), err, len(f.Plain()), f.Size)
		}
	}
}

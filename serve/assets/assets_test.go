package assets

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// packed writes files to a folder, packs it, and returns its files.
func packed(t *testing.T, files map[string]string) fstest.MapFS {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time, Pack must not change anything
		if err := Pack(dir); err != nil {
			t.Fatal(err)
		}
	}
	tree := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			var text []byte
			text, err = fs.ReadFile(os.DirFS(dir), name)
			tree[name] = &fstest.MapFile{Data: text}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

var sources = map[string]string{"a.js": strings.Repeat("let a = 1;\n", 1000), "sub/b.css": "body{}", "empty.txt": ""}

func TestReadReturnsPackedFiles(t *testing.T) {
	tree := packed(t, sources)
	if len(tree) != 2*len(sources) {
		t.Errorf("packed %v", tree)
	}
	files, err := Read(tree)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]string{"a.js": "text/javascript; charset=utf-8", "sub/b.css": "text/css; charset=utf-8",
		"empty.txt": "text/plain; charset=utf-8"}
	for name, text := range sources {
		f := files[name]
		if f == nil {
			t.Fatalf("%s is not there", name)
		}
		if string(f.Plain()) != text || f.Size != len(text) || len(f.Hash) != 32 || f.MediaType != types[name] {
			t.Errorf("%s: got %q, %d bytes, hash %q, %s", name, f.Plain(), f.Size, f.Hash, f.MediaType)
		}
	}
	if len(files) != len(sources) {
		t.Errorf("got %d files, want %d", len(files), len(sources))
	}
}

func TestTheSameFilesGiveTheSameBytes(t *testing.T) {
	first, second := packed(t, sources), packed(t, sources)
	for name, file := range first {
		if !bytes.Equal(file.Data, second[name].Data) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestInvalidTrees(t *testing.T) {
	for _, tt := range []struct {
		damage string
		do     func(fstest.MapFS)
		want   string
	}{
		{"a file is plain", func(m fstest.MapFS) { m["c.js"] = &fstest.MapFile{} }, "c.js is not packed"},
		{"gzip is missing", func(m fstest.MapFS) { delete(m, "a.js.gz") }, "a.js.gz"},
		{"zstd is missing", func(m fstest.MapFS) { delete(m, "a.js.zst") }, "a.js.zst"},
		{"gzip is cut", func(m fstest.MapFS) { m["a.js.gz"].Data = m["a.js.gz"].Data[:3] }, "a.js.gz: expected at least 4 bytes, got 3"},
		{"an unknown extension", func(m fstest.MapFS) {
			m["x.exe.zst"] = m["a.js.zst"]
		}, `unknown extension ".exe"`},
	} {
		t.Run(tt.damage, func(t *testing.T) {
			tree := packed(t, sources)
			tt.do(tree)
			if _, err := Read(tree); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

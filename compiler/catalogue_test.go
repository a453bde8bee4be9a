package compiler_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"testing"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/synthetic"
	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// A record is a source record. Tests set only the fields that they need.
type record map[string]any

// newRecord returns a valid record with the given fields. Its id, slug and label contain the number n.
func newRecord(n int, fields record) record {
	r := record{"id": idOf(n), "slug": fmt.Sprintf("panel-%d", n), "label": fmt.Sprintf("Panel %d", n),
		"manufacturer": "ACME"}
	maps.Copy(r, fields)
	return r
}

func idOf(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// newRecords returns n valid records.
func newRecords(n int) []record {
	all := make([]record, n)
	for i := range all {
		all[i] = newRecord(i, nil)
	}
	return all
}

// ndjson returns records as NDJSON.
func ndjson(t testing.TB, records ...record) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, r := range records {
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// input returns an input in memory.
func input(name string, content []byte) dataset.Input {
	return dataset.Input{Name: name, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}}
}

// catalogue returns records as one input with the name catalogue.ndjson.
func catalogue(t testing.TB, records ...record) []dataset.Input {
	t.Helper()
	return []dataset.Input{input("catalogue.ndjson", ndjson(t, records...))}
}

// generated returns the records of a synthetic catalogue, without line feeds.
func generated(t testing.TB, n int, seed uint64) [][]byte {
	t.Helper()
	var b bytes.Buffer
	if err := synthetic.Generate(&b, n, seed); err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(b.Bytes(), []byte("\n")), []byte("\n"))
}

// build builds into the folder in the options, or into a new folder if there is none.
func build(t testing.TB, o compiler.Options) (*compiler.Report, error) {
	t.Helper()
	if o.Folder.Dir == "" {
		o.Folder.Dir = t.TempDir()
	}
	return compiler.Build(context.Background(), o)
}

func mustBuild(t testing.TB, o compiler.Options) *compiler.Report {
	t.Helper()
	r, err := build(t, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// open opens a snapshot in a folder and returns its indexes.
func open(t testing.TB, folder snapshot.Folder, name string) *indexes.Index {
	t.Helper()
	f, err := snapshot.Open(folder.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if err := f.VerifyChecksums(context.Background()); err != nil {
		t.Fatal(err)
	}
	x, err := indexes.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// current returns the content of CURRENT, or "" if there is no CURRENT.
func current(t testing.TB, folder snapshot.Folder) string {
	t.Helper()
	b, err := os.ReadFile(folder.Path("CURRENT"))
	if os.IsNotExist(err) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

// names returns the names of all files in a folder except the lock.
func names(t testing.TB, folder snapshot.Folder) []string {
	t.Helper()
	entries, err := os.ReadDir(folder.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		if e.Name() != ".lock" {
			all = append(all, e.Name())
		}
	}
	return all
}

// stored returns the report stored in a file.
func stored(t testing.TB, path string) *compiler.Report {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r compiler.Report
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

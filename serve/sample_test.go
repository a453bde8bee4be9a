package serve_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
)

// builtSample returns the folder of the sample catalogue, which is built once for all tests.
var builtSample = sync.OnceValues(func() (snapshot.Folder, error) {
	folder := snapshot.Folder{Dir: filepath.Join(work, "sample")}
	_, err := compiler.Build(context.Background(), compiler.Options{Folder: folder, Inputs: dataset.Sample()})
	return folder, err
})

// sampleFolder returns a copy of the sample catalogue's folder for a test.
func sampleFolder(t testing.TB) snapshot.Folder {
	t.Helper()
	built, err := builtSample()
	if err != nil {
		t.Fatal(err)
	}
	folder := snapshot.Folder{Dir: t.TempDir()}
	if err := os.CopyFS(folder.Dir, os.DirFS(built.Dir)); err != nil {
		t.Fatal(err)
	}
	return folder
}

package snapshot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A part is a section that a test writes.
type part struct {
	kind  Kind
	align int
	bytes string
}

// small has padding of both kinds, an empty section, and kinds that are not in ascending order.
var small = []part{{5, 8, "acoustic"}, {2, 8, "felt!"}, {9, 32, "roaring bitmaps"}, {4, 8, ""}, {3, 32, "end"}}

// begin begins a snapshot in dir and writes some bytes into the first section.
func begin(t testing.TB, dir string) *Writer {
	t.Helper()
	w, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	section, err := w.Section(1, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := section.Write([]byte("felt")); err != nil {
		t.Fatal(err)
	}
	return w
}

// write writes a snapshot with the given parts into dir.
func write(t testing.TB, dir string, parts ...part) Info {
	t.Helper()
	w, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, p := range parts {
		section, err := w.Section(p.kind, p.align)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []byte(p.bytes) { // write one byte at a time
			if _, err := section.Write([]byte{c}); err != nil {
				t.Fatal(err)
			}
		}
	}
	info, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// bytesOf returns a snapshot with the given parts as bytes.
func bytesOf(t testing.TB, parts ...part) []byte {
	t.Helper()
	b, err := os.ReadFile(write(t, t.TempDir(), parts...).Path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// check opens a snapshot in memory and verifies it.
func check(b []byte) error {
	f, err := OpenBytes("x.snapshot", b)
	if err != nil {
		return err
	}
	return f.VerifyChecksums(context.Background())
}

// names returns the file names in a folder, including hidden files.
func names(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		found = append(found, e.Name())
	}
	return found
}

// generation writes a snapshot with one section into the folder and returns the snapshot's name.
func generation(t testing.TB, f Folder, content string) string {
	t.Helper()
	return filepath.Base(write(t, f.Dir, part{1, 8, content}).Path)
}

// message returns the message of an error, or "" for nil.
func message(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprint(err)
}

// open opens a snapshot for the duration of the test.
func open(t testing.TB, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

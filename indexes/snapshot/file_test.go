package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"
)

func TestOpenRefusesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v, want fs.ErrNotExist", err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

// TestOpenReturnsTheErrorsOfOpenBytes compares Open with OpenBytes, which TestDamage calls.
func TestOpenReturnsTheErrorsOfOpenBytes(t *testing.T) {
	whole := bytesOf(t, small...)
	path := filepath.Join(t.TempDir(), "x.snapshot")
	for _, n := range []int{0, 1, 20, headSize - 1, headSize, len(whole) - 1, len(whole)} {
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		_, want := OpenBytes(path, whole[:n])
		f, err := Open(path)
		if message(err) != message(want) {
			t.Errorf("%d bytes: Open returns %v, OpenBytes %v", n, err, want)
		}
		if err == nil {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestBytesInMemoryAreAlignedAsInTheFile(t *testing.T) {
	whole := bytesOf(t, small...)
	room := make([]byte, len(whole)+maxAlign)
	for shift := range maxAlign {
		b := room[shift:][:len(whole)]
		copy(b, whole)
		f, err := OpenBytes("x.snapshot", b)
		if err != nil {
			t.Fatal(err)
		}
		section, ok := f.Section(9) // section at offset 2080
		if address := uintptr(unsafe.Pointer(unsafe.SliceData(section))); !ok || address%maxAlign != 0 {
			t.Errorf("shifted by %d: section 9 at address %#x, want a multiple of %d", shift, address, maxAlign)
		}
		if err := f.VerifyChecksums(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestSection(t *testing.T) {
	f := open(t, write(t, t.TempDir(), small...).Path)
	for _, p := range small {
		if b, ok := f.Section(p.kind); !ok || string(b) != p.bytes || cap(b) != len(b) {
			t.Errorf("section %d: %q with capacity %d, %t, want %q with its length as capacity", p.kind, b, cap(b), ok, p.bytes)
		}
	}
	if b, ok := f.Section(77); ok || b != nil {
		t.Errorf("a missing kind: %q, %t", b, ok)
	}
}

func TestHashIsFromTheName(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	tests := []struct{ path, want string }{
		{hash + ".snapshot", hash},
		{"/srv/snapshots/" + hash + ".snapshot", hash},
		{"catalogue.snapshot", ""},
		{strings.ToUpper(hash) + ".snapshot", ""},
		{hash, ""},
		{hash + ".snapshot.bak", ""},
	}
	whole := bytesOf(t)
	for _, tt := range tests {
		f, err := OpenBytes(tt.path, whole)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Hash(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.path, got, tt.want)
		}
	}
}

func TestCloseTwice(t *testing.T) {
	f, err := Open(write(t, t.TempDir(), small...).Path)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

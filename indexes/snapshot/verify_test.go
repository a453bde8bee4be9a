package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writable makes a committed snapshot writable and returns its path.
func writable(t testing.TB, info Info) string {
	t.Helper()
	if err := os.Chmod(info.Path, 0o644); err != nil {
		t.Fatal(err)
	}
	return info.Path
}

// If a mapped file is truncated, reading beyond its new end raises SIGBUS. Verification must return an error
// instead of ending the process.
func TestTruncationUnderTheMappingIsAnError(t *testing.T) {
	page := int64(os.Getpagesize())
	path := writable(t, write(t, t.TempDir(), part{1, 8, "felt"}, part{2, 8, strings.Repeat("wool", int(page))},
		part{3, 8, "end"}))
	f := open(t, path)
	if err := os.Truncate(path, page); err != nil {
		t.Fatal(err)
	}
	err := f.VerifyChecksums(t.Context())
	want := CorruptError{Path: path, Section: 2, Offset: page, Want: "a readable byte (was the file truncated?)"}
	var got *CorruptError
	if !errors.As(err, &got) || got.Section != want.Section || got.Want != want.Want || got.Offset < page ||
		got.Offset >= f.Size() {
		t.Errorf("sections: got %v, want %v", err, &want)
	}
	if !strings.Contains(message(err), "section 3 damaged") {
		t.Errorf("verification stopped at the first section that cannot be read: %v", err)
	}
	if err := f.VerifyHash(t.Context()); !errors.As(err, &got) || got.Offset < page {
		t.Errorf("whole file: got %v, want a *CorruptError after byte %d", err, page)
	}
}

func TestAnotherPanicIsNotHidden(t *testing.T) {
	f, err := OpenBytes("x.snapshot", bytesOf(t, small...))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if p := recover(); p != "a bug" {
			t.Errorf("recovered %v, want the original panic", p)
		}
	}()
	var fault error
	defer f.catchFault(0, &fault)()
	panic("a bug")
}

func TestVerifyHonoursTheContext(t *testing.T) {
	info := write(t, t.TempDir(), small...)
	f := open(t, info.Path)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.VerifyChecksums(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("sections: %v, want context.Canceled", err)
	}
	if err := f.VerifyHash(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("whole file: %v, want context.Canceled", err)
	}
}

func TestVerifyReportsProgress(t *testing.T) {
	f := open(t, write(t, t.TempDir(), small...).Path)
	for name, verify := range map[string]func(context.Context) error{"sections": f.VerifyChecksums,
		"whole file": f.VerifyHash} {
		var last int64
		f.Hashed = func(at int64) {
			if at <= last {
				t.Errorf("%s: at byte %d after %d", name, at, last)
			}
			last = at
		}
		if err := verify(t.Context()); err != nil || last != f.Size() {
			t.Errorf("%s: %v, at byte %d of %d in the end", name, err, last, f.Size())
		}
	}
}

func TestAGentleVerificationFindsTheSame(t *testing.T) {
	info := write(t, t.TempDir(), small...)
	whole, err := os.ReadFile(info.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []bool{false, true} {
		content := bytes.Clone(whole)
		if damaged {
			content[len(content)-1] ^= 1
		}
		f, err := OpenBytes(info.Path, content)
		if err != nil {
			t.Fatal(err)
		}
		f.Gentle = true
		if got := f.VerifyChecksums(t.Context()); (got != nil) != damaged {
			t.Errorf("damaged %t: sections: %v", damaged, got)
		}
		if got := f.VerifyHash(t.Context()); (got != nil) != damaged {
			t.Errorf("damaged %t: whole file: %v", damaged, got)
		}
	}
}

func TestVerifyHash(t *testing.T) {
	dir := t.TempDir()
	info := write(t, dir, small...)
	other := filepath.Join(dir, FileName(strings.Repeat("0", 64)))
	plain := filepath.Join(dir, "catalogue.snapshot")
	for _, path := range []string{other, plain} {
		if err := os.Link(info.Path, path); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ rule, path, want string }{
		{"the right name", info.Path, ""},
		{"another hash", other, other + ": damaged at byte 0: expected content with the SHA-256 in the file name, not " +
			info.Hash},
		{"no hash", plain, plain + ": verify the content hash: invalid name: expected 64 hex digits and .snapshot"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			f := open(t, tt.path)
			if got := message(f.VerifyHash(t.Context())); got != tt.want {
				t.Errorf("\ngot  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func BenchmarkVerifyChecksums(b *testing.B) {
	dir := b.TempDir()
	w, err := Create(dir)
	if err != nil {
		b.Fatal(err)
	}
	section, err := w.Section(1, 8)
	if err != nil {
		b.Fatal(err)
	}
	for range 256 {
		if _, err := section.Write(make([]byte, 1<<20)); err != nil {
			b.Fatal(err)
		}
	}
	info, err := w.Commit()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Bytes)
	for b.Loop() { // open a new mapping in each iteration, as a server does before it verifies a file
		f, err := Open(info.Path)
		if err != nil {
			b.Fatal(err)
		}
		if err := f.VerifyChecksums(b.Context()); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// If a file is truncated while it is read, Guard must return an error, and the process must not end.
func TestGuardTurnsAFaultIntoAnError(t *testing.T) {
	info := write(t, t.TempDir(), part{1, 8, strings.Repeat("felt", os.Getpagesize())})
	f := open(t, info.Path)
	if err := os.Chmod(info.Path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(info.Path, int64(os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	var corrupt *CorruptError
	err := f.Guard(func() error {
		b, _ := f.Section(1)
		return fmt.Errorf("read %c", b[len(b)-1])
	})
	if !errors.As(err, &corrupt) || !strings.Contains(corrupt.Want, "truncated") {
		t.Errorf("%v, want a *CorruptError", err)
	}
	if err := f.Guard(func() error { return ErrLocked }); !errors.Is(err, ErrLocked) {
		t.Errorf("%v, want the error of the reader", err)
	}
}

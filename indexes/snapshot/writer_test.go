package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

func TestCommitNamesTheFileByItsContent(t *testing.T) {
	dir := t.TempDir()
	info := write(t, dir, small...)
	b, err := os.ReadFile(info.Path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	if want := hex.EncodeToString(sum[:]); info.Hash != want || info.Path != filepath.Join(dir, want+".snapshot") {
		t.Errorf("hash %s, path %s, want %s", info.Hash, info.Path, want)
	}
	if info.Bytes != int64(len(b)) {
		t.Errorf("info says %d bytes, the file has %d", info.Bytes, len(b))
	}
	if stat, err := os.Stat(info.Path); err != nil || stat.Mode() != 0o444 {
		t.Errorf("mode %v, error %v, want a read-only file", stat.Mode(), err)
	}
	if got, want := names(t, dir), []string{filepath.Base(info.Path)}; !slices.Equal(got, want) {
		t.Errorf("the folder has %v, want %v", got, want)
	}
	f := open(t, info.Path)
	if !slices.Equal(f.Sections(), info.Sections) || f.Size() != info.Bytes || f.Hash() != info.Hash ||
		f.Path() != info.Path {
		t.Errorf("the file opens with other sections, size, hash or path than were committed")
	}
}

func TestSameContentIsTheSameFile(t *testing.T) {
	dir := t.TempDir()
	first := write(t, dir, small...)
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(first.Path, old, old); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(first.Path)
	if err != nil {
		t.Fatal(err)
	}
	second := write(t, dir, small...)
	after, err := os.Stat(second.Path)
	if err != nil {
		t.Fatal(err)
	}
	if first.Path != second.Path || !os.SameFile(before, after) {
		t.Error("the existing file was replaced")
	}
	if !after.ModTime().After(old) {
		t.Error("the existing file is not the newest after the build")
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("the folder has %v, want one file", got)
	}
}

func TestADamagedFileIsReplacedByTheSameContent(t *testing.T) {
	dir := t.TempDir()
	info := write(t, dir, small...)
	if err := os.Chmod(info.Path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(info.Path, 2100); err != nil {
		t.Fatal(err)
	}
	if again := write(t, dir, small...); again.Path != info.Path {
		t.Fatalf("written to %s, want %s", again.Path, info.Path)
	}
	f := open(t, info.Path)
	if err := f.VerifyHash(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	section, err := w.Section(1, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := section.Write(make([]byte, 3*writeBuffer)); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != 1 || !strings.HasPrefix(got[0], tempPrefix) {
		t.Fatalf("during the write the folder has %v, want one temporary file", got)
	}
	w.Abort()
	w.Abort()
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("the folder has %v, want nothing", got)
	}
	if _, err := section.Write([]byte{1}); err == nil {
		t.Error("a write to an aborted snapshot succeeded")
	}
	if _, err := w.Commit(); err == nil {
		t.Error("an aborted snapshot was committed")
	}
}

// TestAFailingDiskLeavesNothing checks that the step after a disk error returns the error and leaves no file.
func TestAFailingDiskLeavesNothing(t *testing.T) {
	for _, step := range []string{"section", "commit"} {
		t.Run(step, func(t *testing.T) {
			dir := t.TempDir()
			w := begin(t, dir)
			if err := w.file.Close(); err != nil { // makes every later write fail
				t.Fatal(err)
			}
			var err error
			if step == "section" {
				_, err = w.Section(2, 8)
				w.Abort()
			} else {
				_, err = w.Commit()
			}
			if !errors.Is(err, os.ErrClosed) {
				t.Errorf("%v, want the error of the file", err)
			}
			if got := names(t, dir); len(got) != 0 {
				t.Errorf("the folder has %v, want nothing", got)
			}
		})
	}
}

// If the process has no file descriptors left, the folder cannot be synced after the rename.
func TestAFolderThatCannotBeSyncedIsUnchanged(t *testing.T) {
	for _, rule := range []string{"no file exists", "the file exists", "the file exists and is damaged"} {
		t.Run(rule, func(t *testing.T) {
			dir := t.TempDir()
			if rule != "no file exists" {
				info := write(t, dir, part{1, 8, "felt"})
				if rule == "the file exists and is damaged" {
					if err := os.Truncate(writable(t, info), 10); err != nil {
						t.Fatal(err)
					}
				}
			}
			before := names(t, dir)
			w := begin(t, dir)
			if _, err := withoutDescriptors(t, w.Commit); !errors.Is(err, unix.EMFILE) {
				t.Fatalf("%v, want too many open files", err)
			}
			if got := names(t, dir); !slices.Equal(got, before) {
				t.Errorf("the folder has %v, want %v", got, before)
			}
			for _, name := range before {
				if err := open(t, filepath.Join(dir, name)).VerifyChecksums(t.Context()); err != nil {
					t.Errorf("the existing file is not intact: %v", err)
				}
			}
		})
	}
}

// withoutDescriptors calls do while the process cannot open any files.
func withoutDescriptors(t *testing.T, do func() (Info, error)) (Info, error) {
	t.Helper()
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	none := limit
	none.Cur = 0
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
	}()
	return do()
}

func TestWriterRefuses(t *testing.T) {
	tests := []struct {
		rule string
		do   func(w *Writer) error
		want string
	}{
		{"kind 0", func(w *Writer) error { _, err := w.Section(0, 8); return err }, "snapshot: invalid section kind 0"},
		{"a duplicate kind", func(w *Writer) error {
			_, err := w.Section(1, 8)
			return err
		}, "snapshot: duplicate section 1"},
		{"another alignment", func(w *Writer) error {
			_, err := w.Section(2, 16)
			return err
		}, "snapshot: section 2: alignment 16, expected 8 or 32"},
		{"a 63rd section", func(w *Writer) error {
			for kind := Kind(2); ; kind++ {
				if _, err := w.Section(kind, 8); err != nil {
					return err
				}
			}
		}, "snapshot: section 63: too many sections: the table has 62 rows"},
		{"a section after the end", func(w *Writer) error {
			if _, err := w.Commit(); err != nil {
				return err
			}
			_, err := w.Section(2, 8)
			return err
		}, "snapshot: new section after the end of the snapshot"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			w, err := Create(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer w.Abort()
			if _, err := w.Section(1, 8); err != nil {
				t.Fatal(err)
			}
			if got := message(tt.do(w)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	t.Run("a write to a section that has ended", func(t *testing.T) {
		w, err := Create(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		first, err := w.Section(1, 8)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Section(2, 8); err != nil {
			t.Fatal(err)
		}
		if _, err := first.Write([]byte("late")); err == nil {
			t.Error("the write succeeded, into the wrong section")
		}
	})
	t.Run("a missing folder", func(t *testing.T) {
		if _, err := Create(filepath.Join(t.TempDir(), "none")); err == nil {
			t.Error("created")
		}
	})
}

func TestSixtyTwoSectionsFit(t *testing.T) {
	var parts []part
	for kind := Kind(1); kind <= maxSections; kind++ {
		parts = append(parts, part{kind, 8 + 24*int(kind%2), strings.Repeat("x", int(kind))})
	}
	if err := check(bytesOf(t, parts...)); err != nil {
		t.Error(err)
	}
}

// Sections must contain the written bytes, for writes of any size, and must have the requested alignment.
func TestSectionsHaveTheWrittenBytes(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		w, err := Create(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		kinds := rapid.SliceOfNDistinct(rapid.Uint32Min(1), 0, maxSections, rapid.ID).Draw(t, "kinds")
		want := map[Kind][]byte{}
		align := map[Kind]int64{}
		for _, k := range kinds {
			kind := Kind(k)
			align[kind] = rapid.SampledFrom([]int64{8, 32}).Draw(t, "align")
			section, err := w.Section(kind, int(align[kind]))
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 100), 0, 5).Draw(t, "writes") {
				if _, err := section.Write(b); err != nil {
					t.Fatal(err)
				}
				want[kind] = append(want[kind], b...)
			}
		}
		info, err := w.Commit()
		if err != nil {
			t.Fatal(err)
		}
		f, err := Open(info.Path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		for _, s := range f.Sections() {
			got, ok := f.Section(s.Kind)
			if !ok || string(got) != string(want[s.Kind]) || s.Offset%align[s.Kind] != 0 {
				t.Fatalf("section %d at %d: %x, want %x", s.Kind, s.Offset, got, want[s.Kind])
			}
		}
		if err := f.VerifyChecksums(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := f.VerifyHash(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	dir := b.TempDir()
	row := []byte(strings.Repeat("alpha_s", 9))
	const rows = 1 << 20
	b.SetBytes(int64(rows * len(row)))
	b.ReportAllocs()
	for b.Loop() {
		w, err := Create(dir)
		if err != nil {
			b.Fatal(err)
		}
		section, err := w.Section(1, 8)
		if err != nil {
			b.Fatal(err)
		}
		for range rows {
			if _, err := section.Write(row); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := w.Commit(); err != nil {
			b.Fatal(err)
		}
	}
}

// If hasContent returned false when the context ends, Commit would replace the existing file.
func TestHasContentReturnsTheErrorOfTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("a"), 0o444); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	held, err := hasContent(ended, path, strings.Repeat("0", hashDigits))
	if held || !errors.Is(err, context.Canceled) {
		t.Errorf("%t, %v, want %v", held, err, context.Canceled)
	}
}

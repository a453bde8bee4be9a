package snapshot

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// TestCommitVerifiesTheBytesOnTheDisk changes the file after the last write and before Commit.
func TestCommitVerifiesTheBytesOnTheDisk(t *testing.T) {
	tests := []struct {
		rule    string
		damage  func(*os.File) error
		section Kind // 0 if there is none
	}{
		{"an unchanged file is valid", func(*os.File) error { return nil }, 0},
		{"a flipped bit at the start of a section", func(f *os.File) error {
			_, err := f.WriteAt([]byte("X"), headSize)
			return err
		}, 1},
		{"a flipped bit at the end of a section", func(f *os.File) error {
			_, err := f.WriteAt([]byte("X"), headSize+3*writeBuffer-1)
			return err
		}, 1},
		{"a flipped bit in another section", func(f *os.File) error {
			_, err := f.WriteAt([]byte("X"), headSize+3*writeBuffer+2)
			return err
		}, 3},
		{"a truncated file", func(f *os.File) error { return f.Truncate(headSize + writeBuffer) }, 1},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			dir := t.TempDir()
			w, err := Create(dir)
			if err != nil {
				t.Fatal(err)
			}
			for kind, text := range []string{strings.Repeat("a", 3*writeBuffer), "", "tail"} {
				section, err := w.Section(Kind(kind+1), minAlign)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.WriteString(section, text); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(w.sink.(*fileSink).buf.Flush(), test.damage(w.file)); err != nil {
				t.Fatal(err)
			}
			_, err = w.Commit()
			var corrupt *CorruptError
			if damaged := errors.As(err, &corrupt); damaged != (test.section != 0) || damaged &&
				corrupt.Section != test.section {
				t.Errorf("got %v, want a *CorruptError in section %d", err, test.section)
			}
			if left := names(t, dir); (len(left) == 0) != (test.section != 0) {
				t.Errorf("the folder has %v", left)
			}
		})
	}
}

package snapshot

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestReceive(t *testing.T) {
	content := bytesOf(t, small...)
	hash := hashOf(generation(t, Folder{t.TempDir()}, "another"))
	right := hashOf(filepath.Base(write(t, t.TempDir(), small...).Path))
	for _, tt := range []struct {
		rule     string
		promised string
		abort    bool
		want     []string // names that are added to the folder
	}{
		{"the promised content gets its name", right, false, []string{FileName(right)}},
		{"other content leaves no file", hash, false, nil},
		{"an aborted snapshot leaves no file", right, true, nil},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			f := Folder{t.TempDir()}
			in, err := f.Receive()
			if err != nil {
				t.Fatal(err)
			}
			for part := range slices.Chunk(content, 100) {
				if _, err := in.Write(part); err != nil {
					t.Fatal(err)
				}
			}
			if in.Bytes() != int64(len(content)) {
				t.Errorf("%d bytes received, want %d", in.Bytes(), len(content))
			}
			if tt.abort {
				in.Abort()
			} else if err, wrong := in.Commit(tt.promised), (*CorruptError)(nil); errors.As(err, &wrong) != (tt.want == nil) ||
				err != nil && wrong == nil {
				t.Errorf("commit: %v", err)
			}
			if got := names(t, f.Dir); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if _, err := in.Write(content); err == nil {
				t.Error("a write after the end succeeded")
			}
			if in.Commit(right) == nil {
				t.Error("a second Commit succeeded")
			}
			for _, name := range tt.want {
				info, err := os.Stat(f.Path(name))
				if b, _ := os.ReadFile(f.Path(name)); err != nil || !bytes.Equal(b, content) || info.Mode().Perm() != 0o444 {
					t.Errorf("%s: %v, %v", name, info, err)
				}
			}
		})
	}
}

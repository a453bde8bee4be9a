package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// stampOf returns the stamp of a file, which must exist.
func stampOf(t *testing.T, path string) Stamp {
	t.Helper()
	s, err := StampOf(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStampOfChangedFile(t *testing.T) {
	for _, tt := range []struct {
		name      string
		change    func(path string) error
		same, any bool // whether it is the same file; whether its stamp changes
	}{
		{"nothing", func(string) error { return nil }, true, false},
		{"read", func(path string) error { _, err := os.ReadFile(path); return err }, true, false},
		{"longer", func(path string) error { return os.WriteFile(path, []byte("longer"), 0) }, true, true},
		{"another mode", func(path string) error { return os.Chmod(path, 0o400) }, true, true},
		{"as long, and with its old time", func(path string) error {
			info, err := os.Stat(path)
			return errors.Join(err, os.WriteFile(path, []byte("wide"), 0), os.Chtimes(path, info.ModTime(), info.ModTime()))
		}, true, true},
		{"another file", func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte("long"), 0o600), os.Rename(path+".new", path))
		}, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path, link := filepath.Join(t.TempDir(), "file"), filepath.Join(t.TempDir(), "link")
			if err := errors.Join(os.WriteFile(path, []byte("long"), 0o600), os.Symlink(path, link)); err != nil {
				t.Fatal(err)
			}
			before := stampOf(t, link)
			for deadline := time.Now().Add(time.Second); ; { // file system clocks have a low resolution
				if err := tt.change(path); err != nil {
					t.Fatal(err)
				}
				if (stampOf(t, link) != before) == tt.any || time.Now().After(deadline) {
					break
				}
			}
			after := stampOf(t, link)
			if after != stampOf(t, path) || (after != before) != tt.any || after.SameFile(before) != tt.same {
				t.Errorf("%+v, then %+v: another: %t, want %t; the same file: %t, want %t", before, after, after != before, tt.any,
					after.SameFile(before), tt.same)
			}
		})
	}
}

func TestStampOfMissingFile(t *testing.T) {
	s, err := StampOf(filepath.Join(t.TempDir(), "file"))
	if s != (Stamp{}) || !errors.Is(err, fs.ErrNotExist) || s.SameFile(s) {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSyncDir(t *testing.T) {
	if err := SyncDir(t.TempDir()); err != nil {
		t.Error(err)
	}
	if err := SyncDir(filepath.Join(t.TempDir(), "folder")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

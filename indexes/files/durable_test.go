package files

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestMakeDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for _, when := range []string{"it is made", "it is there"} {
		if err := MakeDir(dir); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			t.Errorf("%s: %v, %v", when, info, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := MakeDir(filepath.Join(dir, "file", "below")); err == nil {
		t.Error("a folder below a file was made")
	}
}

func TestRemoveUnfinished(t *testing.T) {
	dir := t.TempDir()
	all := []string{".state12", ".state34", ".state", ".stateful12", ".state.lock12", "state", "state12"}
	for _, name := range all {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := errors.Join(os.Chtimes(filepath.Join(dir, ".state12"), old, old),
		os.Chtimes(filepath.Join(dir, ".stateful12"), old, old)); err != nil {
		t.Fatal(err)
	}
	left := func() (names []string) {
		for _, name := range all {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				names = append(names, name)
			}
		}
		return names
	}
	RemoveUnfinished(filepath.Join(dir, "state"), time.Hour)
	if got := left(); !slices.Equal(got, all[1:]) {
		t.Errorf("of an age: it leaves %q", got)
	}
	RemoveUnfinished(filepath.Join(dir, "state"), 0)
	if got := left(); !slices.Equal(got, all[2:]) {
		t.Errorf("of every age: it leaves %q", got)
	}
	RemoveUnfinished(filepath.Join(dir, "none", "state"), 0)
}

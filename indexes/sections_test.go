package indexes

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"sabine/indexes/snapshot"
)

// TestSectionsAreThoseOfTheTable walks the table: every section has a number and a name of its own, a file has these
// sections and no others, and whoever follows from others is held against them.
func TestSectionsAreThoseOfTheTable(t *testing.T) {
	retired := []snapshot.Kind{13, 22}
	kinds, names := map[snapshot.Kind]bool{}, map[string]bool{}
	for _, s := range sections {
		switch {
		case kinds[s.kind] || slices.Contains(retired, s.kind):
			t.Errorf("%s: number %d is taken", s.name, uint32(s.kind))
		case s.name == "" || names[s.name] || s.kind.String() != s.name:
			t.Errorf("section %d is called %q by the table and %q by errors", uint32(s.kind), s.name, s.kind)
		case s.open == nil || s.check == nil && s.origin == derived:
			t.Errorf("%s: not opened, or held against nothing", s.name)
		}
		kinds[s.kind], names[s.name] = true, true
	}
	file := writeIndex(t, testDocuments(20))
	for _, s := range file.Sections() {
		if !kinds[s.Kind] {
			t.Errorf("%s is in the file and not in the table", s.Kind)
		}
		delete(kinds, s.Kind)
	}
	if len(kinds) > 0 {
		t.Errorf("%v are in the table and not in the file", kinds)
	}
}

// A section that is missing, or longer than what is in it, is refused by its name.
func TestOpenNamesTheSectionThatItRefuses(t *testing.T) {
	file := writeIndex(t, testDocuments(20))
	for _, s := range sections {
		good, _ := file.Section(s.kind)
		for what, f := range map[string]*snapshot.File{
			"missing":  without(t, file, s.kind),
			"too long": reseal(t, file, s.kind, append(bytes.Clone(good), make([]byte, 64)...)),
		} {
			if what == "too long" && slices.Contains([]snapshot.Kind{KindMeta, KindSetArrays, KindSetBitmaps}, s.kind) {
				continue // any length may be right, or is for check to say
			}
			_, err := Open(f)
			var fault *snapshot.CorruptError
			if !errors.As(err, &fault) || fault.Section != s.kind && s.kind != KindBodies || !strings.Contains(err.Error(), "section "+fault.Section.String()+" damaged") {
				t.Errorf("%s %s: %v", s.name, what, err)
			}
		}
	}
}

// without writes a snapshot anew without one section.
func without(t *testing.T, file *snapshot.File, kind snapshot.Kind) *snapshot.File {
	t.Helper()
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, s := range file.Sections() {
		if s.Kind == kind {
			continue
		}
		section, err := w.Section(s.Kind, 32)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := file.Section(s.Kind)
		if _, err := section.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	return commit(t, w)
}

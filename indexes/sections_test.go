package indexes

import (
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"sabine/indexes/snapshot"
	"sabine/internal/sealed"
)

// TestSectionsMatchTheTable checks that each section has a unique number and name, and that a file contains
// exactly these sections.
func TestSectionsMatchTheTable(t *testing.T) {
	retired := []snapshot.Kind{13, 22}
	kinds, names := map[snapshot.Kind]bool{}, map[string]bool{}
	for _, s := range sections {
		switch {
		case kinds[s.kind] || slices.Contains(retired, s.kind):
			t.Errorf("%s: number %d is taken", s.name, uint32(s.kind))
		case s.name == "" || names[s.name] || s.kind.String() != s.name:
			t.Errorf("section %d is called %q by the table and %q by errors", uint32(s.kind), s.name, s.kind)
		case s.open == nil:
			t.Errorf("%s: not opened", s.name)
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

// TestOpenReportsTheRejectedSection checks that an error names a section that is missing or has extra bytes.
func TestOpenReportsTheRejectedSection(t *testing.T) {
	file := writeIndex(t, testDocuments(20))
	for _, s := range sections {
		long := sealed.Of(file)
		content := long.Content(s.kind)
		*content = append(*content, make([]byte, 64)...)
		for what, f := range map[string]*snapshot.File{"missing": without(t, file, s.kind), "too long": opened(t, long)} {
			if what == "too long" && slices.Contains([]snapshot.Kind{KindMeta, KindSetArrays, KindSetBitmaps}, s.kind) {
				continue // a section of any length can be valid
			}
			_, err := Open(f)
			var fault *snapshot.CorruptError
			if !errors.As(err, &fault) || fault.Section != s.kind && s.kind != KindBodies ||
				!strings.Contains(err.Error(), "section "+fault.Section.String()+" damaged") {
				t.Errorf("%s %s: %v", s.name, what, err)
			}
		}
	}
}

// without returns a copy of a snapshot that lacks one section.
func without(t *testing.T, file *snapshot.File, kind snapshot.Kind) *snapshot.File {
	t.Helper()
	d := sealed.Of(file)
	d.Sections = slices.DeleteFunc(d.Sections, func(s sealed.Section) bool { return s.Kind == kind })
	return opened(t, d)
}

// This test checks that every flipped byte is detected and that truncated files are rejected.
func TestEveryFlippedByteOfEverySectionIsNoticed(t *testing.T) {
	file := writeIndex(t, testDocuments(8))
	whole, err := os.ReadFile(file.Path())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range file.Sections() {
		step := max(s.Length/16, 1)
		if *exhaustive {
			step = 1
		}
		for at := s.Offset; at < s.Offset+s.Length; at += step {
			whole[at] ^= 0x10
			f, err := snapshot.OpenBytes("flipped", whole)
			if err != nil {
				t.Fatal(err) // the head is undamaged
			}
			if err := f.VerifyChecksums(t.Context()); err == nil || !strings.Contains(err.Error(), "section "+s.Kind.String()+
				" ") {
				t.Errorf("byte %d of section %s: %v", at-s.Offset, s.Kind, err)
			}
			whole[at] ^= 0x10
			if _, err := snapshot.OpenBytes("cut", whole[:at:at]); err == nil {
				t.Errorf("opened without the last %d bytes", int64(len(whole))-at)
			}
		}
	}
}

var exhaustive = flag.Bool("exhaustive", false, "flip every byte of a snapshot, and not some of each section")

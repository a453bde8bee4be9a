package indexes

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
	"sabine/internal/sealed"
)

// TestAlphaStartsOutOfOrder opens an index in which a value starts after the start of the next value.
func TestAlphaStartsOutOfOrder(t *testing.T) {
	file := writeIndexOf(t, Meta{Vocabulary: testVocabulary}, testDocuments(300))
	section, _ := file.Section(KindAlpha)
	content := bytes.Clone(section)
	values := binary.LittleEndian.Uint64(content)
	binary.LittleEndian.PutUint32(content[8+8*alphaThresholds+8*values+4:], 1<<31)
	draft := sealed.Of(file)
	*draft.Content(KindAlpha) = content
	x, err := Open(opened(t, draft))
	if err != nil {
		t.Fatal(err)
	}
	dst := make(docset.Dense, docset.Words(x.Docs))
	for _, most := range []float64{0, 0.03, 0.5, 1} {
		x.Alpha.Range(dst, 0, most)
		x.Alpha.Range(dst, most, 1)
	}
}

// opened returns a draft as an open file.
func opened(t testing.TB, d *sealed.Draft) *snapshot.File {
	t.Helper()
	file, err := snapshot.OpenBytes("sealed", d.Seal())
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestFacetColumnWithInvalidValues checks that a column with a value that its family lacks is harmless.
// Otherwise, counting products by value would write outside of a slice.
func TestFacetColumnWithInvalidValues(t *testing.T) {
	const documents = 40
	file := writeIndex(t, testDocuments(documents))
	section, _ := file.Section(KindFacets)
	opens := 0
	for at := 120; at < len(section); at += 5 {
		draft := sealed.Of(file)
		(*draft.Content(KindFacets))[at] = 0xff
		x, err := Open(opened(t, draft))
		if err != nil {
			continue
		}
		opens++
		for family := range x.Facets {
			for d := range column.Doc(documents) {
				f := &x.Facets[family]
				if values := f.Of(nil, d); f.lists == nil && len(values) > 0 && int(values[0]) >= f.Len() {
					t.Fatalf("byte %d: document %d has value %d of %d of %s", at, d, values[0], f.Len(), FamilyNames[family])
				}
			}
		}
	}
	if opens == 0 {
		t.Error("no damage is opened")
	}
}

var resealed = flag.Int("resealed", 2, "edits of each section that TestNothingPanicsOnAResealedFile makes")

// A damaged file that was sealed again has valid checksums. Whatever its sections contain, they must be
// rejected or readable. A rebuild may differ.
func TestNothingPanicsOnAResealedFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	other := sealed.Of(writeIndexOf(t, Meta{Vocabulary: testVocabulary}, testDocuments(299)))
	for what, documents := range map[string][]Document{"texts": textDocuments(300, 11), "filters": testDocuments(300)} {
		file := writeIndexOf(t, Meta{Vocabulary: textVocabulary}, documents)
		for section := range file.Sections() {
			for range *resealed {
				program := sealed.Program{byte(section)}
				for range 16 {
					program = append(program, byte(rng.Uint32()))
				}
				draft := sealed.Of(file)
				done := draft.Edit(&program, other)
				func() {
					defer func() {
						if p := recover(); p != nil {
							t.Errorf("%s: %s: %v\n%s", what, done, p, debug.Stack())
						}
					}()
					file, err := snapshot.OpenBytes("sealed", draft.Seal())
					if err != nil {
						return
					}
					x, err := Open(file)
					if err != nil {
						return
					}
					useAll(x)
					_ = again(x, documents)
				}()
			}
		}
	}
}

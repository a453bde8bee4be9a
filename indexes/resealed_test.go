package indexes

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"

	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// reseal writes a snapshot anew with another content of one section: every checksum and the name are right then.
func reseal(t testing.TB, file *snapshot.File, kind snapshot.Kind, content []byte) *snapshot.File {
	t.Helper()
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, s := range file.Sections() {
		b, _ := file.Section(s.Kind)
		if s.Kind == kind {
			b = content
		}
		section, err := w.Section(s.Kind, 32)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := section.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	return commit(t, w)
}

// mutate returns a section with another length or with other numbers, and says what was done to it.
func mutate(rng *rand.Rand, good []byte) (b []byte, done string) {
	b = bytes.Clone(good)
	switch at := rng.IntN(len(b) + 1); rng.IntN(8) {
	case 0:
		return b[:at], fmt.Sprintf("cut at %d", at)
	case 1:
		return b[:at&^7], fmt.Sprintf("cut at %d", at&^7)
	case 2:
		return append(b, make([]byte, 8*rng.IntN(100))...), "extended with zeros"
	case 3:
		return make([]byte, len(b)), "zeros"
	}
	for range 1 + rng.IntN(3) {
		width := []int{1, 2, 4, 8}[rng.IntN(4)]
		last := len(b) / width
		if rng.IntN(2) == 0 {
			last = min(last, 512/width) // heads are where most depends on a number
		}
		if last == 0 {
			continue
		}
		at := rng.IntN(last) * width
		number := []uint64{0, 1, 1 << 63, 1<<64 - 1, 1<<31 - 1, 1<<32 - 2, rng.Uint64(), uint64(rng.IntN(1000))}[rng.IntN(8)]
		var bytes [8]byte
		binary.LittleEndian.PutUint64(bytes[:], number)
		copy(b[at:at+width], bytes[:])
		done += fmt.Sprintf("%#x in the %d bytes at %d; ", number, width, at)
	}
	return b, done
}

// The places of the values are walked by: one beyond the order, between two that are not.
func TestAlphaPlacesOutOfOrderAreNamed(t *testing.T) {
	file := writeIndexOf(t, Meta{Vocabulary: testVocabulary}, testDocuments(300))
	section, _ := file.Section(KindAlpha)
	content := bytes.Clone(section)
	values := binary.LittleEndian.Uint64(content)
	binary.LittleEndian.PutUint32(content[alphaHead+8*values+4:], 1<<31)
	x, err := Open(reseal(t, file, KindAlpha, content))
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Check(); err == nil || !strings.Contains(err.Error(), "ascending places of the order by alpha_w") {
		t.Errorf("%v, want that the places are named", err)
	}
	dst := make(docset.Dense, docset.Words(x.Docs))
	for _, most := range []float64{0, 0.03, 0.5, 1} {
		x.Alpha.Range(dst, 0, most)
		x.Alpha.Range(dst, most, 1)
	}
}

// A file that was damaged and then sealed again has checksums that hold. Whatever its sections say, it is refused or
// answers something, and Check returns.
func TestNothingPanicsOnAResealedFile(t *testing.T) {
	const mutations = 5 // of every section
	rng := rand.New(rand.NewPCG(7, 7))
	for what, documents := range map[string][]Document{"texts": textDocuments(300, 11), "filters": testDocuments(300)} {
		file := writeIndexOf(t, Meta{Vocabulary: textVocabulary}, documents)
		for _, s := range file.Sections() {
			good, _ := file.Section(s.Kind)
			for range mutations {
				content, done := mutate(rng, good)
				func() {
					defer func() {
						if p := recover(); p != nil {
							t.Errorf("%s, %s: %s: %v\n%s", what, s.Kind, done, p, debug.Stack())
						}
					}()
					x, err := Open(reseal(t, file, s.Kind, content))
					if err != nil {
						return
					}
					_ = x.Check()
					useAll(x)
				}()
			}
		}
	}
}

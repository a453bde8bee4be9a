package indexes

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

func TestLevels(t *testing.T) {
	for _, test := range []struct {
		rule   string
		thirds int // coefficient in thirds of 0.001
		want   Level
	}{
		{"the least coefficient of a record, -0.1", -300, 1},
		{"smaller coefficients have the same level", -301, 1},
		{"a third of a thousandth is a level", -299, 2},
		{"0", 0, 301},
		{"the greatest coefficient of a record, 2", 6000, MaxLevel},
		{"a bound may be greater", 6001, MaxLevel + 1},
		{"larger coefficients have the last level", 1 << 40, math.MaxUint16},
	} {
		if got := LevelOf(test.thirds); got != test.want {
			t.Errorf("%s: got %d, want %d", test.rule, got, test.want)
		} else if test.thirds >= -300 && test.thirds < 1<<16-301 && got.Thirds() != test.thirds {
			t.Errorf("%s: level %d is %d thirds", test.rule, got, got.Thirds())
		}
	}
}

func TestRatings(t *testing.T) {
	seen := map[Rating]bool{0: true}
	for hundredths := 0; hundredths <= 100; hundredths += 5 {
		for _, shape := range []string{"", "L", "M", "H", "LM", "LH", "MH", "LMH"} {
			r := RatingOf(hundredths, shape)
			if gotAlpha, gotShape, ok := r.AlphaW(); !ok || gotAlpha != hundredths || gotShape != shape || seen[r] {
				t.Errorf("%d %q: rating %d, which reads %d %q, %v", hundredths, shape, r, gotAlpha, gotShape, ok)
			}
			seen[r] = true
		}
	}
	for _, none := range []Rating{0, RatingOf(100, "LMH") + 1, 255} { // the last two occur only in a damaged file
		if alpha, shape, ok := none.AlphaW(); ok || alpha != 0 || shape != "" {
			t.Errorf("rating %d reads %d %q", none, alpha, shape)
		}
	}
}

func TestEntriesOfDocuments(t *testing.T) {
	for _, n := range sizes {
		docs := testDocuments(n)
		x := buildIndex(t, docs)
		for norm := range NumNorms {
			e, entry := &x.Entries[norm], 0
			third, got := make(docset.Dense, docset.Words(n)), make(docset.Dense, docset.Words(e.Len()))
			var ofThird []column.Doc
			for d := range docs {
				want := docs[d].Measurements[norm]
				if first, end := e.Of(column.Doc(d)); first != entry || end != entry+len(want) {
					t.Fatalf("norm %d, document %d: entries %d to %d, want %d from %d", norm, d, first, end, len(want), entry)
				}
				for i := range want {
					if got := e.measurements(column.Doc(d))[i]; fmt.Sprint(got) != fmt.Sprint(want[i]) { // NaN does not equal itself
						t.Fatalf("norm %d, entry %d of document %d: got %v, want %v", norm, i, d, got, want[i])
					}
					if d%3 == 0 {
						third.Add(column.Doc(d))
						ofThird = append(ofThird, column.Doc(entry))
					}
					entry++
				}
			}
			if e.OfInto(got, third); !slices.Equal(got.Docs(), ofThird) {
				t.Errorf("norm %d: entries %v of every third document, want %v", norm, got.Docs(), ofThird)
			}
			if first, end := e.Of(column.Doc(n)); first != end {
				t.Errorf("norm %d: entries %d to %d of a document that there is not", norm, first, end)
			}
			if e.Len() != entry || e.Levels(entry) != nil || e.Levels(-1) != nil || e.Rank(entry)+e.Rank(-1) != 0 ||
				e.Rating(entry)+e.Rating(-1) != 0 {
				t.Errorf("norm %d: %d entries, want %d and no more", norm, e.Len(), entry)
			}
		}
	}
}

func TestFilterEntries(t *testing.T) {
	docs := testDocuments(900)
	x := buildIndex(t, docs)
	random := rand.New(rand.NewPCG(3, 5))
	for norm := range NumNorms {
		e := &x.Entries[norm]
		held := func(what string, keep func(set docset.Dense), holds func(m *Measurement) bool) {
			set, got, want := make(docset.Dense, docset.Words(e.Len())), make(docset.Dense, docset.Words(len(docs))),
				make(docset.Dense, docset.Words(len(docs)))
			set.Fill(e.Len())
			set.Remove(7)
			keep(set)
			e.DocsInto(got, set)
			entry := 0
			for d := range docs {
				for i := range docs[d].Measurements[norm] {
					holding := entry != 7 && holds(&docs[d].Measurements[norm][i])
					if holding {
						want.Add(column.Doc(d))
					}
					if set.Has(column.Doc(entry)) != holding {
						t.Errorf("norm %d, %s: entry %d is kept: %v", norm, what, entry, !holding)
					}
					entry++
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("norm %d, %s: %d documents, want %d", norm, what, got.Len(), want.Len())
			}
		}
		for range 50 {
			band := random.IntN(len(norm.Bands()))
			least, most := Level(random.IntN(int(MaxLevel)+2)), Level(random.IntN(int(MaxLevel)+2)) // some ranges are empty
			held(fmt.Sprintf("band %d from %d to %d", band, least, most),
				func(set docset.Dense) { e.FilterLevels(set, band, least, most) },
				func(m *Measurement) bool { return least <= m.Levels[band] && m.Levels[band] <= most })
		}
		if norm != NormAbsorption {
			continue
		}
		for _, most := range []float64{-1, 0, 0.25, 10, 19.5, 1e9} {
			for a := AttributeThickness; a < NumAttributes; a++ {
				held(fmt.Sprintf("attribute %d at most %v", a, most),
					func(set docset.Dense) { e.FilterNumbers(set, a, 1, e.AtMost(a, most)) },
					func(m *Measurement) bool { return m.Lengths[a-AttributeThickness] <= most })
			}
		}
		for a, texts := range map[Attribute][]string{
			AttributeMounting: {"A", "E-400", "wall"}, AttributeSourceKind: sourceKinds, AttributeClass: absorptionClasses,
		} {
			for _, text := range texts {
				number := e.Find(a, text)
				held(fmt.Sprintf("attribute %d is %s", a, text),
					func(set docset.Dense) { e.FilterNumbers(set, a, number, number) },
					func(m *Measurement) bool { return m.Texts[a] == text })
			}
			for _, text := range texts {
				having := 0
				for d := range docs {
					has := func(m Measurement) bool { return m.Texts[a] == text }
					if slices.ContainsFunc(docs[d].Measurements[norm], has) {
						having++
					}
				}
				if got := e.DocCount(a, e.Find(a, text)); got != having || e.DocCount(a, 0)+e.DocCount(a, 1<<31) != 0 {
					t.Errorf("attribute %d: %d documents have %s, want %d", a, got, text, having)
				}
			}
			if !slices.Equal(e.Texts(a), slices.Sorted(slices.Values(texts))) || e.Find(a, "a") != 0 || e.Find(a, "") != 0 ||
				e.Find(a, "zz") != 0 {
				t.Errorf("attribute %d: %q, %d, %d, %d", a, e.Texts(a), e.Find(a, "a"), e.Find(a, ""), e.Find(a, "zz"))
			}
		}
	}
}

// TestValueColumnIsSorted checks that each value is stored once, on which entriesBuilder relies.
func TestValueColumnIsSorted(t *testing.T) {
	var n valueColumn[string]
	for _, v := range []string{"b", "", "c", "a", "b", "", "c"} {
		n.add(v, v == "")
	}
	values, numbers := n.sorted()
	if !slices.Equal(values, []string{"a", "b", "c"}) || !slices.Equal(numbers, []uint32{2, 0, 3, 1, 2, 0, 3}) {
		t.Errorf("%q, %d", values, numbers)
	}
}

// TestLengthsAreFinite checks that an infinite length is rejected, since responses cannot contain it.
func TestLengthsAreFinite(t *testing.T) {
	docs := testDocuments(40)
	docs[7].Measurements[NormAbsorption] = []Measurement{{Levels: make([]Level, len(NormAbsorption.Bands())),
		Lengths: [...]float64{math.Inf(1), 50}}}
	if _, err := Open(writeIndex(t, docs)); err == nil || !strings.Contains(err.Error(), "finite lengths") {
		t.Errorf("got %v, want finite lengths", err)
	}
}

// FuzzEntries overwrites bytes in valid sections. The sections must then be rejected or readable.
func FuzzEntries(f *testing.F) {
	const docs = 40
	file := writeIndex(f, testDocuments(docs))
	entries, _ := file.Section(KindEntries)
	planes, _ := file.Section(KindEntrySlices)
	f.Add(uint32(0), []byte{}, uint32(0), []byte{})
	f.Add(uint32(0), []byte{0}, uint32(0), []byte{})
	for at := range uint32(64) {
		f.Add(8*at, []byte{0xff, 0xff, 0xff, 0x7f}, 8*at, []byte{1, 0, 0, 0, 0, 0, 0, 0x80})
	}
	f.Fuzz(func(_ *testing.T, at uint32, with []byte, planesAt uint32, planesWith []byte) {
		over := func(good []byte, at uint32, with []byte) []byte {
			b := bytes.Clone(good)
			copy(b[int64(at)%int64(len(b)):], with)
			return b
		}
		entries, planes := over(entries, at, with), over(planes, planesAt, planesWith)
		x := &Index{Docs: docs}
		c := snapshot.NewCursor(entries)
		if x.Entries = openEntries(c); c.Err() != nil {
			return
		}
		c = snapshot.NewCursor(planes)
		if openEntrySlices(c, &x.Entries); c.Err() != nil {
			return
		}
		for norm := range x.Entries {
			useEntries(&x.Entries[norm], make(docset.Dense, docset.Words(docs)))
		}
	})
}

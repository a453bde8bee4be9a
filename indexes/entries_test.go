package indexes

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
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
		thirds int // of a thousandth
		want   Level
	}{
		{"the least coefficient of a record, -0.1", -300, 1},
		{"what lies below it is no less", -301, 1},
		{"a third of a thousandth is a level", -299, 2},
		{"0", 0, 301},
		{"the greatest coefficient of a record, 2", 6000, MaxLevel},
		{"a bound may lie above it", 6001, MaxLevel + 1},
		{"what no level holds is the last", 1 << 40, math.MaxUint16},
	} {
		if got := LevelOf(test.thirds); got != test.want {
			t.Errorf("%s: got %d, want %d", test.rule, got, test.want)
		} else if test.thirds >= -300 && test.thirds < 1<<16-301 && got.Thirds() != test.thirds {
			t.Errorf("%s: level %d is %d thirds", test.rule, got, got.Thirds())
		}
	}
}

func TestEntriesAreThoseOfTheDocuments(t *testing.T) {
	for _, n := range sizes {
		docs := testDocuments(n)
		x := buildIndex(t, docs)
		for norm := range NumNorms {
			e, entry := &x.Entries[norm], 0
			for d := range docs {
				want := docs[d].Measurements[norm]
				if first, end := e.Of(column.Doc(d)); first != entry || end != entry+len(want) {
					t.Fatalf("norm %d, document %d: entries %d to %d, want %d from %d", norm, d, first, end, len(want), entry)
				}
				for i := range want {
					if got := measurementOf(e, entry); fmt.Sprint(got) != fmt.Sprint(want[i]) { // NaN is not itself
						t.Fatalf("norm %d, entry %d of document %d: got %v, want %v", norm, i, d, got, want[i])
					}
					entry++
				}
			}
			if e.Len() != entry || e.Levels(entry) != nil || e.Levels(-1) != nil || e.Place(entry)+e.Place(-1) != 0 {
				t.Errorf("norm %d: %d entries, want %d and no more", norm, e.Len(), entry)
			}
		}
		if err := x.Check(); err != nil {
			t.Error(err)
		}
	}
}

// measurementOf returns an entry as a table has it.
func measurementOf(e *Entries, entry int) Measurement {
	m := Measurement{Levels: e.Levels(entry), Place: uint16(e.Place(entry))}
	if e.places == nil {
		return m
	}
	for a := range NumAttributes {
		number := int(e.Number(a, entry))
		switch {
		case a.isLength() && number == 0:
			m.Lengths[a-AttributeThickness] = math.NaN()
		case a.isLength():
			m.Lengths[a-AttributeThickness] = e.attributes[a].lengths[number-1]
		case number > 0:
			m.Texts[a] = e.Texts(a)[number-1]
		}
	}
	return m
}

func TestEntriesAreKeptByTheirValues(t *testing.T) {
	docs := testDocuments(900)
	x := buildIndex(t, docs)
	random := rand.New(rand.NewPCG(3, 5))
	for norm := range NumNorms {
		e := &x.Entries[norm]
		held := func(what string, keep func(set docset.Dense), holds func(m *Measurement) bool) {
			set, got, want := make(docset.Dense, docset.Words(e.Len())), make(docset.Dense, docset.Words(len(docs))), make(docset.Dense, docset.Words(len(docs)))
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
			least, most := Level(random.IntN(int(MaxLevel)+2)), Level(random.IntN(int(MaxLevel)+2)) // some of them crossed
			held(fmt.Sprintf("band %d from %d to %d", band, least, most),
				func(set docset.Dense) { e.KeepLevels(set, band, least, most) },
				func(m *Measurement) bool { return least <= m.Levels[band] && m.Levels[band] <= most })
		}
		if norm != NormAbsorption {
			continue
		}
		for _, most := range []float64{-1, 0, 0.25, 10, 19.5, 1e9} {
			for a := AttributeThickness; a < NumAttributes; a++ {
				held(fmt.Sprintf("attribute %d at most %v", a, most),
					func(set docset.Dense) { e.KeepNumbers(set, a, 1, e.AtMost(a, most)) },
					func(m *Measurement) bool { return m.Lengths[a-AttributeThickness] <= most })
			}
		}
		for a, texts := range map[Attribute][]string{
			AttributeMounting: {"A", "E-400", "wall"}, AttributeSourceKind: SourceKinds, AttributeClass: AbsorptionClasses,
		} {
			for _, text := range texts {
				number := e.Find(a, text)
				held(fmt.Sprintf("attribute %d is %s", a, text),
					func(set docset.Dense) { e.KeepNumbers(set, a, number, number) },
					func(m *Measurement) bool { return m.Texts[a] == text })
			}
			if !slices.Equal(e.Texts(a), slices.Sorted(slices.Values(texts))) || e.Find(a, "a") != 0 || e.Find(a, "") != 0 || e.Find(a, "zz") != 0 {
				t.Errorf("attribute %d: %q, %d, %d, %d", a, e.Texts(a), e.Find(a, "a"), e.Find(a, ""), e.Find(a, "zz"))
			}
		}
	}
}

// A build keeps each text and length once, and its memory is told by its comment.
func TestNumbersOfValuesAreInTheirOrder(t *testing.T) {
	var n numbered[string]
	for _, v := range []string{"b", "", "c", "a", "b", "", "c"} {
		n.add(v, v == "")
	}
	values, numbers := n.sorted()
	if !slices.Equal(values, []string{"a", "b", "c"}) || !slices.Equal(numbers, []uint32{2, 0, 3, 1, 2, 0, 3}) {
		t.Errorf("%q, %d", values, numbers)
	}
}

func TestDamageOfEntriesIsNamed(t *testing.T) {
	file := writeIndex(t, testDocuments(900))
	good, err := os.ReadFile(file.Path())
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	e := &whole.Entries[NormAbsorption]
	mounting, kind, class := &e.attributes[AttributeMounting], &e.attributes[AttributeSourceKind], &e.attributes[AttributeClass]
	thickness, depth := &e.attributes[AttributeThickness], &e.attributes[AttributeDepth]
	entry := func(what string, is func(i int) bool) int64 {
		for i := range e.Len() {
			if is(i) {
				return int64(i)
			}
		}
		t.Fatalf("no entry is %s", what)
		return 0
	}
	followed := entry("followed by another of its product", func(i int) bool { return i+1 < e.Len() && e.docs[i] == e.docs[i+1] })
	declared := entry("a declared curve", func(i int) bool { return e.Number(AttributeSourceKind, i) == 0 })
	thick := entry("of a thickness", func(i int) bool { return e.Number(AttributeThickness, i) > 0 })
	slicesAt := e.bandSlices[2].start
	last := slicesAt + int64(len(e.bandSlices[2].blocks))*8 - 1 // the last byte of the last plane
	huge, zero := bytes.Repeat([]byte{0xff}, 8), make([]byte, 8)
	offset := map[snapshot.Kind]int64{}
	for _, s := range file.Sections() {
		offset[s.Kind] = s.Offset
	}
	flipped := func(at int64) []byte { return []byte{good[offset[KindEntrySlices]+at] ^ 1} }
	for _, test := range []struct {
		done    string
		section snapshot.Kind
		at      int64 // from the section's start
		with    []byte
		want    string // what is missed
	}{
		{"more entries than numbers have", KindEntries, 0, huge, "entries whose number fits into 32 bits"},
		{"more entries than there are", KindEntries, 0, huge[:4], "bytes, not the end"},
		{"a document that is not there", KindEntries, whole.Entries[NormDiffusion].docsAt, huge[:4], "documents below 900 in ascending order"},
		{"documents in another order", KindEntries, e.docsAt + 4*int64(e.Len()/2), zero[:4], "documents below 900 in ascending order"},
		{"a level beyond the last", KindEntries, e.levelsAt, []byte{0x9e, 0x18}, "a level up to 6301, not 6302"},
		{"more values than entries", KindEntries, mounting.valuesAt - 8, huge, "distinct values"},
		{"texts in another order", KindEntries, mounting.valuesAt + 16, []byte("z"), "texts in ascending order"},
		{"an empty text", KindEntries, mounting.valuesAt + 4, zero[:4], "texts in ascending order, none of them empty"},
		{"texts that begin late", KindEntries, mounting.valuesAt, []byte{1}, "texts one behind the other"},
		{"a source kind that is none", KindEntries, kind.valuesAt + 16, []byte("L"), `measured, literature, simulated, not "Literature"`},
		{"a class that is none", KindEntries, class.valuesAt + 24 + 4, []byte("F"), `A, B, C, D, E, not "F"`},
		{"a length that is no number", KindEntries, thickness.valuesAt, huge, "lengths in ascending order"},
		{"lengths in another order", KindEntries, depth.valuesAt + 8, zero, "lengths in ascending order"},
		{"the number of no value", KindEntries, mounting.numbersAt, huge[:1], "numbers of 3 values, not 255 for entry 0"},
		{"a value that no entry has", KindEntries, class.numbersAt, make([]byte, e.Len()), "an entry with value 4 of attribute 2"},
		{"a thickness without a depth", KindEntries, thickness.numbersAt + thick, zero[:1], fmt.Sprintf("a thickness and a depth of entry %d, or neither", thick)},
		{"a declared curve before others", KindEntries, kind.numbersAt + followed, zero[:1], fmt.Sprintf("a source kind of entry %d,", followed)},
		{"a declared curve with a mounting", KindEntries, mounting.numbersAt + declared, []byte{1}, fmt.Sprintf("a source kind of entry %d,", declared)},
		{"a place beyond those of its product", KindEntries, e.placesAt + 2*followed, huge[:2], "the places 0 to "},
		{"numbers of too many bits", KindEntrySlices, 0, []byte{33}, "numbers of at most 32 bits, not 33"},
		{"more planes than there are", KindEntrySlices, whole.Entries[NormDiffusion].bandSlices[23].start - 8, []byte{32}, "bytes, not the end"},
		{"another level", KindEntrySlices, slicesAt, flipped(slicesAt), "as number 0 of "},
		{"another number of a value", KindEntrySlices, kind.slices.start, flipped(kind.slices.start), "as number 0 of "},
		{"a number behind the last", KindEntrySlices, last, huge[:1], fmt.Sprintf("0 as number %d of %d, as in section entries", (e.Len()/sliceBlock+1)*sliceBlock-8, e.Len())},
	} {
		b := bytes.Clone(good)
		copy(b[offset[test.section]+test.at:], test.with)
		damaged, err := snapshot.OpenBytes("damaged", b)
		if err != nil {
			t.Fatal(err)
		}
		x, err := Open(damaged)
		if err == nil {
			useAll(x)
			err = x.Check()
		}
		if want := fmt.Sprintf("damaged: section %s damaged at byte ", test.section); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, %s: %.300v, want %q and %q", test.section, test.done, err, want, test.want)
		}
	}
}

// FuzzEntries writes over bytes of good sections. Whatever they say then, they are refused or answer something, and their checks
// return.
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
	f.Fuzz(func(t *testing.T, at uint32, with []byte, planesAt uint32, planesWith []byte) {
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
		faults := &faultList{file: file, kind: KindEntries}
		x.checkEntries(faults)
		x.checkEntrySlices(faults)
		if err := faults.err(); err != nil && len(with)+len(planesWith) == 0 {
			t.Errorf("good sections: %v", err)
		}
	})
}

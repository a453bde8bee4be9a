package indexes

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// sizes are numbers of documents just below and above the sizes of words, bitmap chunks and column widths.
var sizes = []int{1, 2, 63, 64, 65, 900, 5_000}

func TestWrittenFileVerifies(t *testing.T) {
	for _, n := range sizes { // TestAlphaRangeIsExactForAnyNumbers uses a larger number
		x := buildIndex(t, testDocuments(n))
		if x.Docs != n || x.Meta.Products != n {
			t.Errorf("%d documents: index of %d, meta of %d", n, x.Docs, x.Meta.Products)
		}
		if err := x.file.VerifyChecksums(context.Background()); err != nil {
			t.Errorf("%d documents: %v", n, err)
		}
	}
}

// TestRebuild checks that a rebuild is identical, and that the index returns the data of its documents.
func TestRebuild(t *testing.T) {
	for what, docs := range map[string][]Document{"filters": testDocuments(900), "texts": textDocuments(900, 11)} {
		x, err := Open(writeIndexOf(t, Meta{Vocabulary: textVocabulary}, docs))
		if err != nil {
			t.Fatal(err)
		}
		if err := again(x, docs); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		for d, want := range docs {
			want.CollationDE, want.CollationEN, want.Installations = nil, nil, slices.Sorted(slices.Values(want.Installations))
			want.Descriptions = slices.DeleteFunc(slices.Clone(want.Descriptions), func(text string) bool { return text == "" })
			if got := x.Document(column.Doc(d)); fmt.Sprint(got) != fmt.Sprint(want) { // NaN does not equal itself
				t.Fatalf("%s, document %d: got %+v, want %+v", what, d, got, want)
			}
		}
		other := slices.Clone(docs)
		other[77].Slug = "another"
		if err := again(x, other); err == nil || !strings.Contains(err.Error(), "section slugs damaged at byte ") {
			t.Errorf("%s, another slug: %v", what, err)
		}
	}
}

func TestSameDocumentsGiveTheSameBytes(t *testing.T) {
	first, second := writeIndex(t, testDocuments(3_000)), writeIndex(t, testDocuments(3_000))
	if first.Hash() != second.Hash() {
		t.Errorf("two builds of the same documents: %s and %s", first.Hash(), second.Hash())
	}
	other := testDocuments(3_000)
	other[2_999].HasEPD = !other[2_999].HasEPD
	if third := writeIndex(t, other); third.Hash() == first.Hash() {
		t.Errorf("a build of another document has the same hash %s", third.Hash())
	}
}

func TestFacetsMatchADocumentScan(t *testing.T) {
	for _, n := range sizes {
		docs := testDocuments(n)
		x := buildIndex(t, docs)
		values := func(d *Document, f Family) []string {
			yes := map[bool][]string{true: {"true"}}
			switch f {
			case FamilyCategory:
				return []string{d.Category}
			case FamilyCharacter:
				return []string{d.Character}
			case FamilyInstallation:
				return d.Installations
			case FamilyManufacturer:
				return []string{d.Manufacturer.Slug}
			case FamilyFireClass:
				return []string{d.FireClass}
			case FamilyEPD:
				return yes[d.HasEPD]
			}
			return yes[d.Purchasable]
		}
		for family := range NumFamilies {
			facet := &x.Facets[family]
			var known []string
			for i := range docs {
				known = append(known, values(&docs[i], family)...)
			}
			known = append(known, x.Meta.values(family)...)
			switch family {
			case FamilyFireClass:
				known = append(known, fireClasses...)
			case FamilyEPD, FamilyPurchasable:
				known = append(known, "true")
			}
			slices.Sort(known)
			known = slices.DeleteFunc(slices.Compact(known), func(v string) bool { return v == "" })
			if facet.Len() != len(known) {
				t.Fatalf("%d documents, family %d: %d values, want %q", n, family, facet.Len(), known)
			}
			for i, value := range known {
				if got := facet.Value(i); got != value {
					t.Fatalf("%d documents, family %d: value %d is %q, want %q", n, family, i, got, value)
				}
				if got, ok := facet.Find(value); !ok || got != i {
					t.Errorf("%d documents, family %d: Find(%q) = %d, %v, want %d", n, family, value, got, ok, i)
				}
				if got, ok := facet.Find(value + "x"); ok {
					t.Errorf("%d documents, family %d: Find(%q) = %d", n, family, value+"x", got)
				}
				var want []column.Doc
				for d := range docs {
					has := slices.Contains(values(&docs[d], family), value)
					if class := docs[d].FireClass; family == FamilyFireClass {
						has = class != "" && class <= value
					}
					if has {
						want = append(want, column.Doc(d))
					}
				}
				if got := facet.Set(i).Docs(nil); !slices.Equal(got, want) {
					t.Errorf("%d documents, family %d: set of %q has %v, want %v", n, family, value, got, want)
				}
			}
			for d := range docs {
				var want []uint32
				for _, v := range values(&docs[d], family) {
					if i, ok := slices.BinarySearch(known, v); ok {
						want = append(want, uint32(i))
					}
				}
				slices.Sort(want)
				if got := facet.Of(nil, column.Doc(d)); !slices.Equal(got, want) {
					t.Errorf("%d documents, family %d: document %d has %v, want %v", n, family, d, got, want)
				}
			}
		}
		manufacturers := &x.Facets[FamilyManufacturer]
		for i := range docs {
			m := docs[i].Manufacturer
			for _, id := range []string{m.ID, strings.ToLower(m.ID), strings.ToUpper(m.ID)} {
				if got, ok := manufacturers.FindManufacturerID(id); !ok || manufacturers.Manufacturer(got) != m {
					t.Errorf("FindManufacturerID(%q) = %d, %v, want %v", id, got, ok, m)
				}
			}
		}
		if got, ok := manufacturers.FindManufacturerID("ffffffff-ffff-4fff-8fff-ffffffffffff"); ok {
			t.Errorf("FindManufacturerID of an unknown id = %d", got)
		}
	}
}

// A control character in a value is only a warning, so values can contain U+0000.
func TestListsOfValuesAreDistinctForAnyCharacters(t *testing.T) {
	docs := testDocuments(2)
	docs[0].Installations, docs[1].Installations = []string{"a\x00b"}, []string{"a", "b"}
	x := buildIndex(t, docs)
	for i, want := range [][]string{{"a\x00b"}, {"a", "b"}} {
		if got := x.Document(column.Doc(i)).Installations; !slices.Equal(got, want) {
			t.Errorf("document %d: installations %q, want %q", i, got, want)
		}
	}
}

func TestAlphaRangeIsExactForAnyNumbers(t *testing.T) {
	// The catalogue has bitmaps for thresholds, and ranges with more documents than a set has words.
	n := 70_000
	if testing.Short() {
		n = 7_000
	}
	docs := testDocuments(n)
	for i := range docs[:2] {
		docs[i].AlphaW = math.Copysign(0, -1)
	}
	x := buildIndex(t, docs)
	for d := range docs {
		got, ok := x.Alpha.Of(column.Doc(d))
		if want := docs[d].AlphaW; ok == math.IsNaN(want) || ok && got != want {
			t.Fatalf("alpha_w of document %d: %v, %v, want %v", d, got, ok, want)
		}
	}
	bound := rapid.OneOf(
		rapid.Map(rapid.IntRange(0, 20), func(k int) float64 { return float64(k) / 20 }),
		rapid.Map(rapid.IntRange(0, 20), func(k int) float64 { return math.Nextafter(float64(k)/20, 2) }),
		rapid.Map(rapid.IntRange(0, 20), func(k int) float64 { return math.Nextafter(float64(k)/20, -1) }),
		rapid.Map(rapid.IntRange(-10, 110), func(k int) float64 { return float64(k) / 100 }),
		rapid.Float64Range(-0.1, 1.1),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), docs[77].AlphaW}),
	)
	rapid.Check(t, func(t *rapid.T) {
		lo, hi := bound.Draw(t, "min"), bound.Draw(t, "max")
		got, want := make(docset.Dense, docset.Words(len(docs))), make(docset.Dense, docset.Words(len(docs)))
		for d := range docs {
			if a := docs[d].AlphaW; a >= lo && a <= hi {
				want.Add(column.Doc(d))
			}
		}
		x.Alpha.Range(got, lo, hi)
		if !slices.Equal(got, want) {
			t.Fatalf("[%v, %v]: %d documents, want %d", lo, hi, got.Len(), want.Len())
		}
	})
}

func TestOrdersAreSortedWithTiesByDocument(t *testing.T) {
	for _, n := range sizes {
		docs := testDocuments(n)
		x := buildIndex(t, docs)
		byAlpha := func(sign float64) func(a, b column.Doc) int {
			return func(a, b column.Doc) int {
				v, w := docs[a].AlphaW, docs[b].AlphaW
				switch {
				case math.IsNaN(v) && math.IsNaN(w) || v == w:
					return int(a) - int(b)
				case math.IsNaN(w) || v*sign < w*sign:
					return -1
				}
				return 1
			}
		}
		byKey := func(key func(*Document) []byte) func(a, b column.Doc) int {
			return func(a, b column.Doc) int {
				if c := bytes.Compare(key(&docs[a]), key(&docs[b])); c != 0 {
					return c
				}
				return int(a) - int(b)
			}
		}
		least := func(d column.Doc, length int) float64 {
			least := math.Inf(1)
			for _, m := range docs[d].Measurements[NormAbsorption] {
				if l := m.Lengths[length]; l < least {
					least = l
				}
			}
			return least
		}
		byLength := func(length int) func(a, b column.Doc) int {
			return func(a, b column.Doc) int {
				return cmp.Or(cmp.Compare(least(a, length), least(b, length)), cmp.Compare(a, b))
			}
		}
		for order, compare := range map[Order]func(a, b column.Doc) int{
			OrderAlphaAsc:  byAlpha(1),
			OrderAlphaDesc: byAlpha(-1),
			OrderNameDE:    byKey(func(d *Document) []byte { return d.CollationDE }),
			OrderNameEN:    byKey(func(d *Document) []byte { return d.CollationEN }),
			OrderID:        byKey(func(d *Document) []byte { return d.ID[:] }),
			OrderThickness: byLength(0),
			OrderDepth:     byLength(1),
		} {
			want := make([]column.Doc, n)
			for d := range want {
				want[d] = column.Doc(d)
			}
			slices.SortFunc(want, compare)
			for place, d := range want {
				if got := x.Orders[order].At(place); got != d {
					t.Fatalf("%d documents, order %d: document %d at place %d, want %d", n, order, got, place, d)
				}
				if got := x.Orders[order].Place(d); got != place {
					t.Fatalf("%d documents, order %d: document %d has place %d, want %d", n, order, d, got, place)
				}
			}
		}
	}
}

func TestIdentifiersFindTheirDocumentAndNothingElse(t *testing.T) {
	for _, n := range sizes {
		docs := testDocuments(n)
		x := buildIndex(t, docs)
		for d := range docs {
			id, slug := docs[d].ID, docs[d].Slug
			for name, find := range map[string]func() (column.Doc, bool){
				"id":     func() (column.Doc, bool) { return x.IDs.Find(id[:]) },
				"id key": func() (column.Doc, bool) { return x.IDKeys.Find([]byte(idKey(id))) },
				"slug":   func() (column.Doc, bool) { return x.Slugs.Find([]byte(slug)) },
			} {
				got, ok := find()
				if none := name == "slug" && slug == ""; ok == none || ok && got != column.Doc(d) {
					t.Errorf("%d documents: %s of document %d: %d, %v", n, name, d, got, ok)
				}
			}
			id[15]++
			if got, ok := x.IDs.Find(id[:]); ok {
				t.Errorf("%d documents: unknown id %x: document %d", n, id, got)
			}
			if got, ok := x.IDKeys.Find([]byte(idKey(id))); ok {
				t.Errorf("%d documents: key of unknown id %x: document %d", n, id, got)
			}
		}
		for _, key := range []string{"", "x", "panel", strings.Repeat("a", 36), strings.Repeat("ä", 500)} {
			for kind, table := range map[string]*Identifiers{"ids": &x.IDs, "id keys": &x.IDKeys, "slugs": &x.Slugs} {
				if got, ok := table.Find([]byte(key)); ok {
					t.Errorf("%d documents: %q among the %s: document %d", n, key, kind, got)
				}
			}
		}
	}
}

func TestKeyOfAnIDIsTheKeyOfItsText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, digits := range []string{"0123456789abcdef", "0123456789db", "01", "ae"} {
		for range 5000 {
			var text [2 * idSize]byte
			for i := range text {
				text[i] = digits[r.IntN(len(digits))]
			}
			id := uuid.MustParse(string(text[:]))
			if got, want := idKey(id), analysis.Key(id.String()); got != want {
				t.Fatalf("%s: %q, want %q", id, got, want)
			}
		}
	}
}

// Different ids can have the same key, because keys do not distinguish ae from a.
func TestSharedIDKeyFindsTheFirstDocument(t *testing.T) {
	docs := testDocuments(4)
	docs[1].ID, docs[3].ID = [16]byte{0xaa, 0xe0}, [16]byte{0xae, 0xa0}
	if a, b := idKey(docs[1].ID), idKey(docs[3].ID); a != b {
		t.Fatalf("keys %q and %q, want one", a, b)
	}
	x := buildIndex(t, docs)
	if got, ok := x.IDKeys.Find([]byte(idKey(docs[3].ID))); !ok || got != 1 {
		t.Errorf("document %d, %v, want 1", got, ok)
	}
}

func TestBodiesRoundTrip(t *testing.T) {
	x := buildIndex(t, testDocuments(200))
	for i := range 200 {
		got := x.Bodies.At(column.Doc(i))
		want, _ := testBody(i)
		if got.sums = nil; fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) { // a view without ranges is nil or empty
			t.Fatalf("body %d:\n got %+v\nwant %+v", i, got, want)
		}
	}
	for _, d := range []column.Doc{200, 201, math.MaxUint32} {
		if got := x.Bodies.At(d); !reflect.DeepEqual(got, Body{}) {
			t.Errorf("body of document %d, which is not there: %+v", d, got)
		}
	}
}

func TestMetaHasDeclaredAndUsedValues(t *testing.T) {
	x := buildIndex(t, testDocuments(5)) // the documents contain metall, but not breitband
	want := Meta{Products: 5, Rules: analysis.Rules, Vocabulary: []Vocabulary{
		{Family: FamilyCategory, Closed: true, Values: slices.Insert(slices.Clone(testVocabulary[0].Values), 2,
			Value{Value: "metall"})},
		{Family: FamilyCharacter, Values: []Value{{Value: "tiefton"}}},
		{Family: FamilyInstallation, Values: []Value{{Value: "ceiling"}, {Value: "wall"}}},
	}}
	if !reflect.DeepEqual(x.Meta, want) {
		t.Errorf("got %+v, want %+v", x.Meta, want)
	}
}

func TestReadingDoesNotAllocate(t *testing.T) {
	docs := testDocuments(5_000)
	x := buildIndex(t, docs)
	scratch := make(docset.Dense, docset.Words(x.Docs))
	list := make([]column.Doc, 0, x.Docs)
	values := make([]uint32, 0, 10)
	table := &x.Entries[NormAbsorption]
	entries := make(docset.Dense, docset.Words(table.Len()))
	entries.Fill(table.Len())
	large, small := x.Facets[FamilyPurchasable].Set(0), x.Facets[FamilyManufacturer].Set(3)
	if large.Len() < 1000 || small.Len() > 100 { // one set must be a bitmap and the other an array
		t.Fatalf("sets of %d and %d documents", large.Len(), small.Len())
	}
	for what, read := range map[string]func(){
		"Set.OrInto":   func() { large.OrInto(scratch); small.OrInto(scratch) },
		"Set.AndLen":   func() { large.AndLen(scratch); small.AndLen(scratch) },
		"Set.Contains": func() { large.Contains(77); small.Contains(77) },
		"Set.Docs":     func() { list = large.Docs(list[:0]) },
		"Facet.Of":     func() { values = x.Facets[FamilyInstallation].Of(values[:0], 9) },
		"Facet.Find":   func() { x.Facets[FamilyManufacturer].Find("manufacturer-7") },
		"Alpha.Range":  func() { x.Alpha.Range(scratch, 0.1, 0.9) },
		"Bodies.At":    func() { x.Bodies.At(9) },
		"IDs.Find":     func() { x.IDs.Find(docs[9].ID[:]) },
		"Entries": func() {
			table.Levels(7)
			table.Find(AttributeMounting, "wall")
			table.FilterLevels(entries, 2, 1, MaxLevel)
			table.FilterNumbers(entries, AttributeDepth, 1, table.AtMost(AttributeDepth, 200))
			table.DocsInto(scratch, entries)
		},
	} {
		if n := testing.AllocsPerRun(100, read); n != 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}

func TestOpenReportsMissingSections(t *testing.T) {
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	info, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	f, err := snapshot.Open(info.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	_, err = Open(f)
	var fault *snapshot.CorruptError
	if !errors.As(err, &fault) || fault.Section != KindMeta || fault.Path != info.Path {
		t.Errorf("a snapshot without sections: %v, want a fault of %s of %s", err, KindMeta, info.Path)
	}
}

// useAll calls all readers with valid and with invalid documents and values.
func useAll(x *Index) {
	scratch := make(docset.Dense, docset.Words(x.Docs))
	for _, d := range []column.Doc{0, 1, column.Doc(x.Docs) - 1, column.Doc(x.Docs), math.MaxUint32} {
		body := x.Bodies.At(d)
		for sum := range numSums {
			body.AppendVerified(nil, sum)
		}
		for _, t := range []*Identifiers{&x.IDs, &x.IDKeys, &x.Slugs} {
			t.Find(t.key(d))
		}
		for i := range x.Facets {
			for _, v := range x.Facets[i].Of(nil, d) {
				x.Facets[i].Value(int(v))
			}
		}
		x.Alpha.Of(d)
		for i := range x.Orders {
			scratch.Add(x.Orders[i].At(int(d)))
			x.Orders[i].Place(d)
		}
	}
	for i := range x.Facets {
		f := &x.Facets[i]
		for v := range min(f.Len(), 100) {
			f.Find(f.Value(v))
			f.FindManufacturerID(f.Manufacturer(v).ID)
			set := f.Set(v)
			set.OrInto(scratch)
			set.AndLen(scratch)
			set.Contains(3)
			set.Docs(nil)
		}
	}
	x.Alpha.Range(scratch, 0.1, 0.9)
	x.Alpha.Range(scratch, 0, 1)
	for norm := range x.Entries {
		useEntries(&x.Entries[norm], scratch)
	}
	useText(x)
}

// useEntries calls all readers of a table with valid and with invalid entries and values.
func useEntries(e *Entries, docs docset.Dense) {
	for _, d := range []column.Doc{0, 1, 77, math.MaxUint32} {
		first, end := e.Of(d)
		for entry := first - 1; entry <= end; entry++ {
			for _, level := range e.Levels(entry) {
				_ = level.Thirds()
			}
			e.Rank(entry)
			for a := range NumAttributes {
				e.Number(a, entry)
			}
		}
	}
	set := make(docset.Dense, docset.Words(e.Len()))
	for band := range e.bands {
		set.Fill(len(set) * docset.WordBits)
		e.FilterLevels(set, band, 1, MaxLevel/2)
		e.DocsInto(docs, set)
	}
	if e.ranks == nil {
		return
	}
	for a := range NumAttributes {
		for _, text := range e.Texts(a) {
			e.Find(a, text)
		}
		set.Fill(len(set) * docset.WordBits)
		e.FilterNumbers(set, a, 1, e.AtMost(a, 10))
		e.FilterNumbers(set, a, math.MaxUint32, math.MaxUint32)
		e.DocsInto(docs, set)
	}
}

// FuzzDamage overwrites bytes of a valid file and opens it without verifying checksums. No reader may panic,
// whatever a section contains.
func FuzzDamage(f *testing.F) {
	file := writeIndex(f, testDocuments(900))
	good, err := os.ReadFile(file.Path())
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range file.Sections() {
		places := []int64{0, 8, s.Length / 2, s.Length - 4}
		if testing.Short() {
			places = places[:1]
		}
		for _, at := range places {
			if at >= 0 && at < s.Length {
				f.Add(uint32(s.Offset+at), []byte{0xff, 0xff, 0xff, 0x7f})
				if !testing.Short() {
					f.Add(uint32(s.Offset+at), []byte{1, 0, 0, 0, 0, 0, 0, 0x80})
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, at uint32, with []byte) {
		head := file.Sections()[0].Offset // damage before this offset is detected by package snapshot
		b := bytes.Clone(good)
		copy(b[min(head+int64(at)%int64(len(b)), int64(len(b))):], with)
		damaged, err := snapshot.OpenBytes("damaged", b)
		if err != nil {
			t.Fatal(err) // the head is undamaged
		}
		x, err := Open(damaged)
		if err != nil {
			var fault *snapshot.CorruptError
			if !errors.As(err, &fault) || fault.Path != "damaged" || fault.Section == 0 {
				t.Errorf("%v: want a fault of a section", err)
			}
			return
		}
		useAll(x)
		for d := range column.Doc(min(x.Docs, 3)) {
			x.Document(d)
		}
	})
}

// TestDamagedSections damages each section.
func TestDamagedSections(t *testing.T) {
	docs := testDocuments(900)
	file := writeIndex(t, docs)
	for _, test := range []damage{
		{"products are not a number", KindMeta, 12, []byte("x"), "valid JSON"},
		{"the JSON in another form", KindMeta, 0, []byte(`{"Products"`), ""},
		{"a record begins after its end", KindBodyOffsets, 8, []byte{255, 255}, ""},
		{"a record with a part too long", KindBodies, 0, []byte{0xff, 0x7f}, ""},
		{"more slots than documents", KindIDs, 0, []byte{255, 255}, "at most 1800 slots"},
		{"a slot with another document", KindIDs, 8, bytes.Repeat([]byte{9, 0, 0, 0}, 20), ""},
		{"slots of no document", KindSlugs, 8, bytes.Repeat([]byte{255}, 80), ""},
		{"slots of no document", KindIDKeys, 8, bytes.Repeat([]byte{255}, 80), ""},
		{"another family count", KindFacets, 0, []byte{8}, "7 facet families, not 8"},
		{"too many values", KindFacets, 8, []byte{255}, "are left"},
		{"a set that is not there", KindFacets, 120, bytes.Repeat([]byte{255}, 8), ""},
		{"more values than documents", KindAlpha, 0, []byte{255, 255}, "at most 900 distinct values"},
		{"a threshold without its set", KindAlpha, 8 + 8*5, make([]byte, 8), ""},
		{"an order that has a document twice", KindOrders, 0, make([]byte, 8), ""},
		{"a document that is not there", KindSetArrays, 0, []byte{255, 255, 255, 255}, ""},
		{"more bitmaps than fit", KindSetBitmaps, 0, []byte{255, 255}, "table of bitmaps"},
		{"a bitmap of another length", KindSetBitmaps, 16 + 8, []byte{1, 0}, ""},
		{"a bitmap of fewer documents", KindSetBitmaps, 16 + 12, []byte{1, 0, 0, 0}, ""},
		{"more entries than numbers have", KindEntries, 0, bytes.Repeat([]byte{0xff}, 8),
			"2^32-1 entries"},
		{"more entries than there are", KindEntries, 0, bytes.Repeat([]byte{0xff}, 4), "are left"},
		{"a document that is not there", KindEntries, 8, bytes.Repeat([]byte{0xff}, 4), ""},
		{"numbers of too many bits", KindEntrySlices, 0, []byte{33}, "numbers of at most 32 bits, not 33"},
		{"another level", KindEntrySlices, 8, []byte{0xff}, ""},
	} {
		test.check(t, file, docs)
	}
}

// TestSynonymsOfASnapshotAreBounded opens a snapshot with the maximum number of synonyms, and one with more.
func TestSynonymsOfASnapshotAreBounded(t *testing.T) {
	terms := func(n int) (keys []string) {
		for i := range n {
			keys = append(keys, fmt.Sprint("term", i))
		}
		return keys
	}
	for _, test := range []struct {
		rule   string
		groups []analysis.SynonymGroup
		want   string
	}{
		{"two groups of a key with 500 synonyms together", []analysis.SynonymGroup{{From: terms(301)},
			{From: terms(1), To: terms(200)}}, ""},
		{"with more", []analysis.SynonymGroup{{From: terms(301)}, {From: terms(1), To: terms(201)}},
			`at most 500 synonyms for each term in all groups, but "term0" has more`},
		{"a large group", []analysis.SynonymGroup{{From: terms(1000)}}, "at most 500000 pairs of synonyms"},
		{"a group without terms", []analysis.SynonymGroup{{}, {To: terms(1)}, {From: []string{"", " "}}}, ""},
	} {
		x, err := Open(writeIndexOf(t, Meta{Synonyms: test.groups}, testDocuments(3)))
		if test.want == "" && (err != nil || len(x.Meta.Synonyms) != len(test.groups)) {
			t.Errorf("%s: %v", test.rule, err)
		}
		if test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %s", test.rule, err, test.want)
		}
	}
}

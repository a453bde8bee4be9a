package indexes

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"sabine/indexes/snapshot"
)

// testVocabulary declares values that no document of testDocuments has, and lacks some that they have.
var testVocabulary = []Vocabulary{
	{Family: FamilyCategory, Closed: true, Values: []Value{
		{Value: "holz", Names: map[string]string{"de": "Holz", "en": "Wood"}, Synonyms: []string{"timber"}},
		{Value: "kork"},
		{Value: "textil", Names: map[string]string{"en": "Textile", "de": "Textil"}},
	}},
	{Family: FamilyCharacter, Values: []Value{{Value: "breitband"}}},
	{Family: FamilyInstallation, Values: []Value{{Value: "wall"}}},
}

// testDocuments returns n documents of every kind: with and without each value, with values that many share and values
// of their own.
func testDocuments(n int) []Document {
	random, measured := rand.New(rand.NewPCG(7, 11)), rand.New(rand.NewPCG(13, 17))
	one := func(values ...string) string { return values[random.IntN(len(values))] }
	docs := make([]Document, n)
	for i := range docs {
		d := &docs[i]
		binary.BigEndian.PutUint64(d.ID[:], random.Uint64())
		binary.BigEndian.PutUint64(d.ID[8:], random.Uint64())
		if random.IntN(10) > 0 {
			d.Slug = fmt.Sprintf("%s-%d", one("panel", "felt", "baffle"), i)
		}
		manufacturer := random.IntN(1 + n/3)
		d.Manufacturer = Manufacturer{ID: fmt.Sprintf("%08X-0000-4000-8000-%012x", manufacturer*2654435761%(1<<32), manufacturer), Slug: fmt.Sprintf("manufacturer-%d", manufacturer), Name: fmt.Sprintf("Manufacturer & %d", manufacturer)}
		d.ManufacturerKey = fmt.Sprintf("manufacturer %d", manufacturer)
		d.Names = []string{one("akustikpanel", "wollfilz", "breitbandabsorber") + " " + one("weiss", "natur", "45 600"), "quiet wall"}
		d.Descriptions = []string{one("schallabsorber aus holz", "absorbs sound well", "")}
		d.Category = one("", "holz", "metall", "textil")
		d.Character = one("", "breitband", "tiefton")
		for _, v := range []string{"wall", "free-standing", "ceiling"} {
			if random.IntN(2) == 0 {
				d.Installations = append(d.Installations, v)
			}
		}
		d.FireClass = one(append([]string{"", ""}, FireClasses[1:6]...)...)
		d.HasEPD, d.Purchasable = random.IntN(4) == 0, random.IntN(4) > 0
		d.AlphaW = [...]float64{math.NaN(), float64(random.IntN(21)) / 20, float64(random.IntN(101)) / 100, random.Float64()}[random.IntN(4)]
		d.CollationDE = []byte(d.Names[0])
		d.CollationEN = d.CollationDE
		if random.IntN(3) == 0 {
			d.CollationEN = []byte("zz" + d.Names[0])
		}
		d.Measurements = testMeasurements(measured)
	}
	return docs
}

// testMeasurements returns no entries, or some after each norm, with and without each value, behind them perhaps a declared curve.
func testMeasurements(random *rand.Rand) (all [NumNorms][]Measurement) {
	for norm := range NumNorms {
		for range random.IntN(4) {
			m := Measurement{Levels: make([]Level, len(norm.Bands()))}
			for band := range m.Levels {
				if random.IntN(4) > 0 {
					m.Levels[band] = Level(1 + random.IntN(int(MaxLevel)>>random.IntN(12)))
				}
			}
			all[norm] = append(all[norm], m)
		}
	}
	entries := all[NormAbsorption]
	for i, place := range random.Perm(len(entries)) {
		m := &entries[i]
		m.Place = uint16(place)
		m.Lengths = [...]float64{math.NaN(), math.NaN()}
		if i == len(entries)-1 && random.IntN(5) == 0 {
			continue // declared
		}
		m.Texts[AttributeSourceKind] = SourceKinds[random.IntN(len(SourceKinds))]
		m.Texts[AttributeMounting] = []string{"", "A", "E-400", "wall"}[random.IntN(4)]
		m.Texts[AttributeClass] = append([]string{""}, AbsorptionClasses...)[random.IntN(6)]
		if random.IntN(3) > 0 {
			thickness := float64(random.IntN(40)) / 2
			m.Lengths = [...]float64{thickness, thickness + float64(random.IntN(300))}
		}
	}
	return all
}

// testBody returns a body whose parts can be told from each other.
func testBody(i int) Body {
	label := fmt.Sprintf(`"Label %d"`, i)
	detail := fmt.Sprintf(`{"id":%d,"label":%s,"nrc":null,"measurements":[]}`, i, label)
	b := Body{
		Detail: []byte(detail), SummaryEnd: 10, AcousticsEnd: 20, AbsorptionStart: len(detail) - 3, AbsorptionEnd: len(detail) - 1,
		Geometry:   []byte("null"),
		PublicHead: []byte(`{"label":`), LabelDE: []byte(label), LabelEN: []byte(label), PublicTail: []byte(`,"alphaW":0}`),
		CompareHead: []byte(`{"absorption_iso354":`),
		Plain:       Coded{ETag: fmt.Sprintf("%032x", i), Gzip: []byte("gzip"), Zstd: []byte("zstd")},
	}
	if i%2 == 1 {
		b.LabelEN = []byte(`"translated"`)
		b.WithGeometry = Coded{ETag: fmt.Sprintf("%032x", i+1<<20)}
	}
	return b
}

// writeIndex writes a snapshot of documents, each with its testBody, under testVocabulary.
func writeIndex(t testing.TB, docs []Document) *snapshot.File {
	t.Helper()
	return writeIndexOf(t, Meta{Vocabulary: testVocabulary}, docs)
}

// writeIndexOf writes a snapshot of documents, each with its testBody.
func writeIndexOf(t testing.TB, meta Meta, docs []Document) *snapshot.File {
	t.Helper()
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	bodies, err := NewBodyWriter(w)
	if err != nil {
		t.Fatal(err)
	}
	b := NewBuilder(meta)
	for i := range docs {
		body := testBody(i)
		if err := bodies.Add(AppendBody(nil, &body)); err != nil {
			t.Fatal(err)
		}
		b.Add(&docs[i])
	}
	if err := bodies.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Write(w); err != nil {
		t.Fatal(err)
	}
	return commit(t, w)
}

// commit ends a snapshot and opens it until the test ends.
func commit(t testing.TB, w *snapshot.Writer) *snapshot.File {
	t.Helper()
	info, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	f, err := snapshot.Open(info.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// buildIndex writes a snapshot of documents and opens it.
func buildIndex(t testing.TB, docs []Document) *Index {
	t.Helper()
	x, err := Open(writeIndex(t, docs))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

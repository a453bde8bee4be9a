package indexes

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"sabine/indexes/snapshot"
)

// The values of families and attributes in the test documents.
var (
	fireClasses       = []string{"A1", "A2", "B", "C", "D", "E", "F"}
	sourceKinds       = []string{"measured", "literature", "simulated"}
	absorptionClasses = []string{"A", "B", "C", "D", "E"}
)

// testVocabulary has values that no document of testDocuments has, and lacks some of their values.
var testVocabulary = []Vocabulary{
	{Family: FamilyCategory, Closed: true, Values: []Value{
		{Value: "holz", Names: map[string]string{"de": "Holz", "en": "Wood"}, Synonyms: []string{"timber"}},
		{Value: "kork"},
		{Value: "textil", Names: map[string]string{"en": "Textile", "de": "Textil"}},
	}},
	{Family: FamilyCharacter, Values: []Value{{Value: "breitband"}}},
	{Family: FamilyInstallation, Values: []Value{{Value: "wall"}}},
}

// testDocuments returns n documents, with and without each kind of value, and with both common and unique
// values.
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
		d.Manufacturer = Manufacturer{ID: fmt.Sprintf("%08X-0000-4000-8000-%012x", manufacturer*2654435761%(1<<32),
			manufacturer), Slug: fmt.Sprintf("manufacturer-%d", manufacturer), Name: fmt.Sprintf("Manufacturer & %d",
			manufacturer)}
		d.ManufacturerKey = fmt.Sprintf("manufacturer %d", manufacturer)
		d.Names = []string{one("akustikpanel", "wollfilz", "breitbandabsorber") + " " + one("weiss", "natur", "45 600"),
			"quiet wall"}
		d.Descriptions = []string{one("schallabsorber aus holz", "absorbs sound well", "")}
		d.Category = one("", "holz", "metall", "textil")
		d.Character = one("", "breitband", "tiefton")
		for _, v := range []string{"wall", "free-standing", "ceiling"} {
			if random.IntN(2) == 0 {
				d.Installations = append(d.Installations, v)
			}
		}
		d.FireClass = one(append([]string{"", ""}, fireClasses[1:6]...)...)
		d.HasEPD, d.Purchasable = random.IntN(4) == 0, random.IntN(4) > 0
		d.AlphaW = [...]float64{math.NaN(), float64(random.IntN(21)) / 20, float64(random.IntN(101)) / 100,
			random.Float64()}[random.IntN(4)]
		d.CollationDE = []byte(d.Names[0])
		d.CollationEN = d.CollationDE
		if random.IntN(3) == 0 {
			d.CollationEN = []byte("zz" + d.Names[0])
		}
		d.Measurements = testMeasurements(measured)
	}
	return docs
}

// testMeasurements returns either no entries or some entries for each norm, with and without each kind of
// value. The last entry may be a declared curve.
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
	for i, rank := range random.Perm(len(entries)) {
		m := &entries[i]
		m.Rank = uint16(rank)
		if m.Rating = 0; random.IntN(3) > 0 {
			m.Rating = RatingOf(5*random.IntN(21), shapeTexts[random.IntN(len(shapeTexts))])
		}
		m.Lengths = [...]float64{math.NaN(), math.NaN()}
		if i == len(entries)-1 && random.IntN(5) == 0 {
			continue // this entry is a declared curve
		}
		m.Texts[AttributeSourceKind] = sourceKinds[random.IntN(len(sourceKinds))]
		m.Texts[AttributeMounting] = []string{"", "A", "E-400", "wall"}[random.IntN(4)]
		m.Texts[AttributeClass] = append([]string{""}, absorptionClasses...)[random.IntN(6)]
		if random.IntN(3) > 0 {
			thickness := float64(random.IntN(40)) / 2
			m.Lengths = [...]float64{thickness, thickness + float64(random.IntN(300))}
			if random.IntN(4) == 0 {
				m.Lengths[1] = math.NaN() // the depth is unknown
			}
		}
	}
	return all
}

// testBody returns a body in which all parts differ, and its record.
func testBody(i int) (b Body, record []byte) {
	add := func(format string, of ...any) (end int) {
		b.Text = fmt.Appendf(b.Text, format, of...)
		return len(b.Text)
	}
	head := add(`{"id":%d`, i)
	b.SummaryEnd = add(`,"label":"Label %d"`, i)
	b.AcousticsEnd = add(`,"nrc":null`)
	b.AbsorptionStart = add(`,"measurements":`)
	b.AbsorptionEnd = add(`[{"id":"abs-%d"}]`, i)
	b.DetailEnd = add(`}`)
	b.GeometryEnd = add(`,"geometry":null`)
	quote := add(`,{"label":{"en":`)
	quoteEnd := add(`"translated %d"`, i)
	b.RestEnd = add(`}}`)
	alpha := add(`,"alphaW":0.%d`, i)
	end := add(`,"absorption_iso354":`)
	b.ETag, b.GeometryETag, b.Gzip = fmt.Sprintf("%032x", i), fmt.Sprintf("%032x", i+1<<20), []byte("gzip")
	views := [numViews]View{
		ViewPublicDE: {{0, b.SummaryEnd}, {b.RestEnd, alpha}},
		ViewCompare:  {{0, head}, {b.RestEnd, end}, {b.AbsorptionStart, b.AbsorptionEnd}},
	}
	if i%2 == 1 {
		views[ViewPublicEN] = View{{0, head + len(`,"label":`)}, {quote, quoteEnd}, {b.RestEnd, alpha}}
	}
	return b, AppendBody(nil, &b, views)
}

// writeIndex writes a snapshot of documents and testVocabulary. Each document has its testBody.
func writeIndex(t testing.TB, docs []Document) *snapshot.File {
	t.Helper()
	return writeIndexOf(t, Meta{Vocabulary: testVocabulary}, docs)
}

// writeIndexOf writes a snapshot of documents and meta. Each document has its testBody.
func writeIndexOf(t testing.TB, meta Meta, docs []Document) *snapshot.File {
	t.Helper()
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := fill(w, NewBuilder(meta, fireClasses), docs); err != nil {
		t.Fatal(err)
	}
	return commit(t, w)
}

// fill writes all sections of a snapshot of documents. Each document has its testBody.
func fill(w *snapshot.Writer, b *Builder, docs []Document) error {
	bodies, err := NewBodyWriter(w)
	if err != nil {
		return err
	}
	for i := range docs {
		_, record := testBody(i)
		if err := bodies.Add(record); err != nil {
			return err
		}
		b.Add(&docs[i])
	}
	if err := bodies.Close(); err != nil {
		return err
	}
	return b.Write(w)
}

// again rebuilds an index from documents, each with its testBody, and returns the first difference.
func again(x *Index, docs []Document) error {
	b, w := x.Rebuild(fireClasses)
	if err := fill(w, b, docs); err != nil {
		return err
	}
	left, err := w.Compared()
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("sections %v are left", left)
	}
	return err
}

// A damage describes bytes of a valid file that are overwritten.
type damage struct {
	done    string
	section snapshot.Kind
	at      int64 // offset from the start of the section or, if negative, from its end
	with    []byte
	want    string // expected in the error from Open; "" if Open succeeds
}

// check overwrites the bytes in a file built from docs. If Open succeeds, all data must be readable, and a
// rebuild must report a difference.
func (d *damage) check(t *testing.T, file *snapshot.File, docs []Document) {
	t.Helper()
	b, err := os.ReadFile(file.Path())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range file.Sections() {
		if s.Kind == d.section && d.at < 0 {
			copy(b[s.Offset+s.Length+d.at:], d.with)
		} else if s.Kind == d.section {
			copy(b[s.Offset+d.at:], d.with)
		}
	}
	damaged, err := snapshot.OpenBytes("damaged", b)
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(damaged)
	if (err != nil) != (d.want != "") {
		t.Errorf("%s, %s: opened, %v", d.section, d.done, err)
	}
	if err == nil {
		useAll(x)
		err = again(x, docs)
	}
	if want := fmt.Sprintf("damaged: section %s damaged at byte ", d.section); err == nil ||
		!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), d.want) {
		t.Errorf("%s, %s: %.300v, want %q and %q", d.section, d.done, err, want, d.want)
	}
}

// commit ends a snapshot, and opens it for the duration of the test.
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

package compiler

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
	"sabine/internal/sealed"
)

// A world is what a snapshot is made of: bodies, and what is said of them.
type world struct {
	meta      indexes.Meta
	bodies    [][]byte // records
	documents []indexes.Document
}

// few is a world of ten products.
func few(t testing.TB) world {
	t.Helper()
	full, bare := mustRender(t, fullProduct()), mustRender(t, bareProduct())
	sample, err := os.ReadFile("../dataset/sample/products.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	return worldOf(t, append(bytes.SplitAfterN(sample, []byte("\n"), 9)[:8], recordOf(&full), []byte("\n"), recordOf(&bare)))
}

// crowd is a world of so many products that words have pairs, and sets are bitmaps.
func crowd(t testing.TB) world {
	t.Helper()
	full := mustRender(t, fullProduct())
	records := [][]byte{recordOf(&full), []byte("\n")}
	for i := range 600 {
		text := "Absorber aus Holz"
		if i%10 == 0 {
			text = "Filz"
		}
		records = append(records, fmt.Appendf(nil, `{"id":"00000000-0000-4000-8000-%012d","label":"Panel %d","manufacturer":"ACME","description":%q}`+"\n", i, i, text))
	}
	return worldOf(t, records)
}

// worldOf is what the bodies tell that a build makes of records.
func worldOf(t testing.TB, records [][]byte) world {
	t.Helper()
	folder := snapshot.Folder{Dir: t.TempDir()}
	report, err := Build(t.Context(), Options{Folder: folder, Inputs: []dataset.Input{{
		Name: "world.ndjson", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(slices.Concat(records...))), nil },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	x := indexOf(t, openedAt(t, folder.Path(report.File)))
	w, a := world{meta: x.Meta}, newAnalyser()
	for d := range x.Docs {
		body := x.Bodies.At(column.Doc(d))
		p, err := dataset.ParsePublished(recordOf(&body))
		if err != nil {
			t.Fatal(err)
		}
		document := a.document(p)
		document.CollationDE, document.CollationEN = bytes.Clone(document.CollationDE), bytes.Clone(document.CollationEN)
		w.documents = append(w.documents, document)
		w.bodies = append(w.bodies, indexes.AppendBody(nil, &body))
	}
	return w
}

// write writes the snapshot of a world.
func (w world) write(t testing.TB) *snapshot.File {
	t.Helper()
	s, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Abort()
	bodies, err := indexes.NewBodyWriter(s)
	if err != nil {
		t.Fatal(err)
	}
	b := indexes.NewBuilder(w.meta)
	for i := range w.documents {
		if err := bodies.Add(w.bodies[i]); err != nil {
			t.Fatal(err)
		}
		b.Add(&w.documents[i])
	}
	if err := bodies.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Write(s); err != nil {
		t.Fatal(err)
	}
	info, err := s.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return openedAt(t, info.Path)
}

func openedAt(t testing.TB, path string) *snapshot.File {
	t.Helper()
	f, err := snapshot.Open(path)
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

func indexOf(t testing.TB, f *snapshot.File) *indexes.Index {
	t.Helper()
	x, err := indexes.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func deep(t testing.TB, x *indexes.Index) error {
	t.Helper()
	return CheckBodies(t.Context(), x, func(int) {})
}

// A lie makes one thing untrue in a world whose bodies, or whose indexes, stay as they are. Whatever it leaves is a valid snapshot.
type lie struct {
	what string
	tell func(w *world, full *indexes.Document) // full is the document of fullProduct
	want string                                 // what the deep check says; "" where no body tells it
}

var lies = []lie{
	{"all that is said of two products changes places", func(w *world, full *indexes.Document) {
		last := &w.documents[len(w.documents)-1]
		*last, *full = *full, *last
	}, "is the id of document "},
	{"two products change places", func(w *world, _ *indexes.Document) {
		w.bodies[0], w.bodies[1] = w.bodies[1], w.bodies[0]
		w.documents[0], w.documents[1] = w.documents[1], w.documents[0]
	}, "the newest come first"},
	{"the dateless product comes first", func(w *world, _ *indexes.Document) {
		last := len(w.documents) - 1
		w.bodies = slices.Concat(w.bodies[last:], w.bodies[:last])
		w.documents = slices.Concat(w.documents[last:], w.documents[:last])
	}, "document 0 before it of no time: the newest come first"},

	{"another id", func(_ *world, full *indexes.Document) { full.ID[14]++ }, "section ids says"},
	{"another slug", func(_ *world, full *indexes.Document) { full.Slug = "wand" }, `section slugs says "wand" is the slug`},
	{"no slug", func(_ *world, full *indexes.Document) { full.Slug = "" }, "section slugs says none is the slug"},

	{"another German label", func(_ *world, full *indexes.Document) {
		full.Names = append([]string{"wand"}, full.Names[1:]...)
	}, `section forward index says "wand | wave panel`},
	{"another English label", func(_ *world, full *indexes.Document) {
		full.Names = slices.Concat(full.Names[:1], []string{"wall"}, full.Names[2:])
	}, "section forward index says"},
	{"no commercial name", func(_ *world, full *indexes.Document) { full.Names = full.Names[:2] }, `its body "undula 45"`},
	{"a label in another language", func(_ *world, full *indexes.Document) {
		full.Names = append(slices.Clone(full.Names), "panneau ondule")
	}, ""},
	{"another manufacturer's words", func(_ *world, full *indexes.Document) { full.ManufacturerKey = "acme" }, `is the manufacturer of`},
	{"another description", func(_ *world, full *indexes.Document) { full.Descriptions = []string{"paneel"} }, "is the description of"},
	{"no description", func(_ *world, full *indexes.Document) { full.Descriptions = nil }, "section forward index says none is the description"},
	{"a detail less", func(_ *world, full *indexes.Document) { full.Details = full.Details[1:] }, "is the details of"},
	{"a detail more", func(_ *world, full *indexes.Document) { full.Details = append(slices.Clone(full.Details), "x") }, "is the details of"},

	{"another category", func(w *world, full *indexes.Document) { full.Category = w.other(0, full.Category) }, "is material_category of"},
	{"no category", func(_ *world, full *indexes.Document) { full.Category = "" }, "section facets says none is material_category"},
	{"another character", func(w *world, full *indexes.Document) { full.Character = w.other(1, full.Character) }, "is absorption_character of"},
	{"an installation less", func(_ *world, full *indexes.Document) { full.Installations = full.Installations[:1] }, "is installation_types of"},
	{"an installation more", func(w *world, full *indexes.Document) {
		full.Installations = append(slices.Clone(full.Installations), w.other(2, full.Installations...))
	}, "is installation_types of"},
	{"another manufacturer", func(_ *world, full *indexes.Document) {
		full.Manufacturer = indexes.Manufacturer{ID: full.Manufacturer.ID, Slug: "wand", Name: "Wand"}
	}, `section facets says "Wand" is manufacturer`},
	{"a manufacturer's id and slug", func(_ *world, full *indexes.Document) { full.Manufacturer.ID, full.Manufacturer.Slug = "x", "wand" }, ""},
	{"another fire class", func(_ *world, full *indexes.Document) { full.FireClass = "C" }, `section facets says "C" is fire_class`},
	{"no fire class", func(_ *world, full *indexes.Document) { full.FireClass = "" }, "section facets says none is fire_class"},
	{"no EPD", func(_ *world, full *indexes.Document) { full.HasEPD = false }, "section facets says none is has_epd"},
	{"purchasable", func(_ *world, full *indexes.Document) { full.Purchasable = !full.Purchasable }, ""},

	{"another alpha_w", func(_ *world, full *indexes.Document) { full.AlphaW = 0.84 }, "section alpha_w says 0.84 is alpha_w"},
	{"no alpha_w", func(_ *world, full *indexes.Document) { full.AlphaW = math.NaN() }, "section alpha_w says none is alpha_w"},
	{"names in another order", func(_ *world, full *indexes.Document) { full.CollationDE = []byte{0} }, "of order 2, their bodies the other way round"},
	{"English names in another order", func(_ *world, full *indexes.Document) { full.CollationEN = []byte{0} }, "of order 3, their bodies the other way round"},

	{"another place by absorption", func(_ *world, full *indexes.Document) {
		entries := full.Measurements[indexes.NormAbsorption]
		entries[0].Place, entries[1].Place = entries[1].Place, entries[0].Place
	}, "is the place by absorption of entry 0 of norm 0"},
	{"entries in another order", func(_ *world, full *indexes.Document) {
		slices.Reverse(full.Measurements[indexes.NormAbsorption])
	}, "of entry 0 of norm 0"},
	entryLie("mounting", func(m *indexes.Measurement) { m.Texts[indexes.AttributeMounting] = "A" }),
	entryLie("source kind", func(m *indexes.Measurement) { m.Texts[indexes.AttributeSourceKind] = "simulated" }),
	entryLie("class", func(m *indexes.Measurement) { m.Texts[indexes.AttributeClass] = "A" }),
	entryLie("thickness", func(m *indexes.Measurement) { m.Lengths[0]++ }),
	entryLie("depth", func(m *indexes.Measurement) { m.Lengths[1]++ }),

	{"a value of the vocabulary that nobody has", func(w *world, _ *indexes.Document) {
		v := &w.meta.Vocabulary[0]
		v.Values = append(slices.Clone(v.Values), indexes.Value{Value: "zzz"})
	}, `section meta has "zzz" of material_category, which nobody declared, and no body has it`},
	{"a value that the vocabulary lacks", func(w *world, _ *indexes.Document) { w.meta.Vocabulary[1].Values = w.meta.Vocabulary[1].Values[1:] }, "is the vocabulary of absorption_character"},
	{"a vocabulary that is closed", func(w *world, _ *indexes.Document) { w.meta.Vocabulary[0].Closed = true }, ""},
}

// other returns a value of a vocabulary that is none of some.
func (w *world) other(family indexes.Family, than ...string) string {
	for _, v := range w.meta.Vocabulary[family].Values {
		if !slices.Contains(than, v.Value) {
			return v.Value
		}
	}
	panic("one value alone")
}

// entryLie is an untrue attribute of the first entry.
func entryLie(name string, tell func(m *indexes.Measurement)) lie {
	return lie{"another " + name, func(_ *world, full *indexes.Document) { tell(&full.Measurements[indexes.NormAbsorption][0]) },
		"is the " + name + " of entry 0 of norm 0"}
}

// levelLies are an untrue level in each band of each norm, and an entry less of each.
func levelLies() (lies []lie) {
	for norm := range indexes.NumNorms {
		for band, hz := range norm.Bands() {
			if !*exhaustive && band > 0 && band < len(norm.Bands())-1 {
				continue
			}
			lies = append(lies, lie{fmt.Sprintf("norm %d at %d Hz", norm, hz),
				func(_ *world, full *indexes.Document) { full.Measurements[norm][0].Levels[band] ^= 1 },
				fmt.Sprintf("is the coefficient at %d Hz of entry 0 of norm %d", hz, norm)})
		}
		lies = append(lies, lie{fmt.Sprintf("no entry of norm %d", norm), func(_ *world, full *indexes.Document) { full.Measurements[norm] = nil },
			fmt.Sprintf("section entries says 0 is the number of entries of norm %d", norm)})
	}
	return lies
}

// told returns the world with a lie, and shares nothing with it that a lie may change.
func (w world) told(l lie) world {
	w.bodies, w.documents = slices.Clone(w.bodies), slices.Clone(w.documents)
	w.meta.Vocabulary = slices.Clone(w.meta.Vocabulary)
	full := &w.documents[slices.IndexFunc(w.documents, func(d indexes.Document) bool { return d.Slug == *fullProduct().Slug })]
	for norm := range full.Measurements {
		full.Measurements[norm] = slices.Clone(full.Measurements[norm])
		for i := range full.Measurements[norm] {
			m := &full.Measurements[norm][i]
			m.Levels = slices.Clone(m.Levels)
		}
	}
	l.tell(&w, full)
	return w
}

var exhaustive = flag.Bool("exhaustive", false, "hold untrue snapshots of many products too, each of their sections alone, and more flipped bits")

// Whatever a snapshot says that its bodies don't is named by the deep check, and by no other. Every section is one that some lie
// changes: a new one needs its own.
func TestDeepNamesWhatBodiesContradict(t *testing.T) {
	untouched := map[snapshot.Kind]bool{}
	w := few(t)
	for _, s := range w.write(t).Sections() {
		untouched[s.Kind] = true
	}
	for _, told := range []snapshot.Kind{
		indexes.KindBodies, indexes.KindBodyOffsets, // what the others are held against
		indexes.KindDictionary, // no body tells of it
	} {
		delete(untouched, told)
	}
	w.tellAll(t, slices.Concat(lies, levelLies()), untouched)
	if *exhaustive {
		crowd(t).tellAll(t, []lie{
			{"all documents the other way round", func(w *world, _ *indexes.Document) { slices.Reverse(w.documents) }, "is the id of document "},
			{"frequent words side by side", func(_ *world, full *indexes.Document) { full.Descriptions = []string{"holz absorber"} }, "is the description of"},
		}, untouched)
	} else {
		delete(untouched, indexes.KindPairs) // only a crowd has them
		delete(untouched, indexes.KindSetBitmaps)
	}
	for kind := range untouched {
		t.Errorf("no lie changes section %s", kind)
	}
}

// tellAll tells lies of a world, and notes which sections they change.
func (w world) tellAll(t *testing.T, lies []lie, untouched map[snapshot.Kind]bool) {
	base := w.write(t)
	if err := verified(t, base); err != nil {
		t.Fatal(err)
	}
	for _, l := range lies {
		t.Run(l.what, func(t *testing.T) {
			file := w.told(l).write(t)
			x := indexOf(t, file)
			if err := x.Check(); err != nil {
				t.Fatalf("%v, want that the structure holds", err)
			}
			err := deep(t, x)
			if l.want == "" && err != nil || l.want != "" && (err == nil || !strings.Contains(err.Error(), l.want)) {
				t.Errorf("%v\nwant %q", err, l.want)
			}
			for _, s := range base.Sections() {
				was, _ := base.Section(s.Kind)
				is, _ := file.Section(s.Kind)
				if bytes.Equal(was, is) {
					continue
				}
				delete(untouched, s.Kind)
				if *exhaustive && l.want != "" && verified(t, resealed(t, base, s.Kind, is)) == nil {
					t.Errorf("section %s alone is taken over, and nobody notices", s.Kind)
				}
			}
		})
	}
}

// verified opens a snapshot and checks it as deep as can be.
func verified(t testing.TB, file *snapshot.File) error {
	t.Helper()
	x, err := indexes.Open(file)
	if err == nil {
		err = x.Check()
	}
	if err == nil {
		err = deep(t, x)
	}
	return err
}

// Two neighbours of an order change places: all else is as before.
func TestDeepNamesDocumentsOutOfOrder(t *testing.T) {
	w := few(t)
	base := w.write(t)
	orders, _ := base.Section(indexes.KindOrders)
	docs := len(w.documents)
	column := (4*docs + 7) &^ 7
	for o := range indexes.NumOrders {
		for place := range docs - 1 {
			if !*exhaustive && place != docs/2 {
				continue
			}
			content := bytes.Clone(orders)
			at, places := content[2*int(o)*column:][4*place:], content[(2*int(o)+1)*column:]
			first, second := binary.LittleEndian.Uint32(at), binary.LittleEndian.Uint32(at[4:])
			binary.LittleEndian.PutUint32(at, second)
			binary.LittleEndian.PutUint32(at[4:], first)
			binary.LittleEndian.PutUint32(places[4*first:], uint32(place+1))
			binary.LittleEndian.PutUint32(places[4*second:], uint32(place))
			if err := verified(t, resealed(t, base, indexes.KindOrders, content)); err == nil || !strings.Contains(err.Error(), "section orders") {
				t.Errorf("order %d, places %d and %d: %v", o, place, place+1, err)
			}
		}
	}
}

// resealed returns a snapshot with another content of a section, and checksums that hold.
func resealed(t testing.TB, file *snapshot.File, kind snapshot.Kind, content []byte) *snapshot.File {
	t.Helper()
	draft := sealed.Of(file)
	*draft.Content(kind) = content
	f, err := snapshot.OpenBytes("resealed", draft.Seal())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A flipped bit is named even when the checksums are made right again, wherever it is, but in what no body tells.
func TestDeepNamesAnyFlippedBit(t *testing.T) {
	flips, worlds := []int{1}, []world{few(t)}
	if *exhaustive {
		flips, worlds = []int{100, 2}, append(worlds, crowd(t))
	}
	for i, w := range worlds {
		base := w.write(t)
		facet := &indexOf(t, base).Facets[indexes.FamilyManufacturer]
		rng := rand.New(rand.NewPCG(5, uint64(i)))
		for _, s := range base.Sections() {
			good, _ := base.Section(s.Kind)
			for range min(flips[i], len(good)) {
				content := bytes.Clone(good)
				at, bit := rng.IntN(len(content)), rng.IntN(8)
				content[at] ^= 1 << bit
				file := resealed(t, base, s.Kind, content)
				if verified(t, file) != nil {
					continue
				}
				if s.Kind != indexes.KindFacets || sameManufacturers(facet, &indexOf(t, file).Facets[indexes.FamilyManufacturer]) {
					t.Errorf("section %s, bit %d of byte %d of %d: nobody notices", s.Kind, bit, at, len(good))
				}
			}
		}
	}
}

func sameManufacturers(a, b *indexes.Facet) bool {
	for i := range a.Len() {
		if a.Manufacturer(i) != b.Manufacturer(i) {
			return false
		}
	}
	return true
}

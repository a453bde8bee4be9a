package compiler

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
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
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
	"sabine/internal/sealed"
)

// A world is the content of a snapshot: its bodies and documents.
type world struct {
	meta      indexes.Meta
	bodies    [][]byte // encoded records
	documents []indexes.Document
	untrue    *indexes.Meta // false metadata for the snapshot, or nil
}

// fullRecord contains a value for each field.
const fullRecord = `{"id":"` + fullID + `","slug":"` + fullSlug + `","label":{"de":"Wellenpanel \"45/600\"","en-GB":"Wave panel <45/600>","fr":"Panneau ondulé"},
"commercial_name":"Undula\t45","description":{"de":"Paneel aus Holzwolle.\nFür Wände.","en":"Wood wool panel.","fr":"Panneau de laine"},
"manufacturer":{"id":"11111111-2222-5333-8444-555555555555","slug":"mueller-soehne","name":"Müller & Söhne"},"data_source":"manufacturer","purchasable":false,
"material_category":"holz","absorption_character":"breitband","installation_types":["wall","free-standing"],"fire_class":"B-s1,d0","alpha_w":0.85,"alpha_w_min":0.1,
"updated_at":"2026-03-01T23:30:00.12+01:00","url":"https://example.com/p?a=1&b=2","epd_url":"https://example.com/epd.pdf",
"structured_meta":{"Brandklasse":"B-s1,d0","Dicke \"mm\"":"45","Oberfläche":"geölt"},"images":[{"id":"img-1","url":"https://example.com/1.jpg","display_order":-1}],
"geometry":{"shape":"panel","bounding_box_mm":{"width":600,"height":1200,"depth":45.5}},
"measurements":{"absorption_iso_354":[
{"id":"abs-1","source_kind":"measured","measuring_option":"Hallraum","mounting":"E","thickness_mm":45.5,"air_gap_mm":200,"calculated_absorption":0.85,
"alpha_s_octave":{"125":0.2,"250":0.4,"500":0.7,"1000":0.8,"2000":0.8,"4000":0.75}},{"id":"abs-2","source_kind":"literature","alpha_s_octave":{"1000":0.3}}],
"scatter_iso_17497_1":[{"source_kind":"simulated","scatter_octave":{"500":0.4}}],"diffusion_iso_17497_2":[{"source_kind":"measured","diffusion_octave":{"500":0.5}}]}}`

const (
	fullID   = "0b6f4c3e-58a8-52eb-852b-be809a01c8e0"
	fullSlug = "wellenpanel-45-600"

	bareRecord = `{"id":"0b6f4c3e-58a8-52eb-852b-be809a01c8e1","label":"Vorhang","manufacturer":"ACME"}`
)

// records joins records, which may span several lines, to NDJSON.
func records(all ...string) []byte {
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "\n", "") + "\n"
	}
	return []byte(strings.Join(all, ""))
}

// few returns a world that contains ten products.
func few(t testing.TB) world {
	t.Helper()
	sample, err := os.ReadFile("../dataset/sample/products.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	return worldOf(t, append(bytes.SplitAfterN(sample, []byte("\n"), 9)[:8], records(fullRecord, bareRecord)))
}

// crowd returns a world with enough products for stored pairs of words and for bitmaps.
func crowd(t testing.TB) world {
	t.Helper()
	all := [][]byte{records(fullRecord)}
	for i := range 600 {
		text := "Absorber aus Holz"
		if i%10 == 0 {
			text = "Filz"
		}
		all = append(all,
			fmt.Appendf(nil, `{"id":"00000000-0000-4000-8000-%012d","label":"Panel %d","manufacturer":"ACME","description":%q}`+
				"\n", i, i, text))
	}
	return worldOf(t, all)
}

// worldOf returns the content that a build creates from records.
func worldOf(t testing.TB, records [][]byte) world {
	t.Helper()
	folder := snapshot.Folder{Dir: t.TempDir()}
	report, err := Build(t.Context(), Options{Folder: folder, Inputs: []dataset.Input{{
		Name: "world.ndjson", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(slices.Concat(records...))), nil
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	x := indexOf(t, openedAt(t, folder.Path(report.File)))
	w := world{meta: x.Meta}
	err = eachRebuilt(t.Context(), x, func(_ column.Doc, _ *item, document *indexes.Document, body []byte) error {
		document.CollationDE, document.CollationEN = bytes.Clone(document.CollationDE), bytes.Clone(document.CollationEN)
		w.documents = append(w.documents, *document)
		w.bodies = append(w.bodies, bytes.Clone(body))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// write writes a world as a snapshot.
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
	b := indexes.NewBuilder(w.meta, product.FireClasses)
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
	file := openedAt(t, info.Path)
	if w.untrue != nil {
		meta, err := json.Marshal(w.untrue)
		if err != nil {
			t.Fatal(err)
		}
		return resealed(t, file, indexes.KindMeta, meta)
	}
	return file
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
	left, err := Rebuild(t.Context(), x, func(int) {})
	if len(left) > 0 && err == nil {
		t.Errorf("sections %v were not compared", left)
	}
	return err
}

// A lie changes the indexes of a world but not the records. The result is a valid snapshot whose indexes
// contradict its records.
type lie struct {
	what string
	tell func(w *world, full *indexes.Document) // changes the world; full is the document of fullProduct
	want []string                               // parts of the expected error; nil if a build input is changed
}

// ofFull returns parts of the error about a section whose first difference is in fullProduct. ofSome is for
// any product, and ofNone for no product.
func ofFull(kind snapshot.Kind) []string {
	return append(ofNone(kind), "product "+fullID+": ")
}
func ofSome(kind snapshot.Kind) []string { return append(ofNone(kind), "product ") }
func ofNone(kind snapshot.Kind) []string {
	return []string{": section " + kind.String() + " damaged at byte "}
}

var lies = []lie{
	{"the documents of two products are exchanged", func(w *world, full *indexes.Document) {
		last := &w.documents[len(w.documents)-1]
		*last, *full = *full, *last
	}, ofSome(indexes.KindIDs)},
	{"two products are exchanged", func(w *world, _ *indexes.Document) {
		w.bodies[0], w.bodies[1] = w.bodies[1], w.bodies[0]
		w.documents[0], w.documents[1] = w.documents[1], w.documents[0]
	}, []string{"document 1, product ", "incorrect order: expected the newest products first"}},
	{"the product without a date is first", func(w *world, _ *indexes.Document) {
		last := len(w.documents) - 1
		w.bodies = slices.Concat(w.bodies[last:], w.bodies[:last])
		w.documents = slices.Concat(w.documents[last:], w.documents[:last])
	}, []string{"document 1, product ", "incorrect order: expected the newest products first"}},

	{"another id", func(_ *world, full *indexes.Document) { full.ID[14]++ }, ofFull(indexes.KindIDs)},
	{"another slug", func(_ *world, full *indexes.Document) { full.Slug = "wand" }, ofFull(indexes.KindSlugs)},
	{"no slug", func(_ *world, full *indexes.Document) { full.Slug = "" }, ofFull(indexes.KindSlugs)},

	{"another German label", func(_ *world, full *indexes.Document) {
		full.Names = append([]string{"wand"}, full.Names[1:]...)
	}, ofFull(indexes.KindTerms)},
	{"another English label", func(_ *world, full *indexes.Document) {
		full.Names = slices.Concat(full.Names[:1], []string{"wall"}, full.Names[2:])
	}, ofFull(indexes.KindTerms)},
	{"no commercial name", func(_ *world, full *indexes.Document) {
		full.Names = full.Names[:2]
	}, ofFull(indexes.KindTerms)},
	{"no label in another language", func(_ *world, full *indexes.Document) {
		full.Names = slices.Delete(slices.Clone(full.Names), 2, 3)
	}, ofFull(indexes.KindTerms)},
	{"a label in another language", func(_ *world, full *indexes.Document) {
		full.Names = append(slices.Clone(full.Names), "pannello")
	}, ofFull(indexes.KindTerms)},
	{"another manufacturer's words", func(_ *world, full *indexes.Document) {
		full.ManufacturerKey = "acme"
	}, ofFull(indexes.KindTerms)},
	{"another description", func(_ *world, full *indexes.Document) {
		full.Descriptions = []string{"paneel"}
	}, ofFull(indexes.KindTerms)},
	{"no description", func(_ *world, full *indexes.Document) { full.Descriptions = nil }, ofFull(indexes.KindTerms)},
	{"a detail less", func(_ *world, full *indexes.Document) {
		full.Details = full.Details[1:]
	}, ofFull(indexes.KindTerms)},
	{"a detail more", func(_ *world, full *indexes.Document) {
		full.Details = append(slices.Clone(full.Details), "x")
	}, ofFull(indexes.KindTerms)},
	{"words in another order", func(_ *world, full *indexes.Document) {
		words := strings.Fields(full.Descriptions[0])
		slices.Reverse(words)
		full.Descriptions = append([]string{strings.Join(words, " ")}, full.Descriptions[1:]...)
	}, ofFull(indexes.KindForward)},

	{"another category", func(w *world, full *indexes.Document) {
		full.Category = w.other(0, full.Category)
	}, ofFull(indexes.KindFacets)},
	{"a new category", func(_ *world, full *indexes.Document) { full.Category = "zzz" }, ofFull(indexes.KindMeta)},
	{"no category", func(_ *world, full *indexes.Document) { full.Category = "" }, ofFull(indexes.KindFacets)},
	{"another character", func(w *world, full *indexes.Document) {
		full.Character = w.other(1, full.Character)
	}, ofFull(indexes.KindFacets)},
	{"an installation less", func(_ *world, full *indexes.Document) {
		full.Installations = full.Installations[:1]
	}, ofFull(indexes.KindMeta)},
	{"an installation more", func(w *world, full *indexes.Document) {
		full.Installations = append(slices.Clone(full.Installations), w.other(2, full.Installations...))
	}, ofFull(indexes.KindFacets)},
	{"another manufacturer", func(_ *world, full *indexes.Document) {
		full.Manufacturer = indexes.Manufacturer{ID: full.Manufacturer.ID, Slug: "wand", Name: "Wand"}
	}, ofFull(indexes.KindFacets)},
	{"a manufacturer's id", func(_ *world, full *indexes.Document) {
		full.Manufacturer.ID = "x"
	}, ofFull(indexes.KindFacets)},
	{"a manufacturer's slug", func(_ *world, full *indexes.Document) {
		full.Manufacturer.Slug = "wand"
	}, ofFull(indexes.KindFacets)},
	{"another fire class", func(_ *world, full *indexes.Document) { full.FireClass = "C" }, ofFull(indexes.KindFacets)},
	{"no fire class", func(_ *world, full *indexes.Document) { full.FireClass = "" }, ofFull(indexes.KindFacets)},
	{"no EPD", func(_ *world, full *indexes.Document) { full.HasEPD = false }, ofFull(indexes.KindFacets)},
	{"purchasable", func(_ *world, full *indexes.Document) {
		full.Purchasable = !full.Purchasable
	}, ofFull(indexes.KindFacets)},

	{"another alpha_w", func(_ *world, full *indexes.Document) { full.AlphaW = 0.84 }, ofFull(indexes.KindOrders)},
	{"no alpha_w", func(_ *world, full *indexes.Document) { full.AlphaW = math.NaN() }, ofFull(indexes.KindOrders)},
	{"names in another order", func(_ *world, full *indexes.Document) {
		full.CollationDE = []byte{0}
	}, ofFull(indexes.KindOrders)},
	{"English names in another order", func(_ *world, full *indexes.Document) {
		full.CollationEN = []byte{0}
	}, ofFull(indexes.KindOrders)},

	{"another place by absorption", func(_ *world, full *indexes.Document) {
		entries := full.Measurements[indexes.NormAbsorption]
		entries[0].Rank, entries[1].Rank = entries[1].Rank, entries[0].Rank
	}, ofFull(indexes.KindEntries)},
	entryLie("rating", func(m *indexes.Measurement) { m.Rating++ }),
	{"another minimum thickness", func(_ *world, full *indexes.Document) {
		for i := range full.Measurements[indexes.NormAbsorption] {
			full.Measurements[indexes.NormAbsorption][i].Lengths[0] += 1e6
		}
	}, ofFull(indexes.KindOrders)},
	{"entries in another order", func(_ *world, full *indexes.Document) {
		slices.Reverse(full.Measurements[indexes.NormAbsorption])
	}, ofFull(indexes.KindEntries)},
	entryLie("mounting", func(m *indexes.Measurement) { m.Texts[indexes.AttributeMounting] = "A" }),
	entryLie("source kind", func(m *indexes.Measurement) { m.Texts[indexes.AttributeSourceKind] = "simulated" }),
	entryLie("class", func(m *indexes.Measurement) { m.Texts[indexes.AttributeClass] = "A" }),
	entryLie("thickness", func(m *indexes.Measurement) { m.Lengths[0]++ }),
	entryLie("depth", func(m *indexes.Measurement) { m.Lengths[1]++ }),

	vocabularyLie("a value of the vocabulary without a product", ofNone(indexes.KindMeta), func(all []indexes.Vocabulary) {
		all[0].Values = append(slices.Clone(all[0].Values), indexes.Value{Value: "zzz"})
	}),
	vocabularyLie("a value that the vocabulary lacks", ofNone(indexes.KindMeta), func(all []indexes.Vocabulary) {
		all[1].Values = all[1].Values[1:]
	}),
	vocabularyLie("a value that a closed vocabulary lacks", ofNone(indexes.KindMeta), func(all []indexes.Vocabulary) {
		all[1].Closed, all[1].Values = true, all[1].Values[1:]
	}),
	vocabularyLie("an undeclared name in a vocabulary", ofNone(indexes.KindMeta), func(all []indexes.Vocabulary) {
		all[0].Values = slices.Clone(all[0].Values)
		all[0].Values[0].Names = map[string]string{"en": "Wood"}
	}),
	vocabularyLie("a vocabulary that is closed", nil, func(all []indexes.Vocabulary) { all[0].Closed = true }),
}

// other returns a value in the vocabulary that is not one of the given values.
func (w *world) other(family indexes.Family, than ...string) string {
	for _, v := range w.meta.Vocabulary[family].Values {
		if !slices.Contains(than, v.Value) {
			return v.Value
		}
	}
	panic("one value alone")
}

// entryLie returns a lie that changes an attribute of the first entry.
func entryLie(name string, tell func(m *indexes.Measurement)) lie {
	return lie{"another " + name, func(_ *world, full *indexes.Document) {
		tell(&full.Measurements[indexes.NormAbsorption][0])
	}, ofFull(indexes.KindEntries)}
}

// vocabularyLie returns a lie that changes the vocabulary but not the facets.
func vocabularyLie(what string, want []string, tell func(all []indexes.Vocabulary)) lie {
	return lie{what, func(w *world, _ *indexes.Document) {
		w.untrue = &indexes.Meta{Products: w.meta.Products, Rules: w.meta.Rules, Vocabulary: slices.Clone(w.meta.Vocabulary)}
		tell(w.untrue.Vocabulary)
	}, want}
}

// levelLies returns lies that change a level in each band, and that remove an entry of each norm.
func levelLies() (lies []lie) {
	for norm := range indexes.NumNorms {
		for band, hz := range norm.Bands() {
			if !*exhaustive && band > 0 && band < len(norm.Bands())-1 {
				continue
			}
			lies = append(lies, lie{fmt.Sprintf("norm %d at %d Hz", norm, hz),
				func(_ *world, full *indexes.Document) {
					full.Measurements[norm][0].Levels[band] ^= 1
				}, ofFull(indexes.KindEntries)})
		}
		kind := indexes.KindEntries
		if norm == indexes.NormAbsorption { // only the lengths of this norm have orders
			kind = indexes.KindOrders
		}
		lies = append(lies, lie{fmt.Sprintf("no entry of norm %d", norm),
			func(_ *world, full *indexes.Document) { full.Measurements[norm] = nil }, ofFull(kind)})
	}
	return lies
}

// told returns a copy of the world that is changed by a lie. It copies all data that a lie can change.
func (w world) told(l lie) world {
	w.bodies, w.documents = slices.Clone(w.bodies), slices.Clone(w.documents)
	full := &w.documents[slices.IndexFunc(w.documents, func(d indexes.Document) bool { return d.Slug == fullSlug })]
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

var exhaustive = flag.Bool("exhaustive", false,
	"also check false snapshots of many products, each section separately, and more flipped bits")

// Only the deep check detects snapshot data that contradicts the records. Lies must change every section, so
// a new section needs a new lie.
func TestDeepNamesWhatRecordsContradict(t *testing.T) {
	untouched := map[snapshot.Kind]bool{}
	w := few(t)
	for _, s := range w.write(t).Sections() {
		untouched[s.Kind] = true
	}
	for _, told := range []snapshot.Kind{
		indexes.KindBodies, indexes.KindBodyOffsets, // changed in TestDeepNamesABodyThatItsRecordDoesNotMake
		indexes.KindDictionary, // input of a build; see TestDeepReadsTheDictionary
	} {
		delete(untouched, told)
	}
	w.tellAll(t, slices.Concat(lies, levelLies()), untouched)
	if *exhaustive {
		crowd(t).tellAll(t, []lie{
			{"all documents the other way round", func(w *world, _ *indexes.Document) {
				slices.Reverse(w.documents)
			}, ofSome(indexes.KindIDs)},
			{"frequent words side by side", func(_ *world, full *indexes.Document) {
				full.Descriptions = []string{"holz absorber"}
			}, ofFull(indexes.KindTerms)},
		}, untouched)
	} else {
		delete(untouched, indexes.KindPairs) // changed only in a crowd
		delete(untouched, indexes.KindSetBitmaps)
	}
	for kind := range untouched {
		t.Errorf("no lie changes section %s", kind)
	}
}

// tellAll checks all lies about a world, and removes from untouched the sections that the lies change.
func (w world) tellAll(t *testing.T, lies []lie, untouched map[snapshot.Kind]bool) {
	base := w.write(t)
	if err := verified(t, base); err != nil {
		t.Fatal(err)
	}
	for _, l := range lies {
		t.Run(l.what, func(t *testing.T) {
			file := w.told(l).write(t)
			err := deep(t, indexOf(t, file))
			if l.want == nil && err != nil {
				t.Error(err)
			}
			for _, want := range l.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v\nwant %q", err, want)
				}
			}
			for _, s := range base.Sections() {
				was, _ := base.Section(s.Kind)
				is, _ := file.Section(s.Kind)
				if bytes.Equal(was, is) {
					continue
				}
				delete(untouched, s.Kind)
				if *exhaustive && l.want != nil && verified(t, resealed(t, base, s.Kind, is)) == nil {
					t.Errorf("section %s was replaced, and no check failed", s.Kind)
				}
			}
		})
	}
}

// verified opens a snapshot and returns the result of the deep check.
func verified(t testing.TB, file *snapshot.File) error {
	t.Helper()
	x, err := indexes.Open(file)
	if err == nil {
		err = deep(t, x)
	}
	return err
}

// The deep check must report a body that differs from its rebuilt record, or that has no record.
func TestDeepNamesABodyThatItsRecordDoesNotMake(t *testing.T) {
	w := few(t)
	full := slices.IndexFunc(w.documents, func(d indexes.Document) bool { return d.Slug == fullSlug })
	type stored struct {
		indexes.Body
		views [3]indexes.View
	}
	instead := func(b *stored, old, new string) { b.Text = bytes.Replace(b.Text, []byte(old), []byte(new), 1) }
	const bytesDiffer = "section bodies damaged at byte "
	for _, test := range []struct {
		rule   string
		damage func(b *stored)
		want   string // "" if there is no error
	}{
		{"the body of the build is valid", func(*stored) {}, ""},
		{"another declared number", func(b *stored) {
			instead(b, `"alpha_w":0.85`, `"alpha_w":0.95`)
		}, "section bodies: the stored product has "},
		{"another rating", func(b *stored) { instead(b, `"nrc":`, `"nrc":1`) }, " "},
		{"a text that is not JSON", func(b *stored) { clear(b.Text) }, "label: missing"},
		{"an empty body", func(b *stored) { *b = stored{} }, "label: missing"},
		{"an unknown key", func(b *stored) { instead(b, `"url":`, `"URL":`) }, "section bodies: the stored product has "},
		{"an invalid fire class", func(b *stored) {
			instead(b, `"fire_class":"B`, `"fire_class":"G`)
		}, "fire_class: expected a class"},
		{"another slug of the manufacturer", func(b *stored) {
			instead(b, `"mueller-soehne"`, `"mueller-vaeter"`)
		}, "section facets"},
		{"a summary that ends within a text", func(b *stored) { b.SummaryEnd-- }, bytesDiffer},
		{"no absorption", func(b *stored) { b.AbsorptionEnd = b.AbsorptionStart }, bytesDiffer},
		{"the tag of another body", func(b *stored) { b.GeometryETag = b.ETag }, bytesDiffer},
		{"an invalid gzip form", func(b *stored) { b.Gzip = make([]byte, len(b.Gzip)) }, bytesDiffer},
		{"a public item with less", func(b *stored) {
			b.views[indexes.ViewPublicDE] = b.views[indexes.ViewPublicDE][1:]
		}, bytesDiffer},
		{"an English item that is German", func(b *stored) {
			b.views[indexes.ViewPublicEN] = b.views[indexes.ViewPublicDE]
		}, bytesDiffer},
		{"a compare item with another key", func(b *stored) {
			instead(b, `"absorption_iso354":`, `"absorption_iso345":`)
		}, "section bodies: the stored product has "},
	} {
		t.Run(test.rule, func(t *testing.T) {
			of := product.NewRenderer().Render(dataset.Parse(dataset.Raw{JSON: records(fullRecord)}).Product)
			b := stored{indexes.Body{Text: of.Text, Marks: indexes.Marks(of.Marks)},
				[...]indexes.View{of.Public[0], of.Public[1], of.Compare}}
			newRenderer().code(&b.Body)
			test.damage(&b)
			w := w
			w.bodies = slices.Clone(w.bodies)
			w.bodies[full] = indexes.AppendBody(nil, &b.Body, b.views)
			switch err := deep(t, indexOf(t, w.write(t))); {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) ||
				!strings.Contains(err.Error(), fmt.Sprintf("document %d", full))):
				t.Errorf("%v, want %q of document %d", err, test.want, full)
			}
		})
	}
}

// TestDeepNamesADuplicateProduct checks that two products in a snapshot must not have the same id.
func TestDeepNamesADuplicateProduct(t *testing.T) {
	w := few(t)
	w.bodies, w.documents = append(w.bodies, w.bodies[0]), append(w.documents, w.documents[0])
	if err := deep(t, indexOf(t, w.write(t))); err == nil ||
		!strings.Contains(err.Error(), "duplicate id, first used in document 0") {
		t.Error(err)
	}
}

// If the analysis rules differ, the text sections are not compared, but all other sections are.
func TestDeepUnderOtherRules(t *testing.T) {
	w := crowd(t)
	w.untrue = &indexes.Meta{Products: w.meta.Products, Rules: w.meta.Rules + 1, Vocabulary: w.meta.Vocabulary}
	for _, test := range []struct {
		lie   lie
		found bool
	}{
		{lie{"nothing", func(*world, *indexes.Document) {}, nil}, false},
		{lie{"another word", func(_ *world, full *indexes.Document) { full.Descriptions = []string{"paneel"} }, nil}, false},
		{lie{"no EPD", func(_ *world, full *indexes.Document) { full.HasEPD = false }, ofFull(indexes.KindFacets)}, true},
	} {
		x := indexOf(t, w.told(test.lie).write(t))
		left, err := Rebuild(t.Context(), x, func(int) {})
		if (err != nil) != test.found {
			t.Errorf("%s: %v", test.lie.what, err)
		}
		for _, want := range test.lie.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", test.lie.what, err, want)
			}
		}
		if err == nil && (!slices.Contains(left, indexes.KindTerms) || !slices.Contains(left, indexes.KindSetBitmaps) ||
			slices.Contains(left, indexes.KindFacets)) {
			t.Errorf("%s: %v were not compared", test.lie.what, left)
		}
	}
}

// If the rules differ, only the sets of the filters are compared, which precede the sets of the texts.
func TestDeepComparesOnlyTheSetsOfFilters(t *testing.T) {
	for _, test := range []struct {
		of   world
		kind snapshot.Kind
		at   int // offset of the first set in its section
	}{
		{few(t), indexes.KindSetArrays, 0},
		{crowd(t), indexes.KindSetBitmaps, 16 + 12}, // offset of the number of documents
	} {
		test.of.untrue = &indexes.Meta{Products: test.of.meta.Products, Rules: test.of.meta.Rules + 1,
			Vocabulary: test.of.meta.Vocabulary}
		base := test.of.write(t)
		section, _ := base.Section(test.kind)
		for _, at := range []int{test.at, len(section) - 1} {
			content := bytes.Clone(section)
			content[at] ^= 1
			_, err := Rebuild(t.Context(), indexOf(t, resealed(t, base, test.kind, content)), func(int) {})
			if found := err != nil && strings.Contains(err.Error(), "section "+test.kind.String()+" damaged"); found != (at == test.at) {
				t.Errorf("section %s, byte %d: %v", test.kind, at, err)
			}
		}
	}
}

// TestDeepNamesDocumentsOutOfOrder exchanges only two neighbours in an order.
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
			if err := verified(t, resealed(t, base, indexes.KindOrders, content)); err == nil ||
				!strings.Contains(err.Error(), "section orders") {
				t.Errorf("order %d, places %d and %d: %v", o, place, place+1, err)
			}
		}
	}
}

// resealed returns a snapshot in which a section is replaced and all checksums are valid.
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

// TestDeepNamesAnyFlippedBit checks that the deep check detects any flipped bit, even with valid checksums.
func TestDeepNamesAnyFlippedBit(t *testing.T) {
	flips, worlds := []int{1}, []world{few(t)}
	if *exhaustive {
		flips, worlds = []int{100, 2}, append(worlds, crowd(t))
	}
	for i, w := range worlds {
		base := w.write(t)
		rng := rand.New(rand.NewPCG(5, uint64(i)))
		for _, s := range base.Sections() {
			good, _ := base.Section(s.Kind)
			for range min(flips[i], len(good)) {
				content := bytes.Clone(good)
				at, bit := rng.IntN(len(content)), rng.IntN(8)
				content[at] ^= 1 << bit
				if verified(t, resealed(t, base, s.Kind, content)) == nil {
					t.Errorf("section %s, bit %d of byte %d of %d: no check failed", s.Kind, bit, at, len(good))
				}
			}
		}
	}
}

package indexes

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// textVocabulary adds words to documents through their values. One word is common to all families.
var textVocabulary = []Vocabulary{
	{Family: FamilyCategory, Closed: true, Values: []Value{
		{Value: "holz", Names: map[string]string{"de": "Holz und Kork", "en": "Wood and cork"},
			Synonyms: []string{"timber", "Panel und Panel"}},
		{Value: "textil", Names: map[string]string{"de": "Gewebe", "en": "Woven wood"}},
		{Value: "unused", Names: map[string]string{"en": "Nobody has this"}},
	}},
	{Family: FamilyCharacter, Closed: true,
		Values: []Value{{Value: "breitband", Names: map[string]string{"en": "Broad wood band"}}}},
	{Family: FamilyInstallation, Closed: true,
		Values: []Value{{Value: "free-standing", Names: map[string]string{"de": "frei stehend"}}, {Value: "wall"}}},
}

// textDocuments returns n documents with few distinct words, so that words, pairs and names often coincide,
// and with some rare words.
func textDocuments(n int, seed uint64) []Document {
	random := rand.New(rand.NewPCG(seed, 5))
	common := strings.Fields(
		"akustik deckensegel decke segel holz und 45 600 wollfilz panel panels paneel absorbiert schall ø tur wand")
	word := func() string {
		if random.IntN(6) == 0 {
			return fmt.Sprintf("w%c%c%d", 'a'+rune(random.IntN(3)), 'ä'+rune(random.IntN(20)), random.IntN(60))
		}
		return common[min(random.IntN(len(common)), random.IntN(len(common)))]
	}
	text := func(most int) string {
		words := make([]string, 1+random.IntN(most))
		for i := range words {
			words[i] = word()
		}
		return strings.Join(words, " ")
	}
	texts := func(most, words int) (texts []string) {
		for range random.IntN(most + 1) {
			texts = append(texts, text(words))
		}
		return texts
	}
	docs := make([]Document, n)
	for i := range docs {
		d := &docs[i]
		d.ID[0], d.ID[1], d.ID[2] = byte(i), byte(i>>8), byte(i>>16)
		d.Names = texts(3, 4)
		manufacturer := random.IntN(9)
		d.Manufacturer = Manufacturer{ID: fmt.Sprintf("id-%d", manufacturer), Slug: fmt.Sprintf("manufacturer-%d",
			manufacturer), Name: common[manufacturer]}
		d.ManufacturerKey = strings.TrimSpace(common[manufacturer] + " " + []string{"", "segel"}[manufacturer%2])
		d.Descriptions, d.Details = texts(2, 25), texts(2, 15)
		d.Category = []string{"", "holz", "textil", "kork"}[random.IntN(4)]
		d.Character = []string{"", "breitband"}[random.IntN(2)]
		d.Installations = [][]string{nil, {"wall"}, {"free-standing", "wall"}}[random.IntN(3)]
		d.AlphaW = math.NaN()
		if random.IntN(3) > 0 {
			d.Slug = fmt.Sprintf("Panel--%d_%s", i/2, []string{"a", "b"}[i%2])
		}
	}
	return docs
}

// buildText writes a snapshot of documents with textVocabulary and opens it.
func buildText(t testing.TB, docs []Document) *Index {
	t.Helper()
	x, err := Open(writeIndexOf(t, Meta{Vocabulary: textVocabulary}, docs))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// textsOf returns the texts in a field of a document, by a simple scan.
func textsOf(d *Document, f Field) (texts []string) {
	switch f {
	case FieldName:
		return d.Names
	case FieldManufacturer:
		return []string{d.ManufacturerKey}
	case FieldDescription:
		return d.Descriptions
	case FieldDetails:
		return d.Details
	case FieldAny:
		for f := range NumFields {
			texts = append(texts, textsOf(d, f)...)
		}
		return texts
	}
	has := map[Family][]string{FamilyCategory: {d.Category}, FamilyCharacter: {d.Character},
		FamilyInstallation: d.Installations}
	for family, values := range has {
		for _, value := range values {
			if value == "" {
				continue
			}
			texts = append(texts, analysis.Key(value))
			for _, v := range textVocabulary[family].Values {
				if v.Value != value {
					continue
				}
				for _, name := range v.Names {
					texts = append(texts, analysis.Key(name))
				}
			}
		}
	}
	return texts
}

// holding returns the documents that contain a phrase in one text of a field, by a simple scan.
func holding(docs []Document, f Field, phrase string) []column.Doc {
	return docsWhere(docs, func(d *Document) bool {
		return slices.ContainsFunc(textsOf(d, f), func(text string) bool {
			return strings.Contains(" "+text+" ", " "+phrase+" ")
		})
	})
}

// docsByWord returns, for each word in a field, the documents that contain the word.
func docsByWord(docs []Document, f Field) map[string][]column.Doc {
	held := map[string][]column.Doc{}
	for i := range docs {
		words := strings.Fields(strings.Join(textsOf(&docs[i], f), " "))
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			held[word] = append(held[word], column.Doc(i))
		}
	}
	return held
}

func docsWhere(docs []Document, holds func(*Document) bool) (found []column.Doc) {
	for i := range docs {
		if holds(&docs[i]) {
			found = append(found, column.Doc(i))
		}
	}
	return found
}

// allWords returns the distinct words of documents in ascending order.
func allWords(docs []Document) []string {
	words := map[string]bool{}
	for i := range docs {
		for f := range NumFields {
			for _, text := range textsOf(&docs[i], f) {
				for _, word := range analysis.Words(text) {
					words[word] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(words))
}

func TestTermsOfDocuments(t *testing.T) {
	docs := textDocuments(400, 1)
	x := buildText(t, docs)
	var held [FieldAny + 1]map[string][]column.Doc
	for f := range held {
		held[f] = docsByWord(docs, Field(f))
	}
	words := allWords(docs)
	if x.Terms.Len() != len(words) {
		t.Fatalf("%d terms, want %d", x.Terms.Len(), len(words))
	}
	for i, word := range words {
		if got := x.Terms.Word(Term(i)); got != word {
			t.Fatalf("term %d is %q, want %q", i, got, word)
		}
		if got, ok := x.Terms.Find(word); !ok || got != Term(i) {
			t.Errorf("%q is term %d, %v, want %d", word, got, ok, i)
		}
		for f := range FieldAny + 1 {
			set := x.Terms.Set(Term(i), f)
			if got, want := set.Docs(nil), held[f][word]; !slices.Equal(got, want) || set.Len() != len(want) {
				t.Errorf("%q in field %d: %v, want %v", word, f, got, want)
			}
		}
	}
	for _, word := range []string{"", "a", "zzzz", "deckensege", "timber", "nobody", "\xff"} {
		if i, ok := x.Terms.Find(word); ok {
			t.Errorf("%q is term %d, want none", word, i)
		}
	}
	if x.Terms.Word(Term(len(words))) != "" || x.Terms.Set(Term(len(words)), FieldName).Len() != 0 ||
		x.Terms.Set(0, FieldAny+1).Len() != 0 {
		t.Error("a term that is not there has a word or a set")
	}
}

func TestBeginningsOfWords(t *testing.T) {
	docs := textDocuments(700, 2)
	x := buildText(t, docs)
	words := allWords(docs)
	begin := map[string][]string{}
	for _, word := range words {
		for i, end := 1, 0; end < len(word); i++ {
			_, size := utf8.DecodeRuneInString(word[end:])
			end += size
			begin[word[:end]] = append(begin[word[:end]], word)
		}
	}
	kept := 0
	for prefix, all := range begin {
		lo, hi := x.Terms.Range(prefix)
		if int(hi-lo) != len(all) || x.Terms.Word(lo) != all[0] {
			t.Errorf("words that begin with %q: %d to %d, want %d", prefix, lo, hi, len(all))
		}
		number, ok := x.Prefixes.Find(prefix)
		if want := len(all) > manyWords && utf8.RuneCountInString(prefix) <= maxPrefix; ok != want {
			t.Errorf("beginning %q of %d words is kept: %v, want %v", prefix, len(all), ok, want)
		}
		if !ok {
			continue
		}
		kept++
		for f := range FieldAny + 1 {
			want := docsWhere(docs, func(d *Document) bool {
				return slices.ContainsFunc(textsOf(d, f), func(text string) bool { return strings.Contains(" "+text, " "+prefix) })
			})
			if got := x.Prefixes.Set(number, f).Docs(nil); !slices.Equal(got, want) {
				t.Errorf("words that begin with %q in field %d: %v, want %v", prefix, f, got, want)
			}
			dst := make(docset.Dense, docset.Words(len(docs)))
			x.Terms.EachSet(lo, hi, f, func(set docset.Set) { set.OrInto(dst) })
			if got := dst.Docs(); !slices.Equal(got, want) {
				t.Errorf("words from %d to %d in field %d: %v, want %v", lo, hi, f, got, want)
			}
		}
	}
	if kept == 0 || kept != x.Prefixes.Len() {
		t.Errorf("%d beginnings are kept, want %d, and some", x.Prefixes.Len(), kept)
	}
	for _, prefix := range []string{"zzz", "w\xff"} {
		if lo, hi := x.Terms.Range(prefix); lo != hi {
			t.Errorf("words that begin with %q: %d to %d, want none", prefix, lo, hi)
		}
	}
	if lo, hi := x.Terms.Range(""); lo != 0 || int(hi) != len(words) {
		t.Errorf("words that begin with nothing: %d to %d, want all", lo, hi)
	}
}

// TestGroupsHaveTheDocumentsOfTheirTerms checks the documents of every stem and every compound part, in each
// field and in FieldAny.
func TestGroupsHaveTheDocumentsOfTheirTerms(t *testing.T) {
	x := buildText(t, textDocuments(700, 5))
	for name, group := range map[string]struct {
		keys *Groups
		sets *FieldSets
	}{"stem": {&x.Stems, &x.StemSets}, "part": {&x.Parts, &x.PartSets}} {
		for key := range group.keys.Len() {
			for f := range FieldAny + 1 {
				want := make(docset.Dense, docset.Words(x.Docs))
				for _, term := range group.keys.Numbers(key) {
					x.Terms.Set(Term(term), f).OrInto(want)
				}
				if got := group.sets.Set(key, f).Docs(nil); !slices.Equal(got, want.Docs()) {
					t.Errorf("%s %q in field %d: %v, want %v", name, group.keys.Key(key), f, got, want.Docs())
				}
			}
		}
	}
}

func TestTermsOfStemsAndParts(t *testing.T) {
	docs := textDocuments(300, 3)
	x := buildText(t, docs)
	words := allWords(docs)
	splitter := analysis.NewSplitter(func(word string) bool { return slices.Contains(words, word) })
	stems, parts, forms := map[string][]uint32{}, map[string][]uint32{}, map[string]string{}
	for i, word := range words {
		german, english := analysis.Stems(word)
		stems["d"+german] = append(stems["d"+german], uint32(i))
		stems["e"+english] = append(stems["e"+english], uint32(i))
		for _, part := range splitter.Parts(nil, word) {
			if of := parts[part.Stem]; len(of) == 0 || of[len(of)-1] != uint32(i) {
				parts[part.Stem] = append(of, uint32(i))
			}
			forms[part.Form] = part.Stem
		}
		for _, key := range analysis.NumberKeys(nil, word) {
			parts[key] = append(parts[key], uint32(i))
		}
	}
	checkGroups(t, "stems", &x.Stems, stems)
	checkGroups(t, "parts", &x.Parts, parts)
	for form, stem := range forms {
		i, ok := x.PartForms.Find(form)
		if !ok || x.Parts.Key(x.PartForms.Part(i)) != stem {
			t.Errorf("the form %q is of no part %q", form, stem)
		}
	}
	for _, query := range []string{"dekcen", "ecken", "seggel", "panel"} {
		var want, got []string
		for form := range forms {
			if editDistance(query, form) <= 1 {
				want = append(want, form)
			}
		}
		for _, near := range x.PartForms.Near(nil, query, 1) {
			got = append(got, x.PartForms.At(int(near.Number)))
		}
		slices.Sort(want)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("near %q: %v, want %v", query, got, want)
		}
	}
	if x.PartForms.Len() != len(forms) {
		t.Errorf("%d forms of parts, want %d", x.PartForms.Len(), len(forms))
	}
	if i, ok := x.PartForms.Find("decken"); !ok ||
		x.Terms.Word(Term(x.Parts.Numbers(x.PartForms.Part(i))[0])) != "deckensegel" {
		t.Error("decken is no part of deckensegel")
	}
}

func TestDocumentsOfNamesManufacturersAndSlugs(t *testing.T) {
	docs := textDocuments(700, 4)
	x := buildText(t, docs)
	names, manufacturers, slugs := map[string][]uint32{}, map[string][]uint32{}, map[string][]uint32{}
	add := func(groups map[string][]uint32, key string, number uint32) {
		if !slices.Contains(groups[key], number) {
			groups[key] = append(groups[key], number)
		}
	}
	for i, d := range docs {
		for _, name := range d.Names {
			add(names, name, uint32(i))
		}
		if d.Slug != "" {
			add(slugs, analysis.Key(d.Slug), uint32(i))
		}
		number, ok := x.Facets[FamilyManufacturer].Find(d.Manufacturer.Slug)
		if !ok {
			t.Fatalf("%q is no manufacturer", d.Manufacturer.Slug)
		}
		add(manufacturers, d.ManufacturerKey, uint32(number))
	}
	checkGroups(t, "names", &x.Names, names)
	checkGroups(t, "manufacturers", &x.Manufacturers, manufacturers)
	checkGroups(t, "slugs", &x.SlugKeys, slugs)
}

func TestForwardTexts(t *testing.T) {
	docs := textDocuments(300, 3)
	x := buildText(t, docs)
	for i, d := range docs {
		for f, want := range map[Field][]string{FieldName: d.Names, FieldManufacturer: {d.ManufacturerKey},
			FieldCategory: nil, FieldDescription: d.Descriptions, FieldDetails: d.Details} {
			var got []string
			for _, text := range x.Forward.Texts(column.Doc(i), f) {
				var words []string
				for _, t := range text {
					words = append(words, x.Terms.Word(t))
				}
				got = append(got, strings.Join(words, " "))
			}
			if !slices.Equal(got, want) {
				t.Errorf("document %d, %v: got %q, want %q", i, f, got, want)
			}
		}
	}
}

// checkGroups compares groups with the lists from which the groups were made.
func checkGroups(t *testing.T, what string, g *Groups, want map[string][]uint32) {
	t.Helper()
	keys := slices.Sorted(maps.Keys(want))
	if g.Len() != len(keys) || len(keys) < 2 {
		t.Fatalf("%s: %d keys, want %d", what, g.Len(), len(keys))
	}
	var all []uint32
	for i, key := range keys {
		numbers := slices.Sorted(slices.Values(want[key]))
		if at, ok := g.Find(key); !ok || at != i || g.Key(i) != key || !slices.Equal(g.Numbers(i), numbers) {
			t.Errorf("%s: %q at %d, %v, with %v, want at %d with %v", what, key, at, ok, g.Numbers(at), i, numbers)
		}
		all = append(all, numbers...)
		if lo, hi := g.Range(key); lo != i || hi <= i || !strings.HasPrefix(g.Key(hi-1), key) ||
			strings.HasPrefix(g.Key(hi), key) && hi < g.Len() {
			t.Errorf("%s: keys that begin with %q from %d to %d", what, key, lo, hi)
		}
	}
	if got := g.NumbersOf(0, len(keys)); !slices.Equal(got, all) {
		t.Errorf("%s: all numbers %v, want %v", what, got, all)
	}
	for _, bad := range [][2]int{{-1, 1}, {0, len(keys) + 1}, {1, 1}, {2, 1}} {
		if got := g.NumbersOf(bad[0], bad[1]); got != nil {
			t.Errorf("%s: numbers of keys %v: %v, want none", what, bad, got)
		}
	}
	if _, ok := g.Find("no such key"); ok || g.Key(-1) != "" || g.Key(len(keys)) != "" {
		t.Errorf("%s: a key that is not there", what)
	}
}

// namesOf returns the keys of KindNames, followed by those of KindManufacturers.
func namesOf(x *Index) (names []string) {
	for i := range x.Names.Len() {
		names = append(names, x.Names.Key(i))
	}
	for i := range x.Manufacturers.Len() {
		names = append(names, x.Manufacturers.Key(i))
	}
	return names
}

func TestDocumentsHaveTheirNames(t *testing.T) {
	docs := textDocuments(900, 29)
	x := buildText(t, docs)
	keys := keysOf(&x.Names)
	keys = append(keys, keysOf(&x.Manufacturers)...)
	for d := range docs {
		var got []string
		for _, name := range x.DocNames.Of(column.Doc(d)) {
			got = append(got, keys[x.Trigrams.Place(int(name))])
		}
		want := slices.Clone(docs[d].Names)
		slices.Sort(want)
		want = append(slices.Compact(want), docs[d].ManufacturerKey)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("document %d has the names %q, want %q", d, got, want)
		}
	}
	if names := x.DocNames.Of(column.Doc(len(docs))); names != nil {
		t.Errorf("a document that is not there has the names %d", names)
	}
}

// keysOf returns the keys of groups in ascending order.
func keysOf(g *Groups) []string {
	keys := make([]string, g.Len())
	for i := range keys {
		keys[i] = g.Key(i)
	}
	return keys
}

func TestNamesAreNumberedByTheirTrigrams(t *testing.T) {
	x := buildText(t, textDocuments(500, 6))
	names := namesOf(x)
	if x.Trigrams.Len() != len(names) {
		t.Fatalf("%d names, want %d", x.Trigrams.Len(), len(names))
	}
	seen := make([]bool, len(names))
	before := 0
	for i := range names {
		place := x.Trigrams.Place(i)
		if place >= len(names) || seen[place] {
			t.Fatalf("name %d has index %d of %d, or the index is not unique", i, place, len(names))
		}
		seen[place] = true
		size := len(analysis.Trigrams(nil, names[place]))
		if got := x.Trigrams.Size(i); got != size || got < before {
			t.Errorf("%q has %d trigrams, want %d; the name before has %d", names[place], got, size, before)
		}
		before = size
	}
	if n := len(names); x.Trigrams.Place(n) < n || x.Trigrams.Size(n) != 0 {
		t.Errorf("name %d of %d has place %d and size %d", n, n, x.Trigrams.Place(n), x.Trigrams.Size(n))
	}
}

// TestRarestTrigram compares the names that contain the rarest trigram with a scan of all names.
func TestRarestTrigram(t *testing.T) {
	x := buildText(t, textDocuments(500, 6))
	names := namesOf(x)
	dst := make(docset.Dense, docset.Words(len(names)))
	for _, key := range []string{"panel", "wand 45", "segel", "qqq", "panel qqq", ""} {
		trigrams := analysis.InnerTrigrams(nil, key)
		var want []column.Doc
		for i, trigram := range trigrams {
			var with []column.Doc
			for name := range names {
				if slices.Contains(analysis.Trigrams(nil, names[x.Trigrams.Place(name)]), trigram) {
					with = append(with, column.Doc(name))
				}
			}
			if i == 0 || len(with) < len(want) {
				want = with
			}
		}
		dst.Clear()
		x.Trigrams.RarestInto(dst, trigrams)
		if got := dst.Docs(); !slices.Equal(got, want) {
			t.Errorf("names with the rarest of %q: %v, want %v", trigrams, got, want)
		}
	}
}

// writeSection writes a snapshot with the sections that write writes, and opens it.
func writeSection(t testing.TB, write func(*snapshot.Writer) error) *snapshot.File {
	t.Helper()
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := write(w); err != nil {
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
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// useText calls all readers of texts with valid and with invalid words and numbers.
func useText(x *Index) {
	x.EachTranslation(0, func(terms *Groups, sets *FieldSets, key int) {
		terms.Numbers(key)
		sets.Set(key, FieldAny).Len()
	})
	dst, scratch := make(docset.Dense, docset.Words(x.Docs)), make(docset.Dense, docset.Words(x.Docs))
	numbers := []uint32{0, 1, 5, uint32(x.Terms.Len()) - 1, uint32(x.Terms.Len()), math.MaxUint32}
	for _, n := range numbers {
		for f := range FieldAny + 2 {
			for _, terms := range []*Terms{&x.Terms, &x.Prefixes, &x.Phrases} {
				terms.Find(terms.Word(Term(n)))
				terms.Range(terms.Word(Term(n)))
				terms.Set(Term(n), f).OrInto(dst)
				terms.EachSet(Term(n), math.MaxUint32, f, func(set docset.Set) { set.OrInto(dst) })
				terms.EachSet(3, Term(n), f, func(set docset.Set) { set.OrInto(dst) })
			}
			x.Forward.holds(column.Doc(n), f, appendWords(nil, []Term{0, Term(n)}))
			x.Forward.Texts(column.Doc(n), f)
			for _, m := range numbers {
				x.Pairs.Set(Term(n), Term(m), f)
				x.PhraseInto(dst, scratch, docset.All(x.Docs), f, []Term{Term(m), Term(n), 3})
			}
		}
		for _, g := range []*Groups{&x.Stems, &x.Parts, &x.Names, &x.Manufacturers, &x.SlugKeys} {
			g.Find(g.Key(int(n)))
			lo, hi := g.Range(g.Key(int(n)))
			g.NumbersOf(lo, hi)
			g.Numbers(int(n))
		}
		x.PartForms.Part(int(n))
		x.PartForms.At(int(n))
		x.Trigrams.Place(int(n))
		x.Trigrams.Size(int(n))
		x.DocNames.Of(column.Doc(n))
	}
	var counter docset.Counter
	trigrams := analysis.Trigrams(nil, "panels 45")
	counter.ResetTo(x.Trigrams.Len(), x.Trigrams.Bitmaps(nil, trigrams))
	counter.Count(0, x.Trigrams.Len())
	for name := range min(x.Trigrams.Len(), 100) {
		counter.Of(name)
		counter.AtLeast(name/docset.WordBits, 3)
	}
	counter.Of(math.MaxUint32)
	x.Trigrams.RarestInto(make(docset.Dense, docset.Words(x.Trigrams.Len())), trigrams)
	x.Fuzzy.Near(nil, "panels", 2)
	x.Fuzzy.Near(nil, x.Terms.Word(3), 1)
	x.PartForms.Near(nil, "deckne", 2)
}

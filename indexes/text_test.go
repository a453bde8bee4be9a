package indexes

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sabine/indexes/analysis"
	"sabine/indexes/snapshot"
)

// textVocabulary gives documents words by their values, one of them shared by all families.
var textVocabulary = []Vocabulary{
	{Family: FamilyCategory, Values: []Value{
		{Value: "holz", Names: map[string]string{"de": "Holz und Kork", "en": "Wood and cork"}, Synonyms: []string{"timber"}},
		{Value: "textil", Names: map[string]string{"de": "Gewebe", "en": "Woven wood"}},
		{Value: "unused", Names: map[string]string{"en": "Nobody has this"}},
	}},
	{Family: FamilyCharacter, Values: []Value{{Value: "breitband", Names: map[string]string{"en": "Broad wood band"}}}},
	{Family: FamilyInstallation, Values: []Value{{Value: "free-standing", Names: map[string]string{"de": "frei stehend"}}, {Value: "wall"}}},
}

// textDocuments returns n documents of few words, so that words, pairs and names come together often, and of words that
// few documents have.
func textDocuments(n int, seed uint64) []Document {
	random := rand.New(rand.NewPCG(seed, 5))
	common := strings.Fields("akustik deckensegel decke segel holz und 45 600 wollfilz panel panels paneel absorbiert schall ø tur wand")
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
		maker := random.IntN(9)
		d.Maker = Maker{ID: fmt.Sprintf("id-%d", maker), Slug: fmt.Sprintf("maker-%d", maker), Name: common[maker]}
		d.Manufacturer = strings.TrimSpace(common[maker] + " " + []string{"", "segel"}[maker%2])
		d.Descriptions = texts(2, 25)
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

// buildText writes a snapshot of documents under textVocabulary and opens it.
func buildText(t testing.TB, docs []Document) *Index {
	t.Helper()
	x, err := Open(writeIndexOf(t, Meta{Vocabulary: textVocabulary}, docs))
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Check(); err != nil {
		t.Fatal(err)
	}
	return x
}

// textsOf returns the texts of a document in a field, found the slow way.
func textsOf(d *Document, f Field) (texts []string) {
	switch f {
	case FieldName:
		return d.Names
	case FieldManufacturer:
		return []string{d.Manufacturer}
	case FieldDescription:
		return d.Descriptions
	}
	has := map[Family][]string{FamilyCategory: {d.Category}, FamilyCharacter: {d.Character}, FamilyInstallation: d.Installations}
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

// holding returns the documents one of whose texts in a field has a phrase, found the slow way.
func holding(docs []Document, f Field, phrase string) []Doc {
	return docsWhere(docs, func(d *Document) bool {
		return slices.ContainsFunc(textsOf(d, f), func(text string) bool {
			return strings.Contains(" "+text+" ", " "+phrase+" ")
		})
	})
}

func docsWhere(docs []Document, holds func(*Document) bool) (found []Doc) {
	for i := range docs {
		if holds(&docs[i]) {
			found = append(found, Doc(i))
		}
	}
	return found
}

// allWords returns the words of documents, ascending.
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

func TestTermsAreTheWordsOfTheDocuments(t *testing.T) {
	docs := textDocuments(700, 1)
	x := buildText(t, docs)
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
		for f := range NumFields {
			set := x.Terms.Set(Term(i), f)
			if got, want := set.Docs(nil), holding(docs, f, word); !slices.Equal(got, want) || set.Len() != len(want) {
				t.Errorf("%q in field %d: %v, want %v", word, f, got, want)
			}
		}
	}
	for _, word := range []string{"", "a", "zzzz", "deckensege", "timber", "nobody", "\xff"} {
		if i, ok := x.Terms.Find(word); ok {
			t.Errorf("%q is term %d, want none", word, i)
		}
	}
	if x.Terms.Word(Term(len(words))) != "" || x.Terms.Set(Term(len(words)), FieldName).Len() != 0 || x.Terms.Set(0, NumFields).Len() != 0 {
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
		for f := range NumFields {
			want := docsWhere(docs, func(d *Document) bool {
				return slices.ContainsFunc(textsOf(d, f), func(text string) bool { return strings.Contains(" "+text, " "+prefix) })
			})
			if got := x.Prefixes.Set(number, f).Docs(nil); !slices.Equal(got, want) {
				t.Errorf("words that begin with %q in field %d: %v, want %v", prefix, f, got, want)
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

func TestStemsAndPartsNameTheirTerms(t *testing.T) {
	docs := textDocuments(300, 3)
	x := buildText(t, docs)
	words := allWords(docs)
	splitter := analysis.NewSplitter(words)
	stems, parts := map[string][]uint32{}, map[string][]uint32{}
	for i, word := range words {
		german, english := analysis.Stems(word)
		stems["d"+german] = append(stems["d"+german], uint32(i))
		stems["e"+english] = append(stems["e"+english], uint32(i))
		for _, part := range splitter.Parts(nil, word) {
			parts[part] = append(parts[part], uint32(i))
		}
	}
	checkGroups(t, "stems", &x.Stems, stems)
	checkGroups(t, "parts", &x.Parts, parts)
	if i, ok := x.Parts.Find("decken"); !ok || x.Terms.Word(Term(x.Parts.Numbers(i)[0])) != "deckensegel" {
		t.Error("decken is no part of deckensegel")
	}
}

func TestNamesMakersAndSlugsNameTheirDocuments(t *testing.T) {
	docs := textDocuments(700, 4)
	x := buildText(t, docs)
	names, makers, slugs := map[string][]uint32{}, map[string][]uint32{}, map[string][]uint32{}
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
		number, ok := x.Facets[FamilyManufacturer].Find(d.Maker.Slug)
		if !ok {
			t.Fatalf("%q is no manufacturer", d.Maker.Slug)
		}
		add(makers, d.Manufacturer, uint32(number))
	}
	checkGroups(t, "names", &x.Names, names)
	checkGroups(t, "makers", &x.Makers, makers)
	checkGroups(t, "slugs", &x.SlugKeys, slugs)
}

// checkGroups holds groups against the lists that they were made of.
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
		if lo, hi := g.Range(key); lo != i || hi <= i || !strings.HasPrefix(g.Key(hi-1), key) || strings.HasPrefix(g.Key(hi), key) && hi < g.Len() {
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

func TestTrigramsNameTheirNames(t *testing.T) {
	x := buildText(t, textDocuments(500, 6))
	var names []string
	for i := range x.Names.Len() {
		names = append(names, x.Names.Key(i))
	}
	for i := range x.Makers.Len() {
		names = append(names, x.Makers.Key(i))
	}
	want := map[string][]uint32{}
	for i, name := range names {
		own := analysis.Trigrams(nil, name)
		if got := x.Trigrams.Size(uint32(i)); got != len(own) {
			t.Errorf("%q has %d trigrams, want %d", name, got, len(own))
		}
		for _, trigram := range own {
			want[trigram] = append(want[trigram], uint32(i))
		}
	}
	for trigram, names := range want {
		if got := x.Trigrams.Names(trigram); !slices.Equal(got, names) {
			t.Errorf("names with %q: %v, want %v", trigram, got, names)
		}
	}
	if got := x.Trigrams.Names("qqq"); got != nil || x.Trigrams.Size(uint32(len(names))) != 0 {
		t.Errorf("names with qqq: %v, want none", got)
	}
}

func TestPhrasesAreFoundInOneText(t *testing.T) {
	for _, n := range []int{60, 1_200} { // without frequent words and with them
		docs := textDocuments(n, 7)
		x := buildText(t, docs)
		random := rand.New(rand.NewPCG(8, uint64(n)))
		scratch := make(Dense, DenseWords(n))
		scratch.Fill(n)
		found := 0
		for range 600 {
			f := Field(random.IntN(int(NumFields)))
			phrase := anyPhrase(random, docs, f)
			terms := make([]Term, 0, 5)
			for _, word := range analysis.Words(phrase) {
				term, ok := x.Terms.Find(word)
				if !ok {
					t.Fatalf("%q is no term", word)
				}
				terms = append(terms, term)
			}
			want := holding(docs, f, phrase)
			dst := make(Dense, DenseWords(n))
			dst.Add(Doc(n / 2)) // must stay
			x.PhraseInto(dst, scratch, f, terms)
			if !slices.Contains(want, Doc(n/2)) {
				want = append(want, Doc(n/2))
				slices.Sort(want)
			}
			if got := dst.docs(); !slices.Equal(got, want) {
				t.Errorf("%d documents, %q in field %d: %v, want %v", n, phrase, f, got, want)
			}
			if f != FieldCategory && len(want) > 1 {
				found++
				if !x.Streams.Phrase(want[0], f, terms) && want[0] != Doc(n/2) {
					t.Errorf("%q is not found in field %d of document %d", phrase, f, want[0])
				}
			}
		}
		if found < 50 {
			t.Errorf("%d phrases were in a document, want more for a test", found)
		}
		dst := make(Dense, DenseWords(n))
		x.PhraseInto(dst, scratch, FieldName, nil)
		x.PhraseInto(dst, scratch, FieldName, []Term{Term(x.Terms.Len()), 0})
		if !dst.Empty() || x.Streams.Phrase(0, FieldName, nil) || x.Streams.Phrase(Doc(n), FieldName, []Term{0}) || x.Streams.Phrase(0, FieldCategory, []Term{0}) {
			t.Error("no terms, or terms that are not there, are found")
		}
	}
}

// anyPhrase returns a stretch of a text, or words that may stand nowhere together.
func anyPhrase(random *rand.Rand, docs []Document, f Field) string {
	for {
		texts := textsOf(&docs[random.IntN(len(docs))], f)
		if len(texts) == 0 {
			continue
		}
		slices.Sort(texts)
		words := analysis.Words(texts[random.IntN(len(texts))])
		start := random.IntN(len(words))
		words = words[start:min(len(words), start+1+random.IntN(4))]
		if random.IntN(4) == 0 {
			words = append(slices.Clone(words), words[0])
		}
		return strings.Join(words, " ")
	}
}

func TestPairsAreKeptForFrequentWords(t *testing.T) {
	docs := textDocuments(1_200, 9)
	x := buildText(t, docs)
	for f := range NumFields {
		var frequent []Term
		for i := range Term(x.Terms.Len()) {
			if x.Terms.Set(i, f).Len() >= FrequentDocs {
				frequent = append(frequent, i)
			}
		}
		if f == FieldCategory {
			if _, ok := x.Pairs.Set(frequent[0], frequent[0], f); ok {
				t.Error("a pair of category words is kept")
			}
			continue
		}
		empty, full := 0, 0
		for _, a := range frequent {
			for _, b := range frequent {
				set, ok := x.Pairs.Set(a, b, f)
				want := holding(docs, f, x.Terms.Word(a)+" "+x.Terms.Word(b))
				if got := set.Docs(nil); !ok || !slices.Equal(got, want) {
					t.Errorf("%q behind %q in field %d: %v, %v, want %v", x.Terms.Word(b), x.Terms.Word(a), f, got, ok, want)
				}
				if len(want) == 0 {
					empty++
				} else {
					full++
				}
			}
		}
		if f != FieldManufacturer && (len(frequent) < 4 || full == 0) {
			t.Errorf("field %d: %d frequent words, %d pairs in a document, %d in none: too few for a test", f, len(frequent), full, empty)
		}
		for rare := range Term(x.Terms.Len()) {
			if x.Terms.Set(rare, f).Len() >= FrequentDocs {
				continue
			}
			_, first := x.Pairs.Set(rare, frequent[0], f)
			_, second := x.Pairs.Set(frequent[0], rare, f)
			if first || second {
				t.Errorf("a pair of %q is kept in field %d, which few documents hold there", x.Terms.Word(rare), f)
			}
		}
	}
}

func TestFrequentGrowsWithLargeCatalogues(t *testing.T) {
	for docs, want := range map[int]int{0: 256, 1_000: 256, 256_999: 256, 257_000: 257, 10_000_000: 10_000} {
		if got := frequentDocs(docs); got != want {
			t.Errorf("a word is frequent among %d documents from %d on, want %d", docs, got, want)
		}
	}
}

// TestPairBatches: the pairs are the same, in the same order, however few neighbours are held at a time.
func TestPairBatches(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	var streams streamBuilder
	for range 200 {
		streams.begin()
		for range streamFields {
			for range random.IntN(12) {
				streams.word(uint64(random.IntN(8)))
			}
			streams.endStream()
		}
		streams.end()
	}
	frequent := []bool{true, true, false, true, true, true, false}
	collect := func(batch int) (out []string) {
		b := pairBuilder{streams: &streams, field: FieldDescription, frequent: frequent, batch: batch}
		b.each(func(p pair, docs []Doc) { out = append(out, fmt.Sprint(p, docs)) })
		return out
	}
	want := collect(pairBatch)
	if len(want) != 25 {
		t.Fatalf("%d pairs, want all 25 of the five frequent words", len(want))
	}
	for _, batch := range []int{1, 50, 300} {
		if got := collect(batch); !slices.Equal(got, want) {
			t.Errorf("%d neighbours at a time: %v, want %v", batch, got, want)
		}
	}
}

// editDistance is the optimal string alignment distance in letters, found the slow way.
func editDistance(a, b string) int {
	s, u := []rune(a), []rune(b)
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(u)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(u); j++ {
			change := 1
			if s[i-1] == u[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && s[i-1] == u[j-2] && s[i-2] == u[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(s)][len(u)]
}

func TestEditDistanceHere(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"akutsik", "akustik", 1}, {"ca", "abc", 3}, {"buro", "bro", 1}, {"øre", "ore", 1}, {"", "ab", 2}, {"same", "same", 0}} {
		if got := editDistance(test.a, test.b); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

// openWords returns a Fuzzy over words.
func openWords(t testing.TB, words []string) *Fuzzy {
	t.Helper()
	f := writeSection(t, func(w *snapshot.Writer) error { return writeFuzzy(w, words) })
	section, ok := f.Section(KindTermFST)
	if !ok {
		t.Fatal("no section")
	}
	z, err := openFuzzy(section)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestNearIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	letters := []rune("aabbcø日𝔞")
	word := func() string {
		out := make([]rune, 1+random.IntN(9))
		for i := range out {
			out[i] = letters[random.IntN(len(letters))]
		}
		return string(out)
	}
	known := map[string]bool{"deckensegel": true, "akustikpaneel": true, strings.Repeat("lang", 12): true}
	for range 1_500 {
		known[word()] = true
	}
	words := slices.Sorted(maps.Keys(known))
	z := openWords(t, words)
	queries := []string{"", "dekcensegel", "deckensegl", "akutsikpanel", strings.Repeat("lang", 12), strings.Repeat("lang", 50), "x", "\xff"}
	for range 400 {
		queries = append(queries, word())
	}
	for _, query := range queries {
		for distance := 1; distance <= maxEdits; distance++ {
			var want []Near
			for i, w := range words {
				if n := editDistance(query, w); n <= distance {
					want = append(want, Near{Term(i), n})
				}
			}
			slices.SortFunc(want, func(a, b Near) int {
				return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Term, b.Term))
			})
			first := Near{Term: 7, Distance: 9}
			got := z.Near([]Near{first}, query, distance)
			if got[0] != first || !slices.Equal(got[1:], want) {
				t.Errorf("within %d of %q: %v, want %v", distance, query, got[1:], want)
			}
		}
	}
	if got := z.Near(nil, "a", 0); got != nil {
		t.Errorf("within 0: %v, want none", got)
	}
}

func TestNoWordsHaveNoneNear(t *testing.T) {
	if got := openWords(t, nil).Near(nil, "abcd", 2); got != nil {
		t.Errorf("got %v, want none", got)
	}
}

// writeSection writes a snapshot of what write writes and opens it.
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

// useText calls every reader of texts with words and numbers that exist, and with some that don't.
func useText(x *Index) {
	dst, scratch := make(Dense, DenseWords(x.Docs)), make(Dense, DenseWords(x.Docs))
	numbers := []uint32{0, 1, 5, uint32(x.Terms.Len()) - 1, uint32(x.Terms.Len()), math.MaxUint32}
	for _, n := range numbers {
		for f := range NumFields + 1 {
			for _, terms := range []*Terms{&x.Terms, &x.Prefixes} {
				terms.Find(terms.Word(Term(n)))
				terms.Range(terms.Word(Term(n)))
				terms.Set(Term(n), f).OrInto(dst)
			}
			x.Streams.Phrase(Doc(n), f, []Term{0, Term(n)})
			for _, m := range numbers {
				x.Pairs.Set(Term(n), Term(m), f)
				x.PhraseInto(dst, scratch, f, []Term{Term(m), Term(n), 3})
			}
		}
		for _, g := range []*Groups{&x.Stems, &x.Parts, &x.Names, &x.Makers, &x.SlugKeys, &x.Trigrams.trigrams} {
			g.Find(g.Key(int(n)))
			lo, hi := g.Range(g.Key(int(n)))
			g.NumbersOf(lo, hi)
			g.Numbers(int(n))
		}
		x.Trigrams.Names("pan")
		x.Trigrams.Size(n)
	}
	x.Fuzzy.Near(nil, "panels", 2)
	x.Fuzzy.Near(nil, x.Terms.Word(3), 1)
}

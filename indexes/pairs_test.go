package indexes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

func TestPhrasesAreFoundInOneText(t *testing.T) {
	for _, n := range []int{60, 1_200} { // the smaller catalogue has no frequent words
		docs := textDocuments(n, 7)
		x := buildText(t, docs)
		random := rand.New(rand.NewPCG(8, uint64(n)))
		scratch := make(docset.Dense, docset.Words(n))
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
			dst := make(docset.Dense, docset.Words(n))
			dst.Add(column.Doc(n / 2)) // a document in dst that must remain there
			x.PhraseInto(dst, scratch, docset.All(x.Docs), f, terms)
			if !slices.Contains(want, column.Doc(n/2)) {
				want = append(want, column.Doc(n/2))
				slices.Sort(want)
			}
			if got := dst.Docs(); !slices.Equal(got, want) {
				t.Errorf("%d documents, %q in field %d: %v, want %v", n, phrase, f, got, want)
			}
			if f != FieldCategory && len(want) > 1 {
				found++
				if !x.Forward.holds(want[0], f, appendWords(nil, terms)) && want[0] != column.Doc(n/2) {
					t.Errorf("%q is not found in field %d of document %d", phrase, f, want[0])
				}
			}
		}
		if found < 50 {
			t.Errorf("%d phrases were in a document, want more for a test", found)
		}
		dst := make(docset.Dense, docset.Words(n))
		x.PhraseInto(dst, scratch, docset.All(x.Docs), FieldName, nil)
		x.PhraseInto(dst, scratch, docset.All(x.Docs), FieldName, []Term{Term(x.Terms.Len()), 0})
		if !dst.Empty() || x.Forward.holds(0, FieldName, nil) || x.Forward.holds(column.Doc(n), FieldName, []byte{1}) ||
			x.Forward.holds(0, FieldCategory, []byte{1}) {
			t.Error("no terms, or terms that are not there, are found")
		}
	}
}

// TestLongPhrasesAreStored checks that the phrases of the vocabulary and of the curated synonyms, including
// inflected forms, are stored with their documents if all their words are in the catalogue.
func TestLongPhrasesAreStored(t *testing.T) {
	vocabulary := []Vocabulary{{Family: FamilyCategory, Closed: true, Values: []Value{
		{Value: "low-open-plan", Names: map[string]string{"en": "Open plan low", "de": "Plan low"},
			Synonyms: []string{"plan, office & plan", "office of office"}},
	}}}
	words := strings.Fields("open plan office offices low frequency absorber absorbers")
	random := rand.New(rand.NewPCG(3, 28))
	texts := func(most, words int, from []string) (texts []string) {
		for range random.IntN(most + 1) {
			var text []string
			for range 1 + random.IntN(words) {
				text = append(text, from[random.IntN(len(from))])
			}
			texts = append(texts, strings.Join(text, " "))
		}
		return texts
	}
	docs := make([]Document, 3_000)
	for i := range docs {
		docs[i] = Document{ID: [16]byte{byte(i), byte(i >> 8)}, Names: texts(3, 4, words), Descriptions: texts(2, 20, words),
			Manufacturer: Manufacturer{ID: "i", Slug: "s"}}
		docs[i].ManufacturerKey = words[i%3]
	}
	x, err := Open(writeIndexOf(t, Meta{Vocabulary: vocabulary}, docs))
	if err != nil {
		t.Fatal(err)
	}
	ofVocabulary := []string{"low open plan", "open plan low", "plan office plan"}
	var want []string
	for _, a := range words {
		for _, b := range words {
			for _, c := range words {
				if text := a + " " + b + " " + c; slices.Contains(ofVocabulary, text) || analysis.Synonyms(text) != nil {
					want = append(want, text)
				}
			}
		}
	}
	slices.Sort(want)
	var got []string
	for i := range Term(x.Phrases.Len()) {
		got = append(got, x.Phrases.Word(i))
		for f := range NumFields {
			if kept, want := x.Phrases.Set(i, f).Docs(nil), holding(docs, f, got[i]); f != FieldCategory &&
				!slices.Equal(kept, want) {
				t.Errorf("%q in field %d: %v, want %v", got[i], f, kept, want)
			}
		}
	}
	if !slices.Equal(got, want) || len(want) != len(ofVocabulary)+4 {
		t.Errorf("phrases %q, want %q", got, want)
	}
}

// anyPhrase returns a part of a text, or words that may not be neighbours in any text.
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

func TestPairsOfFrequentWordsAreStored(t *testing.T) {
	docs := textDocuments(1_200, 9)
	x := buildText(t, docs)
	for f := range NumFields {
		var frequent []Term
		for i := range Term(x.Terms.Len()) {
			if x.Terms.Set(i, f).Len() >= docFrequencyBound {
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
					t.Errorf("%q after %q in field %d: %v, %v, want %v", x.Terms.Word(b), x.Terms.Word(a), f, got, ok, want)
				}
				if len(want) == 0 {
					empty++
				} else {
					full++
				}
			}
		}
		if f != FieldManufacturer && (len(frequent) < 4 || full == 0) {
			t.Errorf("field %d: %d frequent words, %d pairs in a document, %d in none: too few for a test", f, len(frequent),
				full, empty)
		}
		for rare := range Term(x.Terms.Len()) {
			if x.Terms.Set(rare, f).Len() >= docFrequencyBound {
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
		if got := frequentFrom(docs); got != want {
			t.Errorf("a word is frequent among %d documents from %d on, want %d", docs, got, want)
		}
	}
}

// TestPairBatches checks that the size of a batch does not affect the pairs or their order.
func TestPairBatches(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	var streams forwardBuilder
	for range 200 {
		for range streamFields {
			for range random.IntN(12) {
				streams.word(uint64(random.IntN(8)))
			}
			streams.endStream()
		}
		streams.records = append(streams.records, streams.endRecord())
	}
	frequent := []bool{true, true, false, true, true, true, false}
	collect := func(batch int) (out []string) {
		b := pairBuilder{forward: &streams, field: FieldDescription, frequent: frequent, batch: batch}
		b.each(func(p pair, docs []column.Doc) { out = append(out, fmt.Sprint(p, docs)) })
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

package runtime_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	source "sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/runtime"
)

// randomWords are few related words, so that matches are frequent: compounds and their parts, forms of one
// stem, words with one prefix, and words at edit distance 1.
var randomWords = strings.Fields(`akustik akustisch akustikpaneel paneel panel panels decke decken deckensegel segel segeln
	wand wandabsorber absorber absorbs absorbing holz hölzer holzdecke textil textilien textile stoff stoffe rot roter
	filz filze vorhang vorhänge säule saeule 50 mm 50mm 45/600 wave waves wavelet free standing free-standing freistehend
	quiet quite room rooms schaum schaumstoff ruhe ruhig a ab abc ceiling wood büro einrichtung büroeinrichtung
	deckenbaffel baffle baffles ceilings rock wool mineralwolle steinwollen rug teppichboden teppiche carpet timber curtains stoff
	600x600mm 60×60cm 600x600 0,6m 600mm 60cm 600 60 1.200mm 1,2m 1,2 1.200 1200 x m 4711.12 4711 12 25-mm
	600/600 600/600mm 1200/600/50 1200x600mm 600x60cm 60/60cm Ø50mm
	kunststoff fabric grossraumbüro office offices open plan wolle säe saeee ecke eecke saeecke saeeecke
	für die with the`)

// articles are article numbers in several spellings, each a different text.
var articles = []string{"DK-4711/B", "dk4711b", "DK 4711", "dk4711", "47.11", "4711", "B-s2,d0", "bs2d0", "A2", "50"}

// randomDictionary returns a dictionary of the words. Some entries have two words, and one word has too many
// translations.
func randomDictionary(r *rand.Rand) (translations []indexes.Translation) {
	var plain []string // words without digits and units, as in a dictionary
	for _, word := range randomWords {
		if len(word) > 2 && !strings.ContainsAny(word, "0123456789") {
			plain = append(plain, analysis.Words(analysis.Key(word))[0])
		}
	}
	word := func() string { return pick(r, plain) }
	for range 60 {
		t := indexes.Translation{German: word(), English: word()}
		switch r.IntN(6) {
		case 0:
			t.German += " " + word()
		case 1:
			t.English = word() + " " + t.English
		case 2:
			t.German = "plan"
		}
		translations = append(translations, t)
	}
	for _, word := range plain {
		translations = append(translations, indexes.Translation{German: "rot", English: word})
	}
	return translations
}

// randomSynonyms returns groups whose terms consist of one or two words. Some apply in one direction only.
func randomSynonyms(seed int) (groups []analysis.SynonymGroup) {
	r := rand.New(rand.NewPCG(uint64(seed), 33))
	term := func() string {
		return analysis.Key(strings.Join([]string{pick(r, randomWords), pick(r, randomWords)}[r.IntN(2):], " "))
	}
	for range r.IntN(20) {
		g := analysis.SynonymGroup{From: []string{term(), term()}}
		if r.IntN(2) == 0 {
			g.To = []string{term(), term(), term()}
		}
		groups = append(groups, g)
	}
	return groups
}

// randomCatalogue returns a catalogue of n products.
func randomCatalogue(r *rand.Rand, n int) catalogue {
	text := func(most int) string {
		picked := make([]string, r.IntN(most+1))
		for i := range picked {
			picked[i] = pick(r, randomWords)
		}
		return strings.Join(picked, " ")
	}
	maybe := func(values ...string) string { return pick(r, append(values, "")) }
	c := catalogue{words: words, declared: declared, dictionary: randomDictionary(r), synonyms: randomSynonyms(n)}
	for range n {
		p := product{
			label: pick(r, randomWords) + " " + text(2), labelEN: text(2), commercial: text(1),
			manufacturer: pick(r, []string{"Akustik Holz", "Wave", "Müller & Söhne", "Segel Rot", "Acme"}),
			description:  text(8), descriptionEN: text(4),
			category: maybe("textil", "holz", "metall"), character: maybe("breitband", "tiefton"),
			details: []string{text(3), maybe(articles...), maybe(articles...)},
			fire:    maybe(source.FireClasses...),
			epd:     r.IntN(3) == 0, purchasable: r.IntN(3) > 0,
			alpha: float64(r.IntN(20)) / 20,
		}
		for _, v := range []string{"wall", "ceiling", "free-standing"} {
			if r.IntN(3) == 0 {
				p.installations = append(p.installations, v)
			}
		}
		if r.IntN(2) == 0 {
			p.slug = strings.ReplaceAll(strings.TrimSpace(p.label), " ", "-") + "-" + string(rune('a'+len(c.products)%26)) +
				string(rune('a'+len(c.products)/26%26))
		}
		c.products = append(c.products, p)
	}
	return c
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// often returns how many times a random test repeats: n, as scripts/check-promises runs it, or an eighth of n
// with -short. scripts/test uses -short with the race detector, which is ten times slower.
func often(n int) int {
	if testing.Short() {
		return n / 8
	}
	return n
}

// randomText returns a query of words from a catalogue: unchanged, cut, joined, or misspelt. Half of the
// queries use words of one product, so that several words often match.
func randomText(r *rand.Rand, c catalogue) string {
	p := pick(r, c.products)
	own := strings.Fields(strings.ReplaceAll(strings.Join([]string{p.label, p.labelEN, p.manufacturer, p.category,
		p.description, strings.Join(p.details, " ")}, " "), "&", ""))
	if r.IntN(2) == 0 && len(own) > 2 {
		picked := make([]string, 1+r.IntN(3))
		for i := range picked {
			picked[i] = pick(r, own)
		}
		return strings.Join(picked, " ")
	}
	picked := make([]string, 1+r.IntN(4))
	if r.IntN(8) == 0 {
		picked = make([]string, 5+r.IntN(8)) // words of a sentence
	}
	for i := range picked {
		word := []rune(pick(r, randomWords))
		change := r.IntN(8)
		if len(word) == 1 {
			change = 7 // otherwise the word would be empty
		}
		switch at := r.IntN(len(word)); change {
		case 0:
			word = word[:at+1]
		case 1:
			word = slices.Delete(word, at, at+1)
		case 2:
			word = slices.Insert(word, at, 'x')
		case 3:
			word = append(word, []rune(pick(r, randomWords))...)
		case 4:
			word = []rune(pick(r, []string{"dk 4711 b", "d k 4711 b", "dk 47 11", "dk 47 11 b", "dk4711 b", "b s2 d0", "b-s2"}))
		case 5:
			word = append(slices.Insert(word, at, 'x'), []rune(pick(r, randomWords))...)
		}
		picked[i] = string(word)
	}
	return strings.Join(picked, " ")
}

// TestSearchAgreesWithReadingEveryProduct compares matches, total, order, strategy and fallback of random
// queries with the oracle.
func TestSearchAgreesWithReadingEveryProduct(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := randomCatalogue(r, 40+r.IntN(60))
		g, o := c.open(t), newOracle(c)
		seen := map[runtime.Strategy]int{}
		for range often(80) {
			text := randomText(r, c)
			want := o.search(text)
			got := g.Search(&runtime.Query{Text: text, Limit: 1000})
			strategy := runtime.StrategyNone
			if len(want) > 0 {
				strategy = want[0].strategy()
			}
			seen[strategy]++
			if !slices.Equal(got.Docs, docsOf(want)) || got.Total != len(want) || got.Strategy != strategy {
				t.Fatalf("seed %d, search %q: got %v of %d by %v, reading every product finds %v by %v:\n%v\n%s", seed, text,
					got.Docs,
					got.Total, got.Strategy, docsOf(want), strategy, want, c)
			}
			if fallback := strategy >= runtime.StrategyFuzzy; got.UsedFallback != fallback {
				t.Fatalf("seed %d, search %q by %v: used fallback %v", seed, text, strategy, got.UsedFallback)
			}
		}
		t.Logf("seed %d: queries by strategy %v", seed, seen)
	}
}

// randomFilters chooses values, sometimes an unknown one.
func randomFilters(r *rand.Rand) runtime.Filters {
	some := func(values ...string) []string {
		if r.IntN(3) > 0 {
			return nil
		}
		var chosen []string
		for range 1 + r.IntN(2) {
			chosen = append(chosen, pick(r, values))
		}
		return chosen
	}
	f := runtime.Filters{
		Categories:    some("textil", "holz", "metall", "unknown"),
		Characters:    some("breitband", "tiefton"),
		Installations: some("wall", "ceiling", "free-standing"),
		Manufacturers: some("wave", "acme", "segel-rot", (&product{manufacturer: "Wave"}).indexManufacturer().ID),
		HasEPD:        r.IntN(5) == 0, Purchasable: r.IntN(5) == 0,
	}
	if r.IntN(4) == 0 {
		f.FireClass = pick(r, source.FireClasses)
	}
	if r.IntN(4) == 0 {
		f.AlphaWMin = new(float64(r.IntN(12)) / 20)
	}
	if r.IntN(4) == 0 {
		f.AlphaWMax = new(float64(8+r.IntN(12)) / 20)
	}
	return f
}

// TestFiltersAndSortsAgreeWithReadingEveryProduct compares filtered and sorted results with the oracle.
func TestFiltersAndSortsAgreeWithReadingEveryProduct(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	c := randomCatalogue(r, 150)
	g, o := c.open(t), newOracle(c)
	for range often(250) {
		q := runtime.Query{
			Filters: randomFilters(r), Limit: 1000,
			Sort: runtime.Sort(r.IntN(6)), Locale: runtime.Locale(r.IntN(2)),
		}
		if r.IntN(2) == 0 {
			q.Text = randomText(r, c)
		}
		want, strategy := o.answer(&q)
		got := g.Search(&q)
		if !slices.Equal(got.Docs, want) || got.Total != len(want) || got.Strategy != strategy {
			t.Fatalf("%+v: got %v of %d by %v, want %v by %v\n%s", q, got.Docs, got.Total, got.Strategy, want, strategy, c)
		}
	}
}

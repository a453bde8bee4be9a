package runtime_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	source "sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/runtime"
)

// In a crowded catalogue, each way to match applies to about crowded words, at least to leastCrowded. A stem
// has at least leastFormed words.
const (
	crowded      = 70
	leastCrowded = 64
	leastFormed  = 16
)

// crowdedKinds is the number of different texts in a crowded catalogue.
const crowdedKinds = 180

// crowdedCatalogue returns many products with few different texts, so that the oracle reads only a few. The
// catalogue contains many words with the same prefix, with the same stem and with the same part. It contains
// words and adjacent words that occur in a few, in hundreds and in thousands of documents, scattered or
// contiguous, and many names that are equally similar to a misspelt name.
func crowdedCatalogue(r *rand.Rand) catalogue {
	syllable := func(i int) string { return string("bdfgklmnprstvz"[i%14]) + string("aeiou"[i/14%5]) }
	begun := func(i int) string { return "schall" + syllable(i) }
	own := func(i int) string { return syllable(i) + syllable(i*i+3*i+1) + syllable(i/7) + "x" }
	formed := oneStem()
	kinds := make([]product, crowdedKinds)
	for i := range kinds {
		// The first word is specific to the kind. The following words of labels and descriptions alternate.
		texts := [4]string{own(i)}
		add := func(at int, words ...string) { texts[at%4] += " " + strings.Join(words, " ") }
		add(i, begun(i%crowded))
		add(i/2, formed[i%len(formed)])
		add(i/3, own(i%crowded)+"paneel")
		if i%3 > 0 { // most products
			add(2, "breit")
			add(3+i%2, "matt glatt")
		}
		switch i % 5 {
		case 0:
			add(2, "raster decke hoch")
		case 1:
			add(2, "raster hoch decke raster")
		case 2:
			add(3, "decke raster", "hoch")
		}
		if i%30 == 0 {
			add(1+i/30, "selten glatt matt decke") // in hundreds of documents
		}
		kinds[i] = product{
			label: texts[0], labelEN: texts[1], description: texts[2] + " paneel", descriptionEN: texts[3],
			commercial:   fmt.Sprintf("segmento %s%c", syllable(i), 'a'+i%26),
			manufacturer: pick(r, []string{"Akustik Holz", "Wave", "Segel Rot", "Acme"}),
			category:     pick(r, []string{"textil", "holz", "metall", ""}),
			character:    pick(r, []string{"breitband", "tiefton", ""}),
		}
		for _, v := range []string{"wall", "ceiling", "free-standing"} {
			if r.IntN(3) == 0 {
				kinds[i].installations = append(kinds[i].installations, v)
			}
		}
		if i < 8 { // kinds whose documents are contiguous
			kinds[i].description += " reihe entlang kante"
		}
	}
	c := catalogue{words: words, declared: declared}
	for i := range 9000 {
		p := kinds[20+r.IntN(len(kinds)-20)]
		switch {
		case i/1500 == 2:
			p = kinds[r.IntN(8)]
		case i%450 == 0:
			p = kinds[8+i/450%12] // one of the kinds with only one or two products
		}
		p.fire = pick(r, append(source.FireClasses, ""))
		p.epd, p.purchasable, p.alpha = r.IntN(3) == 0, r.IntN(9) > 0, float64(r.IntN(20))/20
		c.products = append(c.products, p)
	}
	return c
}

// oneStem returns words with the same German stem: forms of an adjective, because adjectives have the most.
func oneStem() []string {
	all := []string{"tapezilig"}
	for _, degree := range []string{"", "er", "st"} {
		for _, ending := range []string{"e", "em", "en", "er", "es"} {
			all = append(all, "tapezilig"+degree+ending)
		}
	}
	return all
}

// crowdedTexts contains queries that use the properties of a crowded catalogue. The last queries have no
// corrections, and are equally similar to many names.
var crowdedTexts = []string{
	"schal", "schall", "schallb", "matt schall", "schall matt", "schalx", "breit schall", "selten schall",
	"tapezilig", "tapeziliger", "tapeziligsten breit", "selten tapezilig", "tapezilix",
	"paneel", "paneel matt", "selten paneel", "panel", "panele breit", "wand paneel",
	"breit", "matt glatt", "glatt matt", "raster decke", "decke raster", "raster decke hoch", "raster hoch decke",
	"hoch raster decke",
	"selten glatt", "selten glatt matt", "glatt matt decke", "reihe entlang", "entlang reihe", "reihe entlang kante",
	"entlang kante breit",
	"kante breit", "reihe selten", "reihe schall", "s", "se", "seg", "segmento", "a", "b", "breitt matt",
	"segmentovvv", "segmentovvv kuxxx", "xxxsegmento", "segmenttttto", "sgmntsegmento", "segmento qqqqq",
	"segmentoqqq breit", "wavewave rot",
}

func TestCrowdedCatalogueAgreesWithReadingEveryProduct(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(13, 13))
	c := crowdedCatalogue(r)
	g, o := c.open(t), newOracle(c)
	o.isCrowded(t)
	seen := map[runtime.Strategy]int{}
	for i, text := range crowdedTexts {
		if testing.Short() && i%8 > 0 {
			continue
		}
		seen[o.agrees(t, g, text)]++
	}
	texts := slices.Clone(crowdedTexts)
	for range often(20) {
		texts = append(texts, o.textOf(r))
		seen[o.agrees(t, g, texts[len(texts)-1])]++
	}
	for range often(12) {
		texts = append(texts, o.textOf(r)+" "+pick(r, crowdedTexts)) // these queries usually have a narrow scope
		seen[o.agrees(t, g, texts[len(texts)-1])]++
	}
	t.Logf("queries by strategy %v", seen)

	for range often(25) {
		q := runtime.Query{
			Text: pick(r, texts), Filters: randomFilters(r), Limit: len(c.products),
			Sort: runtime.Sort(r.IntN(6)), Locale: runtime.Locale(r.IntN(2)),
		}
		want, strategy := o.answer(&q)
		got := g.Search(&q)
		if got.Total != len(want) || got.Strategy != strategy {
			t.Fatalf("%+v: got %d by %v, want %d by %v", q, got.Total, got.Strategy, len(want), strategy)
		}
		o.same(t, fmt.Sprintf("%+v", q), got.Docs, want)
	}
	for i := range often(20) {
		q := runtime.Query{Text: pick(r, texts), Facets: true}
		if i%2 == 0 {
			q.Filters = randomFilters(r)
		}
		checkFacets(t, g, q)
	}
}

// isCrowded fails the test if the catalogue does not have the properties of crowdedCatalogue.
func (o *oracle) isCrowded(t *testing.T) {
	t.Helper()
	begun, formed, compound := 0, 0, 0
	stem, _ := analysis.Stems("tapezilig")
	for word, f := range o.forms {
		if strings.HasPrefix(word, "schall") {
			begun++
		}
		if f.german == stem {
			formed++
		}
		if slices.Contains(f.parts, "paneel") {
			compound++
		}
	}
	if begun < leastCrowded || formed < leastFormed || compound < leastCrowded {
		t.Errorf("%d words begin alike, %d have one stem, %d one part; want %d of each", begun, formed, compound,
			leastCrowded)
	}
	for text, least := range map[string]int{"breit": 5000, "matt glatt": 4200, "raster decke": 1000,
		"reihe entlang kante": 1500, "selten glatt": 256} {
		docs, words := 0, analysis.Words(text)
		for _, alike := range o.alike {
			if slices.ContainsFunc([]indexes.Field{indexes.FieldName, indexes.FieldDescription}, func(f indexes.Field) bool {
				return o.phrase(alike[0], f, words)
			}) {
				docs += len(alike)
			}
		}
		if docs < least {
			t.Errorf("%d documents contain %q, want %d", docs, text, least)
		}
	}
}

package runtime_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sabine/indexes/analysis"
	"sabine/runtime"
)

// TestSimilarNamesAreThoseOfReadingEveryName holds the second fallback against the similarity of every name, worked out
// one by one, on more names than the tests of whole searches have: their sizes, and what they share with a query, are
// of many kinds. Every page has to be a piece of the same order.
func TestSimilarNamesAreThoseOfReadingEveryName(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 19))
	syllables := strings.Fields("aku stik pan eel dek ken seg el tur bo flex wo od 12 45 x ø")
	word := func() string {
		w := ""
		for range 1 + r.IntN(4) {
			w += pick(r, syllables)
		}
		return w
	}
	text := func(most int) string {
		words := make([]string, 1+r.IntN(most))
		for i := range words {
			words[i] = word()
		}
		return strings.Join(words, " ")
	}
	var c catalogue
	for range 700 {
		c.products = append(c.products, product{label: text(6), labelEN: text(3), maker: fmt.Sprintf("Maker %s", pick(r, syllables))})
	}
	g := c.open(t)
	o := &oracle{products: c.products}
	found := 0
	for range 150 {
		query := []rune(text(6))
		if r.IntN(3) == 0 {
			query = []rune(pick(r, c.products).label)
		}
		for range 1 + len(query)/6 {
			query[r.IntN(len(query))] = pick(r, []rune("aqy z"))
		}
		got := g.Search(&runtime.Query{Text: string(query), Limit: len(c.products)})
		if got.Strategy != runtime.StrategyTrigram {
			continue
		}
		var hits []hit
		for d := range c.products {
			if h, ok := o.similar(analysis.Key(string(query)), d); ok {
				hits = append(hits, h)
			}
		}
		if len(hits) == 0 {
			continue // only most words was left
		}
		found++
		want := docsOf(ordered(hits))
		if !slices.Equal(got.Docs, want) {
			t.Fatalf("search %q: got %d hits %v\nwant %d hits %v", string(query), got.Total, got.Docs, len(want), want)
		}
		for page := range 3 {
			limit := 1 + r.IntN(20)
			part := g.Search(&runtime.Query{Text: string(query), Page: page, Limit: limit})
			from := min(page*limit, len(want))
			if !slices.Equal(part.Docs, want[from:min(from+limit, len(want))]) {
				t.Fatalf("search %q, page %d of %d: got %v of %v", string(query), page, limit, part.Docs, want)
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d queries of 150 found a similar name", found)
	}
}

package runtime_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sabine/runtime"
)

// TestSentencesAgreeWithReadingEveryProduct compares the fallback by weight with the oracle, in a catalogue
// in which the page sometimes has a separate narrow scope. Every page must be a part of the same order.
func TestSentencesAgreeWithReadingEveryProduct(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(64, 64))
	c := randomCatalogue(r, 300)
	g, o := c.open(t), newOracle(c)
	found := 0
	for range often(70) {
		words := make([]string, 1+r.IntN(9))
		for i := range words {
			words[i] = pick(r, randomWords)
		}
		text := strings.Join(words, " ") + " unbekannteswort"
		got := g.Search(&runtime.Query{Text: text, Limit: len(c.products)})
		if got.Strategy != runtime.StrategyTrigram {
			continue
		}
		found++
		want := docsOf(o.search(text))
		if !slices.Equal(got.Docs, want) || got.Total != len(want) {
			t.Fatalf("search %q: got %d hits %v\nwant %d hits %v", text, got.Total, got.Docs, len(want), want)
		}
		for range 4 {
			page, limit := r.IntN(6), 1+r.IntN(40)
			part := g.Search(&runtime.Query{Text: text, Page: page, Limit: limit})
			from := min(page*limit, len(want))
			if !slices.Equal(part.Docs, want[from:min(from+limit, len(want))]) {
				t.Fatalf("search %q, page %d of %d: got %v of %v", text, page, limit, part.Docs, want)
			}
		}
	}
	if asked := often(70); 10*found < 6*asked {
		t.Errorf("only %d sentences of %d are found by weight", found, asked)
	}
}

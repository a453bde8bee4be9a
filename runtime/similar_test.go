package runtime_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sabine/runtime"
)

// TestSimilarNamesAreThoseOfReadingEveryName compares the fallback by similarity with the similarity of every
// name. It has more names than other tests, with different lengths and numbers of shared trigrams. Every page
// must be a part of the same order.
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
		c.products = append(c.products, product{label: text(6), labelEN: text(3),
			manufacturer: fmt.Sprintf("Manufacturer %s", pick(r, syllables))})
	}
	g, o := c.open(t), newOracle(c)
	found, asked := 0, often(150)
	for range asked {
		query := []rune(text(6))
		if r.IntN(3) == 0 {
			query = []rune(pick(r, c.products).label)
		}
		for range 1 + len(query)/6 {
			query[r.IntN(len(query))] = pick(r, []rune("aqy z"))
		}
		if len(strings.Fields(naiveKey(string(query)))) >= runtime.SentenceWords {
			continue // the search tries the weight of words first
		}
		got := g.Search(&runtime.Query{Text: string(query), Limit: len(c.products)})
		if got.Strategy != runtime.StrategyTrigram {
			continue
		}
		var hits []hit
		for d := range c.products {
			if h, ok := o.similar(naiveKey(string(query)), d); ok {
				hits = append(hits, h)
			}
		}
		if len(hits) == 0 {
			continue // the hits were found by weight
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
	if 3*found < asked {
		t.Errorf("only %d queries of %d found a similar name", found, asked)
	}
}

// TestSimilarNamesAllocateNoMoreThanFew checks that a search by similarity does not allocate more for more
// matches.
func TestSimilarNamesAllocateNoMoreThanFew(t *testing.T) {
	var c catalogue
	for i := range 3000 {
		p := product{label: fmt.Sprintf("Wollfilz %d", i)}
		if i%100 == 0 {
			p.label = fmt.Sprintf("Deckensegel %d", i)
		}
		c.products = append(c.products, p)
	}
	g := c.open(t)
	allocs := func(text string, want int) float64 {
		q := &runtime.Query{Text: text, Limit: 10}
		if r := g.Search(q); r.Strategy != runtime.StrategyTrigram || r.Total != want {
			t.Fatalf("search %q: %d hits by %v, want %d by similarity", text, r.Total, r.Strategy, want)
		}
		return testing.AllocsPerRun(50, func() { g.Search(q) })
	}
	few, many := allocs("deckensegel 77777", 30), allocs("wollfilz 77777", 2970)
	if many > few+100 { // the race detector may cause more allocations, because it drops workspaces
		t.Errorf("%v allocations for 2,970 matches, %v for 30", many, few)
	}
	t.Logf("%v allocations for 2,970 matches, %v for 30", many, few)
}

// TestNoAnswerDependsOnTheQuestionBefore checks that texts much longer than every name, with many or few
// known words, have the same results as in a new generation, although the memory contains the counts of the
// previous query.
func TestNoAnswerDependsOnTheQuestionBefore(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	words := func(n int, first byte) []string {
		some := make([]string, n)
		for i := range some {
			word := make([]byte, 12)
			for k := range word {
				word[k] = first + byte(random.IntN(13))
			}
			some[i] = string(word)
		}
		return some
	}
	var c catalogue
	known := words(200, 'a')
	for i := range 100 { // the number of names is not a multiple of 64
		c.products = append(c.products, product{label: known[2*i] + " " + known[2*i+1]})
	}
	var queries []*runtime.Query
	for round := range 20 {
		var text []string
		for range 13 - 7*(round%2) {
			text = append(text, known[random.IntN(len(known))])
		}
		queries = append(queries, &runtime.Query{Text: strings.Join(append(text, words(5, 'n')...), " "), Limit: 20})
	}
	used := c.open(t)
	var answers []*runtime.Result
	for _, q := range queries { // no garbage collection occurs in between
		answers = append(answers, used.Search(q))
	}
	for i, q := range queries {
		got, want := answers[i], c.open(t).Search(q)
		if got.Total != want.Total || got.Strategy != want.Strategy || !slices.Equal(got.Docs, want.Docs) {
			t.Errorf("%d by %v, %v; want %d by %v, %v", got.Total, got.Strategy, got.Docs, want.Total, want.Strategy, want.Docs)
		}
	}
}

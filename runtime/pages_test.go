package runtime_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sabine/indexes/column"
	"sabine/runtime"
)

// TestPagesCutOneOrder joins pages of every size and compares them with the list of all hits.
func TestPagesCutOneOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	c := randomCatalogue(r, 150)
	g := c.open(t)
	for range 60 {
		q := runtime.Query{Filters: randomFilters(r), Sort: runtime.Sort(r.IntN(6)), Limit: 1000}
		if r.IntN(4) > 0 {
			q.Text = randomText(r, c)
		}
		whole := g.Search(&q)
		if whole.HasMore || len(whole.Docs) != whole.Total {
			t.Fatalf("%+v: %d hits of %d on one page, more: %v", q, len(whole.Docs), whole.Total, whole.HasMore)
		}
		for _, q.Limit = range []int{1, 3, 50} {
			var docs []column.Doc
			for q.Page = 0; ; q.Page++ {
				page := g.Search(&q)
				docs = append(docs, page.Docs...)
				if page.Total != whole.Total || page.Strategy != whole.Strategy {
					t.Fatalf("%+v: total %d by %v, on one page %d by %v", q, page.Total, page.Strategy, whole.Total, whole.Strategy)
				}
				if !page.HasMore {
					break
				}
			}
			if !slices.Equal(docs, whole.Docs) {
				t.Fatalf("%+v: got %v, want %v", q, docs, whole.Docs)
			}
		}
	}
}

func TestPageBounds(t *testing.T) {
	c := catalogue{products: []product{{label: "Wand 1"}, {label: "Wand 2"}, {label: "Wand 3"}}}
	g := c.open(t)
	tests := []struct {
		page, limit int
		want        []column.Doc
		more        bool
	}{
		{0, 2, []column.Doc{0, 1}, true},
		{1, 2, []column.Doc{2}, false},
		{2, 2, nil, false},
		{3, 1, nil, false},
		{2, 1, []column.Doc{2}, false},
		{math.MaxInt, math.MaxInt, nil, false},
		{math.MaxInt, 50, nil, false},
		{math.MaxInt/50 + 1, 50, nil, false},
		{-1, 3, []column.Doc{0, 1, 2}, false},
		{0, 0, nil, true},
		{0, -5, nil, true},
	}
	for _, test := range tests {
		for _, text := range []string{"", "wand"} {
			for sort := range runtime.SortName + 1 {
				r := g.Search(&runtime.Query{Text: text, Sort: sort, Page: test.page, Limit: test.limit})
				if !slices.Equal(r.Docs, test.want) || r.HasMore != test.more || r.Total != 3 {
					t.Errorf("%q by %v, page %d of %d: got %v of %d, more %v; want %v, more %v", text, sort, test.page, test.limit,
						r.Docs,
						r.Total, r.HasMore, test.want, test.more)
				}
			}
		}
	}
}

func TestStrategyIsThatOfTheMostRelevantHit(t *testing.T) {
	c := catalogue{products: []product{
		{label: "X", description: "Wave", alpha: 0.9}, {label: "Wave", alpha: 0.1, epd: true}, {label: "Wave 2", alpha: 0.5},
	}}
	g := c.open(t)
	tests := []struct {
		rule     string
		query    runtime.Query
		strategy runtime.Strategy
		fallback bool
		total    int
	}{
		{"any sort", runtime.Query{Text: "wave", Sort: runtime.SortAlphaDesc}, runtime.StrategyExact, false, 3},
		{"any page", runtime.Query{Text: "wave", Page: 2, Limit: 1}, runtime.StrategyExact, false, 3},
		{"after the filters", runtime.Query{Text: "wave", Filters: runtime.Filters{AlphaWMin: new(0.3)}},
			runtime.StrategyPrefix, false, 2},
		{"none when the filters leave nothing, and no fallback",
			runtime.Query{Text: "wave", Filters: runtime.Filters{AlphaWMin: new(0.95)}}, runtime.StrategyNone, false, 0},
		{"none without a text", runtime.Query{}, runtime.StrategyNone, false, 3},
		{"none for only punctuation", runtime.Query{Text: "?!"}, runtime.StrategyNone, false, 3},
		{"fuzzy", runtime.Query{Text: "wace"}, runtime.StrategyFuzzy, true, 3},
		{"a fallback was used though the filters leave nothing of it",
			runtime.Query{Text: "wace", Filters: runtime.Filters{AlphaWMin: new(0.95)}}, runtime.StrategyNone, true, 0},
		{"no fallback when nothing matches", runtime.Query{Text: "qqqqq"}, runtime.StrategyNone, false, 0},
	}
	for _, test := range tests {
		r := g.Search(&test.query)
		if r.Strategy != test.strategy || r.UsedFallback != test.fallback || r.Total != test.total {
			t.Errorf("%s: got %v, fallback %v, total %d; want %v, %v, %d", test.rule, r.Strategy, r.UsedFallback, r.Total,
				test.strategy,
				test.fallback, test.total)
		}
	}
}

func TestSortAndStrategyNames(t *testing.T) {
	for i, name := range runtime.SortNames() {
		if s, ok := runtime.ParseSort(name); !ok || s != runtime.SortRelevance+runtime.Sort(i) {
			t.Errorf("ParseSort(%q) = %v, %v", name, s, ok)
		}
	}
	for _, name := range []string{"", "Relevance", "name_desc"} {
		if _, ok := runtime.ParseSort(name); ok {
			t.Errorf("ParseSort(%q) knows it", name)
		}
	}
	if got := runtime.StrategyTrigram.String(); got != "trigram" {
		t.Errorf("got %q", got)
	}
}

// BenchmarkPageInOrder requests the first page by name for few hits, for a tenth of the catalogue, and for
// most of the catalogue. It is used to choose markCost.
func BenchmarkPageInOrder(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 7))
	c := catalogue{words: words, declared: declared}
	for i := range 20_000 {
		p := product{label: fmt.Sprintf("%c %d", 'a'+rune(r.IntN(26)), i), category: "holz"}
		if i%10 == 0 {
			p.category = "textil"
		}
		if i%200 == 1 {
			p.category = "metall"
		}
		c.products = append(c.products, p)
	}
	g := c.open(b)
	for _, category := range []string{"metall", "textil", "holz"} {
		b.Run(category, func(b *testing.B) {
			q := runtime.Query{Filters: runtime.Filters{Categories: []string{category}}, Sort: runtime.SortName, Limit: 20}
			for b.Loop() {
				g.Search(&q)
			}
		})
	}
}

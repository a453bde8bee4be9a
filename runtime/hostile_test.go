package runtime_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sabine/indexes/column"
	"sabine/runtime"
)

// hostile contains texts that a client may send to break the server.
var hostile = []string{
	strings.Repeat("a", 200),
	strings.Repeat("a ", 100),
	strings.Repeat("segel ", 33),
	strings.Repeat("ab", 100),
	strings.Repeat("-", 200),
	"\x00\x00", "a\x00b", "\xff\xfe", "\xed\xa0\x80", // NUL, invalid UTF-8, an unpaired surrogate
	"👍🏽 👨‍👩‍👧", "שלום עולם", "e" + strings.Repeat("\u0301", 100), "\u202eakustik",
	"İı ſ ﬁ ǅ", strings.Repeat("𝔞", 50), "٣٤٥", " \t\n", "'\"%_*()[]{}\\",
}

func TestHostileTexts(t *testing.T) {
	c := randomCatalogue(rand.New(rand.NewPCG(11, 11)), 200)
	g := c.open(t)
	for _, text := range hostile {
		checkAnswer(t, g, text)
	}
}

// checkAnswer verifies properties that every result has.
func checkAnswer(t *testing.T, g *runtime.Generation, text string) {
	q := &runtime.Query{Text: text, Limit: 1000, Facets: true}
	r := g.Search(q)
	seen := map[column.Doc]bool{}
	for _, d := range r.Docs {
		if int(d) >= g.Products() || seen[d] {
			t.Fatalf("search %q: hit %d of %d products, or twice", text, d, g.Products())
		}
		seen[d] = true
	}
	if len(r.Docs) != r.Total || r.HasMore {
		t.Fatalf("search %q: %d hits on the page, %d in all, more: %v", text, len(r.Docs), r.Total, r.HasMore)
	}
	if (r.Strategy == runtime.StrategyNone) != (r.Total == 0 || r.NormalizedQuery == "") {
		t.Fatalf("search %q: strategy %v of %d hits, normalized %q", text, r.Strategy, r.Total, r.NormalizedQuery)
	}
	if n := r.Facets.HasEPD.True + r.Facets.HasEPD.False; n != r.Total {
		t.Fatalf("search %q: facets of %d hits, %d in all", text, n, r.Total)
	}
	if again := g.Search(q); again.Total != r.Total || again.Strategy != r.Strategy ||
		again.UsedFallback != r.UsedFallback {
		t.Fatalf("search %q: repeated, %d by %v, was %d by %v", text, again.Total, again.Strategy, r.Total, r.Strategy)
	}
}

func FuzzSearch(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	r := rand.New(rand.NewPCG(13, 13))
	c := randomCatalogue(r, 200)
	for range 20 {
		f.Add(randomText(r, c))
	}
	g := c.open(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 { // the contract allows only 200 characters
			return
		}
		checkAnswer(t, g, text)
	})
}

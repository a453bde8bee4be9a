package runtime_test

import (
	"fmt"
	"math"
	"testing"

	"sabine/runtime"
)

// leastAllocs returns the smallest number of allocations in several calls of f. Some calls allocate more,
// because the race detector drops workspaces from the pool at random.
func leastAllocs(f func()) int {
	least := math.Inf(1)
	for range 20 {
		least = min(least, testing.AllocsPerRun(1, f))
	}
	return int(least)
}

// TestSearchAllocatesOnlyItsResult checks that a strict search allocates at most five times for any matches,
// three more for facets, and two more for a stemmed word. bench/REPORT.md states the same numbers.
func TestSearchAllocatesOnlyItsResult(t *testing.T) {
	c := catalogue{words: words, declared: declared}
	for i := range 3000 {
		p := product{label: fmt.Sprintf("Wollfilz %d", i), description: "Absorbiert Schall, 60x60 cm", category: "textil",
			alpha: 0.5, fire: "B"}
		if i%1000 == 0 {
			p.label = fmt.Sprintf("Säulen Segel %d", i)
		}
		c.products = append(c.products, p)
	}
	g := c.open(t)
	tests := []struct {
		text  string
		total int
		// number of stemmed words: inflected forms of a listed synonym, and unknown words; a number counts as four
		stemmed int
	}{
		{"", 3000, 0},
		{"wollfilz", 2997, 0},
		{"wo", 2997, 0},
		{"wollfilz absorbiert", 2997, 0},
		{"absorbiert schall", 3000, 0},
		{"Säulen Segel 1000", 1, 1},
		{"SAEULEN SEGEL", 3, 1},
		{"segel schall", 3, 0},
		{"textil", 3000, 0},
		{"wollfilz 17 absorbiert", 1, 0},
		{"600 x 600 mm", 3000, 4},
	}
	for _, test := range tests {
		for _, facets := range []bool{false, true} {
			q := &runtime.Query{Text: test.text, Limit: 20, Facets: facets}
			if r := g.Search(q); r.Total != test.total || r.UsedFallback {
				t.Fatalf("search %q: %d hits, fallback %v, want %d", test.text, r.Total, r.UsedFallback, test.total)
			}
			most := 5 + 2*test.stemmed
			if facets {
				most += 3
			}
			if n := leastAllocs(func() { g.Search(q) }); n > most {
				t.Errorf("search %q, facets %v: allocates %d times, want %d at most", test.text, facets, n, most)
			}
		}
	}
}

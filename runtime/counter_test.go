package runtime

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sabine/indexes"
)

// TestCounter holds the counter against counting by hand, for every number of sets up to 20.
func TestCounter(t *testing.T) {
	const docs = 200
	r := rand.New(rand.NewPCG(1, 2))
	for sets := range 21 {
		a := (&blocks{index: &indexes.Index{Docs: docs}}).openAll(&parsedQuery{})
		c := a.newCounter(sets)
		counts := make([]int, docs)
		for range sets {
			set := a.take()
			for d := range counts {
				if r.IntN(2) == 0 {
					set.Add(indexes.Doc(d))
					counts[d]++
				}
			}
			c.add(set)
		}

		set := a.take()
		set.Fill(docs)
		if n := c.keepHighest(a, set); n != slices.Max(counts) {
			t.Errorf("%d sets: the highest count is %d, want %d", sets, n, slices.Max(counts))
		}
		for d, n := range counts {
			if set.Has(indexes.Doc(d)) != (n == slices.Max(counts)) {
				t.Errorf("%d sets: document %d with count %d of %d is among the highest: %v", sets, d, n, slices.Max(counts), set.Has(indexes.Doc(d)))
			}
		}

		set.Fill(docs)
		var ascending []int // counts in the order in which they were visited
		c.ascend(a, set, func(n int, group indexes.Dense) bool {
			for d, ok := group.Next(0); ok; d, ok = group.Next(d + 1) {
				if counts[d] != n {
					t.Errorf("%d sets: a document with count %d is visited as one with %d", sets, counts[d], n)
				}
			}
			ascending = append(ascending, n)
			return true
		})
		want := slices.Clone(counts)
		slices.Sort(want)
		if want = slices.Compact(want); !slices.Equal(ascending, want) {
			t.Errorf("%d sets: visited the counts %v, want %v", sets, ascending, want)
		}
	}
}

package runtime

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sabine/indexes"
	"sabine/indexes/column"
)

// TestCounter holds the counter against counting by hand, for every number of sets up to 20.
func TestCounter(t *testing.T) {
	const docs = 200
	r := rand.New(rand.NewPCG(1, 2))
	for sets := range 21 {
		w := &work{index: &indexes.Index{Docs: docs}, scope: indexes.AllDocs(docs)}
		c := w.newCounter(sets)
		counts := make([]int, docs)
		for range sets {
			set := w.take()
			for d := range counts {
				if r.IntN(2) == 0 {
					set.Add(column.Doc(d))
					counts[d]++
				}
			}
			c.add(set)
		}

		set := w.take()
		set.Fill(docs)
		c.keepHighest(w, set)
		for d, n := range counts {
			if set.Has(column.Doc(d)) != (n == slices.Max(counts)) {
				t.Errorf("%d sets: document %d with count %d of %d is among the highest: %v", sets, d, n, slices.Max(counts), set.Has(column.Doc(d)))
			}
		}

		set.Fill(docs)
		var ascending []int // counts in the order in which they were visited
		c.ascend(w, set, func(group indexes.Dense) bool {
			n := -1
			for d, ok := group.Next(0); ok; d, ok = group.Next(d + 1) {
				if n >= 0 && counts[d] != n {
					t.Errorf("%d sets: documents with counts %d and %d are visited together", sets, n, counts[d])
				}
				n = counts[d]
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

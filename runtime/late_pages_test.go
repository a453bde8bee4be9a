package runtime

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// TestAnOrderIsWalkedFromTheNearerEnd compares pages at any position of an order with many blocks with the
// list of all hits.
func TestAnOrderIsWalkedFromTheNearerEnd(t *testing.T) {
	t.Parallel()
	const n = 9*walkedBlock + 100
	r := rand.New(rand.NewPCG(1, 16))
	order := make([]column.Doc, n)
	for place, d := range r.Perm(n) {
		order[place] = column.Doc(d)
	}
	for _, one := range []int{1, 2, 7, 300} {
		set := make(docset.Dense, docset.Words(n))
		for d := range column.Doc(n) {
			if r.IntN(one) == 0 {
				set.Add(d)
			}
		}
		hits := selection{set, set.Len()}
		sorted := slices.DeleteFunc(slices.Clone(order), func(d column.Doc) bool { return !set.Has(d) })
		for skip := range hits.n {
			end := min(skip+1+r.IntN(50), hits.n)
			if got := appendWalked(nil, order, hits, skip, end-skip); !slices.Equal(got, sorted[skip:end]) {
				t.Fatalf("of %d hits those from %d to %d: got %v, want %v", hits.n, skip, end, got, sorted[skip:end])
			}
		}
	}
}

func TestTheFirstKeysAreSelected(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 16))
	for range 300 {
		list := make([]keyedHit, r.IntN(60))
		for i := range list {
			list[i] = keyedHit{uint64(r.IntN(1 + r.IntN(40))), column.Doc(i)}
		}
		n := r.IntN(len(list) + 1)
		got := slices.Clone(list)
		selectFirst(got, n)
		for _, part := range [...][]keyedHit{got[:n], got[n:]} {
			slices.SortFunc(part, keyedHit.compare)
		}
		slices.SortFunc(list, keyedHit.compare)
		if !slices.Equal(got, list) {
			t.Fatalf("the first %d: got %v, want %v", n, got, list)
		}
	}
}

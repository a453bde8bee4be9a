package docset

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sabine/indexes/column"
)

// TestCountBitmaps compares the counts of random bitmaps with lookups of each document. There are more
// documents than in one chunk, and containers of all types. The numbers of bitmaps include multiples of eight
// and numbers that need more planes.
func TestCountBitmaps(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 17))
	var c Counter
	for _, n := range []int{0, 1, 63, 64, 65, 1000, chunkDocs + 4000} {
		var all []Bitmap
		for range 70 {
			all = append(all, drawBitmap(r, n))
		}
		for _, of := range []int{0, 1, 7, 8, 9, 16, 70} {
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			c.ResetTo(n, all[:of])
			lo := r.IntN(n + 1)
			hi := lo + r.IntN(n-lo+1)
			c.Count(lo, hi)
			if r.IntN(2) == 0 { // count the remaining documents afterwards
				c.Count(0, lo)
				c.Count(hi, n)
				lo, hi = 0, n
			}
			counts := make([]int, n)
			for _, bitmap := range all[:of] {
				for _, d := range bitmap.open().docs(nil, n) {
					counts[d]++
				}
			}
			for d := lo; d < hi; d++ {
				if got := c.Of(d); got != counts[d] {
					t.Fatalf("%d documents, %d bitmaps: %d of document %d, want %d", n, of, got, d, counts[d])
				}
			}
			for i := lo / WordBits; i*WordBits < hi; i++ {
				least := r.IntN(12)
				got := c.AtLeast(i, least)
				for d := max(lo, i*WordBits); d < min(hi, (i+1)*WordBits); d++ {
					if held := got>>(d&wordMask)&1 != 0; held != (counts[d] >= least) {
						t.Fatalf("%d documents, %d bitmaps: document %d with %d has at least %d: %v", n, of, d, counts[d], least, held)
					}
				}
			}
		}
	}
}

// drawBitmap returns a random bitmap of n documents. It contains few documents, many documents, or a run.
func drawBitmap(r *rand.Rand, n int) Bitmap {
	docs := []column.Doc{}
	one, from := []int{1, 2, 20, 500}[r.IntN(4)], 0
	run := r.IntN(5) == 0
	if run {
		one, from = 1, n/3
	}
	for d := from; d < n; d++ {
		if r.IntN(one) == 0 {
			docs = append(docs, column.Doc(d))
		}
	}
	if b := NewBuilder(n); run && len(docs) >= bitmapMin {
		return b.freeze(docs)
	}
	return NewBitmap(docs)
}

// TestCountSets compares the counts of dense sets with simple counting, for all counts up to 20.
func TestCountSets(t *testing.T) {
	const docs = 200
	r := rand.New(rand.NewPCG(1, 2))
	var c Counter
	for sets := range 21 {
		c.Reset(docs, 3*sets)
		counts := make([]int, docs)
		for range sets {
			set, other := make(Dense, Words(docs)), make(Dense, Words(docs)) // no document is in both sets
			for d := range counts {
				if in := r.IntN(4); in < 2 {
					[]Dense{set, other}[in].Add(column.Doc(d))
					counts[d]++
				}
			}
			if times := r.IntN(4); times > 1 { // otherwise Add adds the set once
				for d := range counts {
					if set.Has(column.Doc(d)) {
						counts[d] += times - 1
					}
				}
				c.AddTimes(set, times)
			} else {
				c.Add(set)
			}
			c.Add(other)
		}

		of, some := make(Dense, Words(docs)), []int{} // some documents, and their counts
		for d, n := range counts {
			if r.IntN(3) > 0 {
				of.Add(column.Doc(d))
				some = append(some, n)
			}
		}
		set := slices.Clone(of)
		slices.Sort(some)
		for range 20 {
			n := 1 + r.IntN(len(some)+1)
			want := 0
			if n <= len(some) {
				want = some[len(some)-n]
			}
			if got := c.Nth(of, n); got != want {
				t.Errorf("%d sets: number %d of %d counts is %d, not %d", sets, n, len(some), want, got)
			}
			least := r.IntN(3*sets + 2)
			set.Copy(of)
			c.FilterAtLeast(set, least)
			for d, n := range counts {
				if want := of.Has(column.Doc(d)) && n >= least; set.Has(column.Doc(d)) != want {
					t.Errorf("%d sets: document %d with count %d is kept as one with %d or more: %v", sets, d, n, least, !want)
				}
			}
		}

		set.Copy(of)
		group := make(Dense, Words(docs))
		var ascending []int // counts in the order in which visit was called
		visits := 0
		all := c.Ascend(set, group, func(count int) bool {
			visits++
			for d, ok := group.Next(0); ok; d, ok = group.Next(d + 1) {
				if !of.Has(d) {
					t.Errorf("counts up to %d: document %d is visited, and not asked for", sets, d)
				}
				ascending = append(ascending, counts[d])
				if counts[d] != count {
					t.Errorf("counts up to %d: document %d with count %d is visited as one with %d", sets, d, counts[d], count)
				}
			}
			return true
		})
		if distinct := len(slices.Compact(slices.Clone(some))); !all || !slices.Equal(ascending, some) || visits != distinct {
			t.Errorf("counts up to %d: visited the counts %v in %d groups, want %v in %d", sets, ascending, visits, some,
				distinct)
		}
		set.Copy(of)
		var descending []int
		c.Descend(set, group, func(count int) bool {
			for range group.Docs() {
				descending = append(descending, count)
			}
			return true
		})
		slices.Reverse(descending)
		if !slices.Equal(descending, ascending) {
			t.Errorf("counts up to %d: visited downwards the counts %v, want %v", sets, descending, ascending)
		}
		set.Copy(of)
		visits = 0
		if all := c.Ascend(set, group, func(int) bool { visits++; return false }); all || visits != 1 {
			t.Errorf("counts up to %d: %d visits although the first wanted no more", sets, visits)
		}
	}
}

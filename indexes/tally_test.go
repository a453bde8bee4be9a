package indexes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sabine/indexes/analysis"
	"sabine/indexes/snapshot"
)

// openNames writes a section KindNameTrigrams of names and opens it.
func openNames(t *testing.T, names []string) *NameTrigrams {
	t.Helper()
	file := writeSection(t, func(w *snapshot.Writer) error { _, err := writeNameTrigrams(w, nil, names); return err })
	x := openNameTrigrams(file.Cursor(KindNameTrigrams))
	if err := x.check(len(names)); err != nil {
		t.Fatal(err)
	}
	return &x
}

// TestTally holds the counts of random names against the trigrams that each name shares with a query, found by reading
// both. There are more names than a chunk of a bitmap has, and trigrams that nearly all of them have, so that bitmaps
// have containers of every form; and as many trigrams in a query as fill a last eight, leave some of it, and need more
// planes.
func TestTally(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 17))
	for _, n := range []int{0, 1, 63, 64, 65, 1000, chunkDocs + 4000} {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("panel %c%c%d", 'a'+rune(r.IntN(3)), 'a'+rune(r.IntN(20)), r.IntN(1000))
		}
		x := openNames(t, names)
		own := make([][]analysis.Trigram, n)
		for i := range own {
			own[i] = analysis.Trigrams(nil, names[x.Place(i)])
		}
		all := slices.Clone(x.trigrams)
		var tally Tally
		for _, of := range []int{0, 1, 7, 8, 9, 16, 70, len(all)} {
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			query := append(slices.Clone(all[:min(of, len(all))]), 1) // and one that no name has
			slices.Sort(query)
			if got, want := tally.Find(x, query), min(of, len(all)); got != want {
				t.Fatalf("%d names, %d trigrams: any name has %d, want %d", n, len(query), got, want)
			}
			lo := r.IntN(n + 1)
			hi := lo + r.IntN(n-lo+1)
			tally.Count(lo, hi)
			if r.IntN(2) == 0 { // and then the others
				tally.Count(0, lo)
				tally.Count(hi, n)
				lo, hi = 0, n
			}
			counts := make([]int, n)
			for i := lo; i < hi; i++ {
				for _, trigram := range own[i] {
					if _, ok := slices.BinarySearch(query, trigram); ok {
						counts[i]++
					}
				}
				if got := tally.Of(i); got != counts[i] {
					t.Fatalf("%d names, %d trigrams: %d of name %d, want %d", n, len(query), got, i, counts[i])
				}
			}
			for i := lo / wordBits; i*wordBits < hi; i++ {
				least := r.IntN(12)
				got := tally.AtLeast(i, least)
				for name := max(lo, i*wordBits); name < min(hi, (i+1)*wordBits); name++ {
					if held := got>>(name&wordMask)&1 != 0; held != (counts[name] >= least) {
						t.Fatalf("%d names, %d trigrams: name %d with %d has at least %d: %v", n, len(query), name, counts[name], least, held)
					}
				}
			}
		}
	}
}

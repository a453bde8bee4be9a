package indexes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	bsi "github.com/RoaringBitmap/roaring/v2/BitSliceIndexing"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// slicesOf returns numbers as bit slices.
func slicesOf(t testing.TB, numbers []uint32) bitSlices {
	t.Helper()
	file := writeSection(t, func(w *snapshot.Writer) error {
		c := column.Begin(w, KindEntrySlices)
		putBitSlices(c, len(numbers), func(i int) uint32 { return numbers[i] })
		return c.Err()
	})
	c := file.Cursor(KindEntrySlices)
	s := readBitSlices(c, len(numbers))
	if len(c.Rest()) > 0 || c.Err() != nil {
		t.Fatalf("%d numbers: %v", len(numbers), c.Err())
	}
	return s
}

// TestFilterRange compares filterRange with a comparison of each number, for all widths and bounds.
func TestFilterRange(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 63, 64, 65, 511, 512, 513, 1024, 1500} {
		for _, depth := range []int{0, 1, 2, 5, 12, 31, 32} {
			numbers := make([]uint32, n)
			for i := range numbers {
				numbers[i] = uint32(random.Uint64N(1 << depth))
			}
			s := slicesOf(t, numbers)
			highest := uint32(1<<depth - 1)
			bounds := []uint32{0, 1, 2, highest / 2, highest/2 + 1, highest - 1, highest, highest + 1, math.MaxUint32}
			for range 3 {
				bounds = append(bounds, uint32(random.Uint64N(1<<depth)))
			}
			for _, least := range bounds {
				for _, most := range bounds {
					set := make(docset.Dense, docset.Words(n))
					set.Fill(n)
					set.Remove(3)
					s.filterRange(set, least, most)
					for i, number := range numbers {
						if want := i != 3 && least <= number && number <= most; set.Has(column.Doc(i)) != want {
							t.Fatalf("%d numbers of %d bits, from %d to %d: number %d, %d, is kept: %v", n, depth, least, most, i, number,
								!want)
						}
					}
					if set.Len() > n {
						t.Fatalf("%d of %d numbers are kept", set.Len(), n)
					}
				}
			}
		}
	}
}

// BenchmarkBounds compares levels with bounds bit by bit, one number at a time, four numbers at a time, and
// with the bit slices of another package.
func BenchmarkBounds(b *testing.B) {
	const entries = 143_204 // number of ISO 354 entries of 100,000 generated products
	random := rand.New(rand.NewPCG(1, 2))
	var planes []bitSlices
	var levels [][]uint16
	var fours [][]uint64
	var sets []*bsi.BSI
	var least []uint32
	for _, bound := range []int{300, 500, 800} {
		numbers, of := make([]uint32, entries), bsi.NewBSI(int64(MaxLevel), 0)
		column, four := make([]uint16, entries), make([]uint64, docset.Words(entries)*docset.WordBits/4)
		for i := range numbers {
			if random.IntN(10) > 0 {
				numbers[i] = uint32(LevelOf(random.IntN(3300)))
				of.SetValue(uint64(i), int64(numbers[i]))
			}
			column[i] = uint16(numbers[i])
			four[i/4] |= uint64(numbers[i]) << (i % 4 * 16)
		}
		of.RunOptimize()
		planes, levels, fours, sets = append(planes, slicesOf(b, numbers)), append(levels, column), append(fours, four),
			append(sets, of)
		least = append(least, uint32(LevelOf(3*bound)))
	}
	set := make(docset.Dense, docset.Words(entries))
	for _, bands := range []int{1, 3} {
		kept := 0
		bench := func(what string, keep func() int) {
			b.Run(fmt.Sprintf("%s/%d", what, bands), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					set.Fill(entries)
					if n := keep(); n != kept && kept > 0 {
						b.Fatalf("%d entries are kept, else %d", n, kept)
					} else {
						kept = n
					}
				}
			})
		}
		bench("bit by bit", func() int {
			for i := range bands {
				planes[i].filterRange(set, least[i], math.MaxUint32)
			}
			return set.Len()
		})
		bench("one by one", func() int {
			for i := range bands {
				for w := range set {
					below := uint64(0)
					for bit, level := range levels[i][w*docset.WordBits : min((w+1)*docset.WordBits, entries)] {
						below |= (uint64(level) - uint64(least[i])) >> 63 << bit
					}
					set[w] &^= below
				}
			}
			return set.Len()
		})
		bench("four at once", func() int {
			const high, low = 0x8000_8000_8000_8000, 0x0001_0001_0001_0001
			for i := range bands {
				bound := uint64(least[i]) * low
				for w := range set {
					from := uint64(0)
					for at, four := range (*[docset.WordBits / 4]uint64)(fours[i][w*docset.WordBits/4:]) {
						is := ((four | high) - bound) & high >> 15
						from |= (is | is>>15 | is>>30 | is>>45) & 15 << (4 * at)
					}
					set[w] &= from
				}
			}
			return set.Len()
		})
		bench("roaring", func() int {
			var found *roaring.Bitmap
			for i := range bands {
				found = sets[i].CompareValue(1, bsi.GE, int64(least[i]), 0, found)
			}
			return int(found.GetCardinality())
		})
	}
}

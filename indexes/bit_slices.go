package indexes

import (
	"fmt"
	"math/bits"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Section KindEntrySlices contains the numbers of KindEntries a second time, in bit slices: for each norm, in
// the order of the constants Norm, the levels of each band. The levels of NormAbsorption are followed by the
// numbers of each attribute. Each of these columns has this form:
//
//	offset  size  field
//	     0     8  depth d: number of bits of the largest number, 0 if all numbers are zero
//	     8        blocks of 512 numbers, one after another, the last one padded with zeros: d planes of
//	              eight 8-byte words, the lowest bit first; bit i%64 of word i/64 of a plane belongs to number i of the block
//
// The method is from O'Neil and Quass, Improved Query Performance with Variant Indexes (1997). The division
// into blocks is ours. A comparison reads memory in sequence, uses registers, and skips blocks without
// candidates.
//
// Comparing the 143,204 ISO 354 entries of 100,000 generated products with one bound takes 27 µs, and with
// three bounds in different bands 81 µs. Comparing each 2-byte level takes 9 to 12 times as long. Comparing
// four levels in an 8-byte word takes 4 times as long, as do planes that start with the highest bit. Package
// BitSliceIndexing of RoaringBitmap takes 130 to 250 times as long. The slices are 0.26 % of the file, the
// tables 0.48 %.
const (
	sliceWords = 8 // number of words in a plane of a block
	sliceBlock = sliceWords * docset.WordBits
	maxDepth   = 32
)

// bitSlices store a column of numbers bit by bit, so that many numbers are compared with a bound together.
type bitSlices struct {
	depth  int      // number of planes
	blocks []uint64 // depth*sliceWords words for each block
}

func readBitSlices(c *snapshot.Cursor, n int) bitSlices {
	depth := c.Uint64()
	if depth > maxDepth {
		c.Fail(c.Offset()-8, fmt.Sprintf("numbers of at most %d bits, not %d", maxDepth, depth))
		return bitSlices{}
	}
	blocks := (uint64(n) + sliceBlock - 1) / sliceBlock
	return bitSlices{depth: int(depth), blocks: column.Read[uint64](c, blocks*depth*sliceWords)}
}

func putBitSlices(c *column.Writer, n int, number func(i int) uint32) {
	largest := uint32(0)
	for i := range n {
		largest = max(largest, number(i))
	}
	depth := bits.Len32(largest)
	column.Put(c, []uint64{uint64(depth)})
	block := make([]uint64, depth*sliceWords)
	for first := 0; first < n; first += sliceBlock {
		clear(block)
		for i := first; i < min(n, first+sliceBlock); i++ {
			for v := number(i); v != 0; v &= v - 1 {
				block[bits.TrailingZeros32(v)*sliceWords+(i-first)/docset.WordBits] |= 1 << ((i - first) % docset.WordBits)
			}
		}
		column.Put(c, block)
	}
}

// block returns the planes of a block, or nil if there is no such block.
func (s *bitSlices) block(i int) []uint64 {
	size := s.depth * sliceWords
	return column.Between(s.blocks, uint64(i*size), uint64((i+1)*size))
}

// filterRange removes from a set of indexes those whose number is less than low or greater than high.
func (s *bitSlices) filterRange(set docset.Dense, low, high uint32) {
	highest := uint32(1<<s.depth - 1) // also for depth 32, for which the shift gives 0
	if low > min(high, highest) {     // no number can be in the range
		set.Clear()
		return
	}
	if low == 0 && high >= highest { // every number is in the range
		return
	}
	for first := 0; first < len(set); first += sliceWords {
		part := set[first:min(first+sliceWords, len(set))]
		if part.Empty() {
			continue
		}
		planes := s.block(first / sliceWords)
		if planes == nil { // only in a damaged file
			part.Clear()
			continue
		}
		if low > 0 {
			from := numbersFrom(planes, low)
			part.And(from[:len(part)])
		}
		if high < highest {
			above := numbersFrom(planes, high+1)
			part.AndNot(above[:len(part)])
		}
	}
}

// numbersFrom returns the set of numbers of a block that are at least bound, one bit each. The bound is not
// zero and has at most as many bits as there are planes. The loop starts at the lowest set bit of the bound,
// below which all numbers pass. At each bit set in the bound, a number passes only if its own bit is set and
// it has passed so far. At each other bit, a number passes if its own bit is set or it has passed so far.
func numbersFrom(planes []uint64, bound uint32) [sliceWords]uint64 {
	plane := bits.TrailingZeros32(bound)
	w := (*[sliceWords]uint64)(planes[plane*sliceWords:])
	// the compiler does not keep arrays in registers
	s0, s1, s2, s3, s4, s5, s6, s7 := w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
	planes, bound = planes[(plane+1)*sliceWords:], bound>>plane>>1
	for ; len(planes) >= sliceWords; planes = planes[sliceWords:] {
		w := (*[sliceWords]uint64)(planes)
		if bound&1 == 1 {
			s0, s1, s2, s3 = s0&w[0], s1&w[1], s2&w[2], s3&w[3]
			s4, s5, s6, s7 = s4&w[4], s5&w[5], s6&w[6], s7&w[7]
		} else {
			s0, s1, s2, s3 = s0|w[0], s1|w[1], s2|w[2], s3|w[3]
			s4, s5, s6, s7 = s4|w[4], s5|w[5], s6|w[6], s7|w[7]
		}
		bound >>= 1
	}
	return [...]uint64{s0, s1, s2, s3, s4, s5, s6, s7}
}

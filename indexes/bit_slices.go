package indexes

import (
	"math/bits"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Section KindEntrySlices has the numbers of KindEntries once more, bit by bit: for each norm, in the sequence of the constants
// Norm, the levels of each band, and behind those of NormAbsorption the numbers of each attribute. Of each of these columns it
// has
//
//	offset  size  field
//	     0     8  depth d: how many bits the largest number has
//	     8        blocks of 512 numbers, one behind the other, the last one filled up with zero: d planes of eight 8-byte words,
//	              the highest bit first; bit i of a plane is that of number i of the block
//
// (O'Neil, Quass: Improved Query Performance with Variant Indexes, 1997; here in blocks, so that a comparison reads memory in
// one row and passes over blocks of which nothing is left.)
const (
	sliceWords = 8 // of a plane in a block
	sliceBlock = sliceWords * docset.WordBits
)

// bitSlices are a column of numbers bit by bit, for comparing all of them with a bound at once.
type bitSlices struct {
	depth  int
	blocks []uint64
}

// readBitSlices reads the slices of n numbers.
func readBitSlices(c *snapshot.Cursor, n int) bitSlices {
	depth := c.Uint64()
	if depth > 32 {
		c.Fail(0, "at most 32 bits of a number")
		return bitSlices{}
	}
	blocks := (uint64(n) + sliceBlock - 1) / sliceBlock
	return bitSlices{int(depth), column.Read[uint64](c, blocks*depth*sliceWords)}
}

// putBitSlices writes the slices of n numbers.
func putBitSlices(c *column.Writer, n int, number func(i int) uint32) {
	most := uint32(0)
	for i := range n {
		most = max(most, number(i))
	}
	depth := bits.Len32(most)
	column.Put(c, []uint64{uint64(depth)})
	block := make([]uint64, depth*sliceWords)
	for first := 0; first < n; first += sliceBlock {
		clear(block)
		for i := first; i < min(n, first+sliceBlock); i++ {
			for v := number(i); v != 0; v &= v - 1 {
				plane := depth - 1 - bits.TrailingZeros32(v)
				block[plane*sliceWords+(i-first)/docset.WordBits] |= 1 << ((i - first) % docset.WordBits)
			}
		}
		column.Put(c, block)
	}
}

// keepRange keeps those of a set of places whose number is from least to most.
func (s *bitSlices) keepRange(set docset.Dense, least, most uint32) {
	if limit := uint64(1) << s.depth; uint64(least) >= limit || least > most {
		set.Clear()
		return
	} else if uint64(most) >= limit {
		most = uint32(limit - 1)
	}
	size := s.depth * sliceWords
	for first := 0; first < len(set); first += sliceWords {
		part := set[first:min(first+sliceWords, len(set))]
		if part.Empty() {
			continue
		}
		at := first / sliceWords * size
		if at+size > len(s.blocks) {
			part.Clear()
			continue
		}
		keepRangeOfBlock(part, s.blocks[at:at+size], s.depth, least, most)
	}
}

// keepRangeOfBlock is keepRange of one block. It decides bit by bit from the highest on: above has the numbers that a higher
// bit has shown to be more than the bound, level those that have had its bits so far.
func keepRangeOfBlock(set docset.Dense, block []uint64, depth int, least, most uint32) {
	var full [sliceWords]uint64
	for i := range full {
		full[i] = ^uint64(0)
	}
	overLeast, atLeast := [sliceWords]uint64{}, full
	overMost, atMost := [sliceWords]uint64{}, full
	for plane := range depth {
		words := (*[sliceWords]uint64)(block[plane*sliceWords:])
		bit := uint(depth - 1 - plane)
		follow(&overLeast, &atLeast, words, least>>bit&1)
		follow(&overMost, &atMost, words, most>>bit&1)
	}
	for i := range set {
		set[i] &= (overLeast[i] | atLeast[i]) &^ overMost[i]
	}
}

// follow goes one bit further down: bit is the bound's.
func follow(over, level, words *[sliceWords]uint64, bit uint32) {
	if bit == 1 {
		for i, w := range words {
			level[i] &= w
		}
		return
	}
	for i, w := range words {
		over[i] |= level[i] & w
		level[i] &^= w
	}
}

// at returns a number.
func (s *bitSlices) at(i int) (number uint32) {
	size := s.depth * sliceWords
	at := i / sliceBlock * size
	for plane := range s.depth {
		word := s.blocks[at+plane*sliceWords+i%sliceBlock/docset.WordBits]
		number = number<<1 | uint32(word>>(i%docset.WordBits)&1)
	}
	return number
}

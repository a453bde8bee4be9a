package docset

import (
	"math/bits"
	"slices"
)

// A Counter counts, for each document, how many sets contain it. The sets are either dense sets of a scope or
// stored bitmaps. For dense sets, use Reset, Add, AddTimes, Nth, FilterAtLeast, Ascend and Descend. For
// bitmaps, use ResetTo, Count, Of and AtLeast. AtLeast can be used for both. The memory layouts differ, so a
// Counter must be reset to change the kind of sets. It then reuses its memory.
//
// It is a bit-sliced counter: plane p contains bit p of the count of each document. So adding a set is a
// binary addition for 64 documents at a time. The documents with the highest counts, or with a given count,
// are found by intersecting planes. For dense sets, each plane is contiguous, since the planes are scanned
// one after another. With this layout, fuzzy searches take 0.8 of the time. For bitmaps, the planes of 64
// documents are adjacent, and eight bitmaps at a time are added by a tree of carry-save adders, as in the
// population count of Harley and Seal. For 209,964 names, counting 48 trigrams takes 0.2 ms, although their
// bitmaps contain 720,000 names. Incrementing a count for each listed name took ten times as long.
type Counter struct {
	words int // number of words in a plane
	depth int // number of planes
	// After Reset, plane by plane. After ResetTo, rows of depth words, each row for 64 documents.
	planes              []uint64
	nextPlane, nextWord int // distance in words to the next plane, and to the next 64 documents

	// For dense sets:
	added int   // number of sets added by Add and AddTimes
	half  Dense // scratch memory of keep and Nth
	below Dense // scratch memory of Nth

	// For bitmaps:
	bitmaps []Bitmap     // bitmaps to count
	walks   []containers // iterators over the bitmaps
	scratch [8][]uint64
}

// Reset sets the counts of docs documents to zero. Later counts must not exceed most.
func (c *Counter) Reset(docs, most int) {
	c.resize(docs, bits.Len(uint(most)))
	c.nextPlane, c.nextWord = c.words, 1
	clear(c.planes)
	c.added = 0
}

// ResetTo prepares Count for docs documents and the bitmaps. It counts nothing yet. It retains the slice.
func (c *Counter) ResetTo(docs int, bitmaps []Bitmap) {
	c.bitmaps = bitmaps
	c.resize(docs, max(eightPlanes, bits.Len(uint(len(bitmaps)))))
	c.nextPlane, c.nextWord = 1, c.depth
}

func (c *Counter) resize(docs, planes int) {
	c.words, c.depth = Words(docs), planes
	n := c.words * planes
	c.planes = slices.Grow(c.planes[:0], n)[:n]
}

// Add counts the documents of a set. The Counter must have been reset by Reset.
func (c *Counter) Add(set Dense) { c.AddTimes(set, 1) }

// AddTimes is equivalent to several calls of Add, but needs one binary addition for each bit of times.
func (c *Counter) AddTimes(set Dense, times int) {
	c.added += times
	for ; times != 0; times &= times - 1 {
		first := bits.TrailingZeros(uint(times)) * c.words
		for i, carry := range set {
			for at := first + i; carry != 0 && at < len(c.planes); at += c.words {
				c.planes[at], carry = c.planes[at]^carry, c.planes[at]&carry
			}
		}
	}
}

// row returns the planes of the documents in word i of a Dense. The Counter must have been reset by ResetTo.
func (c *Counter) row(i int) []uint64 { return c.planes[i*c.depth:][:c.depth] }

// Count counts, for each document from lo to hi-1 and for the other documents in the same words, how many of
// the bitmaps passed to ResetTo contain it. It does not change the counts of other documents.
func (c *Counter) Count(lo, hi int) {
	if lo >= hi {
		return
	}
	c.walks = c.walks[:0]
	for _, bitmap := range c.bitmaps {
		c.walks = append(c.walks, bitmap.open())
	}
	first, end := lo>>wordShift, Words(hi)
	clear(c.planes[first*c.depth : end*c.depth])
	for chunk := first / chunkWords; chunk*chunkWords < end; chunk++ {
		c.countChunk(chunk, max(first-chunk*chunkWords, 0), min(end-chunk*chunkWords, chunkWords))
	}
}

// fewDocs is the maximum number of documents in a container that are added one by one, which takes 0.3 µs for
// a hundred documents. Adding eight containers together takes 0.7 µs for each container.
const fewDocs = 200

// countChunk counts the documents in the words from first to end-1 of a chunk.
func (c *Counter) countChunk(chunk, first, end int) {
	base := chunk * chunkWords
	rows := c.planes[(base+first)*c.depth : (base+end)*c.depth]
	var eight [8][]uint64 // the words of up to eight containers that are added together
	n := 0                // number of containers in eight
	for i := range c.walks {
		part, ok := c.walks[i].at(chunk)
		if !ok {
			continue
		}
		part.values = between(part.values, first<<wordShift, end<<wordShift)
		switch {
		case part.words != nil:
			eight[n] = part.words[first:end]
		case part.runs == nil && len(part.values) <= fewDocs:
			c.addFew(base, part.values)
			continue
		default:
			eight[n] = c.scatter(n, &part, first, end)
		}
		if n++; n == len(eight) {
			addEight(rows, c.depth, &eight)
			n = 0
		}
	}
	if n > 0 {
		for ; n < len(eight); n++ { // add empty sets to the remaining containers
			eight[n] = c.scatter(n, &container{}, first, end)
		}
		addEight(rows, c.depth, &eight)
	}
}

// between returns the numbers from lo to hi-1 in an ascending list.
func between(list []uint16, lo, hi int) []uint16 {
	if len(list) > 0 && int(list[0]) < lo {
		at, _ := slices.BinarySearch(list, uint16(lo))
		list = list[at:]
	}
	if len(list) > 0 && int(list[len(list)-1]) >= hi {
		at, _ := slices.BinarySearch(list, uint16(hi))
		list = list[:at]
	}
	return list
}

// scatter writes the words from first to end-1 of a container to scratch memory i.
func (c *Counter) scatter(i int, part *container, first, end int) []uint64 {
	if c.scratch[i] == nil {
		c.scratch[i] = make([]uint64, chunkWords)
	}
	words := c.scratch[i]
	clear(words[first:end])
	part.orInto(words)
	return words[first:end]
}

// addFew increments the counts of documents in a chunk whose first word is base.
func (c *Counter) addFew(base int, docs []uint16) {
	for _, d := range docs {
		i := base + int(d>>wordShift)
		if i >= c.words {
			return // the file is damaged
		}
		row, carry := c.row(i), uint64(1)<<(d&wordMask)
		for p := range row {
			row[p], carry = row[p]^carry, row[p]&carry
			if carry == 0 {
				break
			}
		}
	}
}

// eightPlanes is the minimum number of planes that addEight requires.
const eightPlanes = 3

// addEight adds eight sets of documents to the counts of a chunk. It uses carry-save adders: each adder
// turns three words of equal weight into a sum and a carry of twice the weight. So only the last carry is
// propagated through all planes.
func addEight(rows []uint64, planes int, sets *[8][]uint64) {
	n := len(rows) / planes
	s0, s1, s2, s3 := sets[0][:n], sets[1][:n], sets[2][:n], sets[3][:n]
	s4, s5, s6, s7 := sets[4][:n], sets[5][:n], sets[6][:n], sets[7][:n]
	for i := range n {
		row := rows[:planes]
		rows = rows[planes:]
		ones, a := carrySave(row[0], s0[i], s1[i])
		ones, b := carrySave(ones, s2[i], s3[i])
		twos, c := carrySave(row[1], a, b)
		ones, a = carrySave(ones, s4[i], s5[i])
		ones, b = carrySave(ones, s6[i], s7[i])
		twos, d := carrySave(twos, a, b)
		fours, carry := carrySave(row[2], c, d)
		row[0], row[1], row[2] = ones, twos, fours
		for p := eightPlanes; p < len(row); p++ {
			row[p], carry = row[p]^carry, row[p]&carry
		}
	}
}

// carrySave adds three bits at each of 64 positions.
func carrySave(a, b, c uint64) (sum, carry uint64) {
	either := a ^ b
	return either ^ c, a&b | either&c
}

// Of returns the count of a document. Count must have been called for the document.
func (c *Counter) Of(d int) int {
	n, i := 0, d>>wordShift
	if i >= c.words {
		return 0 // the file is damaged
	}
	for p, plane := range c.row(i) {
		n |= int(plane>>(d&wordMask)&1) << p
	}
	return n
}

// AtLeast returns a word with the documents in word i of a Dense whose count is at least n.
func (c *Counter) AtLeast(i, n int) uint64 {
	if n>>c.depth != 0 {
		return 0
	}
	// From the lowest bit upwards, reached contains the documents whose bits so far are at least the same
	// bits of n.
	reached, at := ^uint64(0), i*c.nextWord
	for p := range c.depth {
		if n>>p&1 != 0 {
			reached &= c.planes[at]
		} else {
			reached |= c.planes[at]
		}
		at += c.nextPlane
	}
	return reached
}

// Ascend removes the documents with the lowest count from set, writes them to group, and calls visit with the
// count. It repeats this until set is empty or visit returns false. It reports whether set is empty.
func (c *Counter) Ascend(set, group Dense, visit func(count int) bool) bool {
	return c.each(set, group, ^uint64(0), visit)
}

// Descend is like Ascend, but begins with the documents that have the highest count.
func (c *Counter) Descend(set, group Dense, visit func(count int) bool) bool {
	return c.each(set, group, 0, visit)
}

func (c *Counter) each(set, group Dense, flip uint64, visit func(count int) bool) bool {
	for !set.Empty() {
		group.Copy(set)
		count := c.keep(group, flip)
		set.AndNot(group)
		if !visit(count) {
			return false
		}
	}
	return true
}

// keep removes all documents from a set except those with the highest count, and returns that count. If flip
// is all ones, it uses the lowest count instead. From the highest bit downwards, it retains the documents
// with the better bit, if there are any. The Counter must have been reset by Reset.
func (c *Counter) keep(set Dense, flip uint64) (count int) {
	c.half = slices.Grow(c.half[:0], len(set))[:len(set)]
	half := c.half
	for p := c.top(); p >= 0; p-- {
		plane, some := c.planes[p*c.words:][:len(set)], uint64(0)
		for i, docs := range set {
			docs &= plane[i] ^ flip
			half[i] = docs
			some |= docs
		}
		if some != 0 {
			set.Copy(half)
		}
		if (some != 0) == (flip == 0) {
			count |= 1 << p
		}
	}
	return count
}

// top returns the index of the highest plane that can be non-zero. No count exceeds the number of added sets.
func (c *Counter) top() int { return min(c.depth, bits.Len(uint(c.added))) - 1 }

// Nth returns the n-th highest count of the documents in a set, where n starts at 1. It returns 0 if the set
// has fewer than n documents. The Counter must have been reset by Reset.
func (c *Counter) Nth(set Dense, n int) (count int) {
	c.half = slices.Grow(c.half[:0], len(set))[:len(set)]
	c.below = append(c.below[:0], set...)
	half, among := c.half, c.below // among contains the n-th document
	for p := c.top(); p >= 0; p-- {
		plane, higher := c.planes[p*c.words:][:len(set)], 0
		for i, docs := range among {
			docs &= plane[i]
			half[i] = docs
			higher += bits.OnesCount64(docs)
		}
		if higher >= n {
			half, among = among, half
			count |= 1 << p
		} else {
			among.AndNot(half)
			n -= higher
		}
	}
	c.half, c.below = half, among
	return count
}

// FilterAtLeast removes from a set the documents that have been counted fewer than n times.
func (c *Counter) FilterAtLeast(set Dense, n int) {
	for i, docs := range set {
		if docs != 0 {
			set[i] = docs & c.AtLeast(i, n)
		}
	}
}

package docset

import (
	"math/bits"
	"slices"
)

// A Counter counts for many documents at once, in how many sets each lies: sets of a scope, by Reset and Add, or stored
// bitmaps, by ResetTo and Count. It keeps its memory from one use to the next.
//
// It is a bit-sliced counter: the counts stand upright. Of 64 documents, plane p is a word with bit p of the count of each,
// and their planes lie side by side. So a set is added by a binary addition of 64 documents at a time, and the documents that
// have the highest counts, or any one count, are found by a few operations on words. Bitmaps are added eight at once by a
// tree of carry-save adders, as in the population count of Harley and Seal. Of 209,964 names, 48 trigrams are counted in
// 0.2 ms, although 720,000 names are in their bitmaps; to walk lists of these and add one for each took ten times as long.
type Counter struct {
	planes int
	rows   []uint64 // of 64 documents each, planes words a row
	added  int      // sets, by Add
	used   int      // planes that may hold counts of these: no count is above the number of sets

	bitmaps []Bitmap // to be counted
	walks   []frozen // over these
	scratch [8][]uint64
}

// Reset begins anew, with a count of zero for each of a number of documents and room for counts up to most.
func (c *Counter) Reset(docs, most int) {
	c.resize(docs, bits.Len(uint(most)))
	clear(c.rows)
	c.added, c.used = 0, 0
}

// ResetTo begins anew, with nothing counted, for the bitmaps that Count will look in. It keeps the list.
func (c *Counter) ResetTo(docs int, bitmaps []Bitmap) {
	c.bitmaps = bitmaps
	c.resize(docs, max(eightPlanes, bits.Len(uint(len(bitmaps)))))
}

func (c *Counter) resize(docs, planes int) {
	c.planes = planes
	n := Words(docs) * planes
	c.rows = slices.Grow(c.rows[:0], n)[:n]
}

// Add counts the documents of a set.
func (c *Counter) Add(set Dense) {
	c.added++
	c.used = min(c.planes, bits.Len(uint(c.added)))
	for i, carry := range set {
		if carry != 0 {
			increment(c.rows[i*c.planes:][:c.planes], carry)
		}
	}
}

// increment adds one to the counts of some documents of a row.
func increment(row []uint64, carry uint64) {
	for p := range row {
		row[p], carry = row[p]^carry, row[p]&carry
		if carry == 0 {
			return
		}
	}
}

// Count counts in how many of the bitmaps the documents from lo to hi-1 lie, and the others of the same 64. Documents that
// were counted before stay so.
func (c *Counter) Count(lo, hi int) {
	if lo >= hi {
		return
	}
	c.walks = c.walks[:0]
	for _, bitmap := range c.bitmaps {
		c.walks = append(c.walks, bitmap.open())
	}
	first, end := lo>>wordShift, Words(hi)
	clear(c.rows[first*c.planes : end*c.planes])
	for chunk := first / chunkWords; chunk*chunkWords < end; chunk++ {
		c.countChunk(chunk, max(first-chunk*chunkWords, 0), min(end-chunk*chunkWords, chunkWords))
	}
}

// fewDocs is the number of documents up to which a container is added one by one: 0.3 µs for each hundred, while a chunk
// takes 0.7 µs for each of eight containers.
const fewDocs = 200

// countChunk counts the documents of one chunk that stand in its words from first to end-1.
func (c *Counter) countChunk(chunk, first, end int) {
	rows := c.rows[(chunk*chunkWords+first)*c.planes : (chunk*chunkWords+end)*c.planes]
	var eight [8][]uint64
	n := 0
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
			c.addFew(rows, first, part.values)
			continue
		default:
			eight[n] = c.scatter(n, &part, first, end)
		}
		if n++; n == len(eight) {
			addEight(rows, c.planes, &eight)
			n = 0
		}
	}
	if n > 0 {
		for ; n < len(eight); n++ {
			eight[n] = c.scatter(n, &container{}, first, end)
		}
		addEight(rows, c.planes, &eight)
	}
}

// between returns the numbers of an ascending list from lo to hi-1.
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

// scatter writes the words of a container from first to end-1 to the i-th scratch.
func (c *Counter) scatter(i int, part *container, first, end int) []uint64 {
	if c.scratch[i] == nil {
		c.scratch[i] = make([]uint64, chunkWords)
	}
	words := c.scratch[i]
	clear(words[first:end])
	part.orInto(words)
	return words[first:end]
}

// addFew adds one to the counts of some documents of a chunk, in words of which first is that of the first row.
func (c *Counter) addFew(rows []uint64, first int, docs []uint16) {
	for _, d := range docs {
		from := (int(d>>wordShift) - first) * c.planes
		if uint(from) >= uint(len(rows)) {
			return // a damaged file
		}
		increment(rows[from:][:c.planes], 1<<(d&wordMask))
	}
}

// eightPlanes is how many planes addEight takes as given.
const eightPlanes = 3

// addEight adds eight sets of documents to the counts of a chunk. Its adders save their carries: each makes of three words of
// one weight a sum of that weight and a carry of twice that, so that only the last carry goes up all planes.
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

// carrySave adds three numbers of one bit, 64 times.
func carrySave(a, b, c uint64) (sum, carry uint64) {
	either := a ^ b
	return either ^ c, a&b | either&c
}

// Of returns the count of a document, which is counted.
func (c *Counter) Of(d int) int {
	n := 0
	from := d >> wordShift * c.planes
	if from >= len(c.rows) {
		return 0 // a damaged file
	}
	for p, plane := range c.rows[from:][:c.planes] {
		n |= int(plane>>(d&wordMask)&1) << p
	}
	return n
}

// AtLeast returns which of the 64 documents from 64*i on, which are counted, have a count of n or more; document 64*i is the
// lowest bit.
func (c *Counter) AtLeast(i, n int) uint64 {
	if n>>c.planes != 0 {
		return 0
	}
	// From the lowest bit on: as many as n, as far as the bits go that were looked at.
	reached := ^uint64(0)
	for p, plane := range c.rows[i*c.planes:][:c.planes] {
		if n>>p&1 != 0 {
			reached &= plane
		} else {
			reached |= plane
		}
	}
	return reached
}

// KeepHighest takes from a set all documents but those whose count is the highest in it, and returns that count.
func (c *Counter) KeepHighest(set Dense) (highest int) {
	for i, docs := range set {
		n := 0
		for p := c.used - 1; p >= 0 && docs != 0; p-- {
			if with := docs & c.rows[i*c.planes+p]; with != 0 {
				docs, n = with, n|1<<p
			}
		}
		highest = max(highest, n)
	}
	for i, docs := range set {
		set[i] = c.counted(i, docs, highest)
	}
	return highest
}

// Ascend takes from a set, until nothing is left, the documents that have the lowest count in it, writes them to group, and
// calls visit with that count, until visit returns false. It reports whether all were visited.
func (c *Counter) Ascend(set, group Dense, visit func(count int) bool) bool {
	group = group[:len(set)]
	for least := 0; ; least++ {
		var some bool
		if least, some = c.lowest(set, least); !some {
			return true
		}
		for i, docs := range set {
			group[i] = c.counted(i, docs, least)
			set[i] = docs &^ group[i]
		}
		if !visit(least) {
			return false
		}
	}
}

// lowest returns the lowest count of the documents of a set, which is least or more; some is false when there are none.
func (c *Counter) lowest(set Dense, least int) (lowest int, some bool) {
	lowest = 1<<c.used - 1
	for i, docs := range set {
		if docs == 0 {
			continue
		}
		some = true
		n := 0
		for p := c.used - 1; p >= 0; p-- {
			if without := docs &^ c.rows[i*c.planes+p]; without != 0 {
				docs = without
			} else {
				n |= 1 << p
			}
		}
		if lowest = min(lowest, n); lowest == least {
			break
		}
	}
	return lowest, some
}

// counted returns those of some of the 64 documents from 64*i on that have a count of n.
func (c *Counter) counted(i int, docs uint64, n int) uint64 {
	if docs == 0 {
		return 0
	}
	for p, plane := range c.rows[i*c.planes:][:c.used] {
		docs &= plane ^ (uint64(n>>p&1) - 1) // the documents without the bit, when n has none
	}
	return docs
}

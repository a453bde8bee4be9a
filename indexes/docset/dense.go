package docset

import (
	"math/bits"

	"sabine/indexes/column"
)

// A Dense is a set of documents as 64-bit words, for intermediate results. All Dense of a scope have the same
// length. Documents beyond that length, which can occur in a damaged file, cannot be added to a Dense.
type Dense []uint64

// WordBits is the number of documents in a word of a Dense. The lowest bit of word i is document i*WordBits.
const (
	WordBits  = 1 << wordShift
	wordShift = 6
	wordMask  = WordBits - 1
)

// Words returns the length of a Dense for the given number of documents.
func Words(docs int) int { return (docs + wordMask) >> wordShift }

// Add adds a document to the set.
func (s Dense) Add(d column.Doc) {
	if w := int(d >> wordShift); w < len(s) {
		s[w] |= 1 << (d & wordMask)
	}
}

// AddAll adds documents to the set.
func (s Dense) AddAll(docs []column.Doc) {
	for _, d := range docs {
		s.Add(d)
	}
}

// Remove removes a document from the set.
func (s Dense) Remove(d column.Doc) {
	if w := int(d >> wordShift); w < len(s) {
		s[w] &^= 1 << (d & wordMask)
	}
}

// Has reports whether a document is in the set.
func (s Dense) Has(d column.Doc) bool { return s.bit(d) == 1 }

// bit returns 1 if the document is in the set, and 0 otherwise.
func (s Dense) bit(d column.Doc) int {
	if w := int(d >> wordShift); w < len(s) {
		return int(s[w] >> (d & wordMask) & 1)
	}
	return 0
}

// chunk returns the part of the set that contains the given chunk of 65,536 documents. It is shorter than
// chunkWords at the end of the set, and empty beyond it.
func (s Dense) chunk(number int) Dense {
	lo := min(number*chunkWords, len(s))
	return s[lo:min(lo+chunkWords, len(s))]
}

// Clear empties the set.
func (s Dense) Clear() { clear(s) }

// Fill replaces the set with the first docs documents.
func (s Dense) Fill(docs int) {
	clear(s)
	s.fillRange(0, docs)
}

func (s Dense) fillRange(lo, hi int) {
	hi = min(hi, len(s)*WordBits)
	if lo >= hi {
		return
	}
	first, last := lo>>wordShift, (hi-1)>>wordShift
	head, tail := rangeMasks(lo, hi)
	if first == last {
		s[first] |= head & tail
		return
	}
	s[first] |= head
	for i := range s[first+1 : last] {
		s[first+1+i] = ^uint64(0)
	}
	s[last] |= tail
}

func (s Dense) countRange(lo, hi int) int {
	hi = min(hi, len(s)*WordBits)
	if lo >= hi {
		return 0
	}
	first, last := lo>>wordShift, (hi-1)>>wordShift
	head, tail := rangeMasks(lo, hi)
	if first == last {
		return bits.OnesCount64(s[first] & head & tail)
	}
	return bits.OnesCount64(s[first]&head) + s[first+1:last].Len() + bits.OnesCount64(s[last]&tail)
}

// rangeMasks returns the bits of the documents from lo to hi-1 that are in the first word and in the last
// word of that range.
func rangeMasks(lo, hi int) (head, tail uint64) {
	return ^uint64(0) << (lo & wordMask), ^uint64(0) >> (wordMask - (hi-1)&wordMask)
}

// Len returns the number of documents in the set.
func (s Dense) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty reports whether the set is empty.
func (s Dense) Empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// Copy replaces the set with t.
func (s Dense) Copy(t Dense) { copy(s, t) }

// And removes all documents that are not in t.
func (s Dense) And(t Dense) {
	t = t[:len(s)]
	for i := range s {
		s[i] &= t[i]
	}
}

// Or adds the documents in t.
func (s Dense) Or(t Dense) {
	t = t[:len(s)]
	for i := range s {
		s[i] |= t[i]
	}
}

// AndNot removes the documents in t.
func (s Dense) AndNot(t Dense) {
	t = t[:len(s)]
	for i := range s {
		s[i] &^= t[i]
	}
}

// AndLen returns the number of documents that are in both s and t.
func (s Dense) AndLen(t Dense) int {
	t = t[:len(s)]
	n := 0
	for i := range s {
		n += bits.OnesCount64(s[i] & t[i])
	}
	return n
}

// Count returns how many of the listed documents are in the set. It does not branch on the bits, since half
// of the branches would be mispredicted and it would take three times as long.
func (s Dense) Count(docs []column.Doc) int {
	n := 0
	for _, d := range docs {
		n += s.bit(d)
	}
	return n
}

// Next returns the first document in the set that is at least d.
func (s Dense) Next(d column.Doc) (column.Doc, bool) {
	i := int(d >> wordShift)
	if i >= len(s) {
		return 0, false
	}
	if w := s[i] >> (d & wordMask); w != 0 {
		return d + column.Doc(bits.TrailingZeros64(w)), true
	}
	for i++; i < len(s); i++ {
		if s[i] != 0 {
			return column.Doc(i<<wordShift + bits.TrailingZeros64(s[i])), true
		}
	}
	return 0, false
}

// Docs returns the documents of the set in ascending order.
func (s Dense) Docs() []column.Doc { return s.appendTo(make([]column.Doc, 0, s.Len()), 0) }

// appendTo appends the documents in ascending order, each increased by first.
func (s Dense) appendTo(dst []column.Doc, first column.Doc) []column.Doc {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, first+column.Doc(i<<wordShift+bits.TrailingZeros64(w)))
		}
	}
	return dst
}

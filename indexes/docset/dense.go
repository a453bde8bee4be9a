package docset

import (
	"math/bits"

	"sabine/indexes/column"
)

// Dense is a set of documents as words of 64 bits, for intermediate results. All Dense of one scope have one
// length. A document that lies behind that length, as a damaged file may name one, is in no Dense.
type Dense []uint64

// WordBits is how many documents a word of a Dense has: word i those from i*WordBits on, the first of them in
// its lowest bit.
const (
	WordBits  = 1 << wordShift
	wordShift = 6
	wordMask  = WordBits - 1
)

// Words returns the length of a Dense for a number of documents.
func Words(docs int) int { return (docs + wordMask) >> wordShift }

// Add puts a document into the set.
func (s Dense) Add(d column.Doc) {
	if w := int(d >> wordShift); w < len(s) {
		s[w] |= 1 << (d & wordMask)
	}
}

// AddAll puts documents into the set.
func (s Dense) AddAll(docs []column.Doc) {
	for _, d := range docs {
		s.Add(d)
	}
}

// Remove takes a document out of the set.
func (s Dense) Remove(d column.Doc) {
	if w := int(d >> wordShift); w < len(s) {
		s[w] &^= 1 << (d & wordMask)
	}
}

// Has reports whether a document is in the set.
func (s Dense) Has(d column.Doc) bool { return s.bit(d) == 1 }

// bit returns 1 when a document is in the set and 0 when it is not.
func (s Dense) bit(d column.Doc) int {
	if w := int(d >> wordShift); w < len(s) {
		return int(s[w] >> (d & wordMask) & 1)
	}
	return 0
}

// Clear empties the set.
func (s Dense) Clear() { clear(s) }

// Fill makes the set the first docs documents, and no other.
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

// rangeMasks returns the bits that the documents from lo to hi-1 have in the first and in the last word they
// lie in.
func rangeMasks(lo, hi int) (head, tail uint64) {
	return ^uint64(0) << (lo & wordMask), ^uint64(0) >> (wordMask - (hi-1)&wordMask)
}

// Len returns the number of documents.
func (s Dense) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty reports whether there is no document in the set.
func (s Dense) Empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// Copy makes the set the same as t.
func (s Dense) Copy(t Dense) { copy(s, t) }

// And takes away what is not in t.
func (s Dense) And(t Dense) {
	t = t[:len(s)]
	for i := range s {
		s[i] &= t[i]
	}
}

// Or adds what is in t.
func (s Dense) Or(t Dense) {
	t = t[:len(s)]
	for i := range s {
		s[i] |= t[i]
	}
}

// AndNot takes away what is in t.
func (s Dense) AndNot(t Dense) {
	t = t[:len(s)]
	for i := range s {
		s[i] &^= t[i]
	}
}

// AndLen returns the number of documents that are in t too.
func (s Dense) AndLen(t Dense) int {
	t = t[:len(s)]
	n := 0
	for i := range s {
		n += bits.OnesCount64(s[i] & t[i])
	}
	return n
}

// Count returns how many of the listed documents are in the set. It does not branch on what is: that would be
// guessed wrong every other time, and took three times as long.
func (s Dense) Count(docs []column.Doc) int {
	n := 0
	for _, d := range docs {
		n += s.bit(d)
	}
	return n
}

// Next returns the first document from d on.
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

// Docs returns the documents, ascending.
func (s Dense) Docs() []column.Doc { return s.appendTo(make([]column.Doc, 0, s.Len()), 0) }

// appendTo appends the documents, ascending, each counted from first on.
func (s Dense) appendTo(dst []column.Doc, first column.Doc) []column.Doc {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, first+column.Doc(i<<wordShift+bits.TrailingZeros64(w)))
		}
	}
	return dst
}

package docset

import (
	"math/bits"
	"slices"

	"sabine/indexes/column"
)

// A Scope is the documents that the Dense sets of a computation speak of: all documents of the catalogue, or
// a few listed ones. A Dense of a Scope has Words(Len) words, and document number i in it stands for At(i).
// Document order is kept. Once few documents can still match, sets over those alone cost next to nothing.
type Scope struct {
	n      int
	listed bool
	docs   []column.Doc // when listed, ascending; otherwise the scope is all n documents of the catalogue
}

// All is the scope of a whole catalogue of n documents.
func All(n int) Scope { return Scope{n: n} }

// Listed is the scope of some documents, ascending, each once. It keeps the list.
func Listed(docs []column.Doc) Scope { return Scope{n: len(docs), listed: true, docs: docs} }

// Len returns the number of documents.
func (s Scope) Len() int { return s.n }

// All reports whether the scope is a whole catalogue.
func (s Scope) All() bool { return !s.listed }

// At returns the document that number i stands for.
func (s Scope) At(i column.Doc) column.Doc {
	if !s.listed {
		return i
	}
	return s.docs[i]
}

// Append appends the documents of a set in order, after the first skip of them and need at most.
func (s Scope) Append(dst []column.Doc, set Dense, skip, need int) []column.Doc {
	start := len(dst)
	for i, word := range set {
		if skip > 0 {
			n := bits.OnesCount64(word)
			if n <= skip {
				skip -= n
				continue
			}
			for ; skip > 0; skip-- {
				word &= word - 1
			}
		}
		for ; word != 0 && len(dst)-start < need; word &= word - 1 {
			dst = append(dst, column.Doc(i<<wordShift+bits.TrailingZeros64(word)))
		}
		if len(dst)-start == need {
			break
		}
	}
	if s.listed { // what was appended are places
		page := dst[start:]
		for i, place := range page {
			page[i] = s.docs[place]
		}
	}
	return dst
}

// Add puts a document into dst, if it is in the scope.
func (s Scope) Add(dst Dense, d column.Doc) {
	if !s.listed {
		dst.Add(d)
	} else if i, ok := slices.BinarySearch(s.docs, d); ok {
		dst.Add(column.Doc(i))
	}
}

// Or unites dst with those documents of a stored set that are in the scope.
func (s Scope) Or(dst Dense, set Set) {
	switch {
	case !s.listed:
		set.OrInto(dst)
	case set.array != nil:
		orCommon(dst, s.docs, set.array)
	case set.bitmap != nil:
		set.bitmap.open().orListedInto(dst, s.docs)
	case set.n > 0:
		s.Add(dst, set.single)
	}
}

// And takes from dst what is not in a stored set.
func (s Scope) And(dst Dense, set Set) {
	if !s.listed {
		set.andInto(dst)
		return
	}
	for i, ok := dst.Next(0); ok; i, ok = dst.Next(i + 1) {
		if !set.Contains(s.docs[i]) {
			dst.Remove(i)
		}
	}
}

// orCommon puts the places in listed of the documents that are in array too into dst. Both are ascending.
func orCommon(dst Dense, listed, array []column.Doc) {
	for i, d := range listed {
		if array = dropBelow(array, d, len(listed)-i); len(array) > 0 && array[0] == d {
			dst.Add(column.Doc(i))
		}
	}
}

// skipRatio is how many times as long as the other a list must be for binary searches in it to beat walking
// it. With it words of descriptions take 0.90 of the instructions that walking alone takes; with 2 as ratio
// 0.93.
const skipRatio = 8

// dropBelow drops the numbers below n from the front of an ascending list, in which n and more-1 greater
// numbers are looked for: by walking it, or by a binary search when it is much longer than these are many.
func dropBelow[T ~uint16 | ~uint32](list []T, n T, more int) []T {
	if len(list) > skipRatio*more {
		at, _ := slices.BinarySearch(list, n)
		return list[at:]
	}
	for len(list) > 0 && list[0] < n {
		list = list[1:]
	}
	return list
}

// orListedInto puts the places in listed, which is ascending, of the documents that are in the bitmap into
// dst.
func (f frozen) orListedInto(dst Dense, listed []column.Doc) {
	at := 0
	for c, ok := f.next(); ok && at < len(listed); c, ok = f.next() {
		first := column.Doc(c.chunk) << chunkBits
		at += countBelow(listed[at:], first)
		end := len(listed)
		if last := first + (chunkDocs - 1); listed[end-1] > last {
			end = at + countBelow(listed[at:], last+1)
		}
		c.orListedInto(dst, listed[:end], at)
		at = end
	}
}

// countBelow returns how many documents of an ascending list, which is not empty, are below d.
func countBelow(list []column.Doc, d column.Doc) int {
	if list[0] >= d {
		return 0
	}
	n, _ := slices.BinarySearch(list, d)
	return n
}

// orListedInto puts the places in listed, from at on, of the documents that are in the container into dst.
// Those behind at are of its chunk. It does not branch on what is in a bitset, which is guessed wrong.
func (c *container) orListedInto(dst Dense, listed []column.Doc, at int) {
	switch {
	case c.words != nil:
		words := (*[chunkWords]uint64)(c.words)
		for ; at < len(listed); at++ {
			low := uint16(listed[at])
			dst[at>>wordShift] |= words[low>>wordShift] >> (low & wordMask) & 1 << (at & wordMask)
		}
	case c.runs != nil:
		for ; at < len(listed); at++ {
			low := uint16(listed[at])
			if c.runs = dropRuns(c.runs, low, len(listed)-at); inFirstRun(c.runs, low) {
				dst.Add(column.Doc(at))
			}
		}
	default:
		for ; at < len(listed); at++ {
			low := uint16(listed[at])
			if c.values = dropBelow(c.values, low, len(listed)-at); len(c.values) > 0 && c.values[0] == low {
				dst.Add(column.Doc(at))
			}
		}
	}
}

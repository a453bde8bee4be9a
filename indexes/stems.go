package indexes

import (
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindTermStems is the stems of every term, so that a word of the catalogue need not be stemmed when it is asked
// for:
//
//	offset  size  field
//	     0   8*n  for each of the n terms two numbers of 4 bytes: the place in KindStems of its German stem, and of its
//	              English one

// Stem keys carry their language as the first byte.
const (
	StemGerman  = "d"
	StemEnglish = "e"

	stemLanguages = 2
)

// TermStems are the stems of every term, as places in Index.Stems.
type TermStems struct{ places []uint32 }

// openTermStems reads section KindTermStems.
func openTermStems(c *snapshot.Cursor, terms int) TermStems {
	return TermStems{column.Read[uint32](c, stemLanguages*uint64(terms))}
}

// Of returns the places of a term's German and its English stem.
func (s *TermStems) Of(t Term) (german, english int) {
	at := stemLanguages * int(t)
	if at+1 >= len(s.places) {
		return 0, 0
	}
	return int(s.places[at]), int(s.places[at+1])
}

// stemsOf returns the terms of every stem.
func stemsOf(words []string) *groupLists {
	var stems groupBuilder
	for term, word := range words {
		german, english := analysis.Stems(word)
		stems.add(StemGerman+german, uint32(term))
		stems.add(StemEnglish+english, uint32(term))
	}
	return stems.groups()
}

// writeTermStems writes section KindTermStems for a number of words.
func writeTermStems(w *snapshot.Writer, stems *groupLists, words int) error {
	places := make([]uint32, stemLanguages*words)
	for place, key := range stems.keys {
		for _, term := range stems.lists.At(place) {
			at := stemLanguages * term
			if key[:1] == StemEnglish {
				at++
			}
			places[at] = uint32(place)
		}
	}
	c := column.Begin(w, KindTermStems)
	column.Put(c, places)
	return c.Err()
}

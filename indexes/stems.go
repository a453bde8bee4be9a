package indexes

import (
	"maps"
	"slices"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindTermStems contains the stems of every term, so that words of the catalogue need not be stemmed
// in queries:
//
//	offset  size  field
//	     0   8*n  for each of the n terms two numbers of 4 bytes: the index in KindStems of its German stem and of its
//	              English stem

// The first byte of a stem's key is its language.
const (
	StemGerman  = "d"
	StemEnglish = "e"

	stemLanguages = 2
)

// TermStems contains the stems of every term, as indexes in Index.Stems.
type TermStems struct{ places []uint32 }

// Of returns the indexes of a term's German stem and English stem, or 0 and 0 if there is no such term.
func (s *TermStems) Of(t Term) (german, english int) {
	at := stemLanguages * int(t)
	return int(column.At(s.places, at)), int(column.At(s.places, at+1))
}

// stemsOf returns the groups of section KindStems for sorted words.
func stemsOf(words []string) *groupLists {
	var stems groupBuilder
	for term, word := range words {
		german, english := analysis.Stems(word)
		stems.add(StemGerman+german, uint32(term))
		stems.add(StemEnglish+english, uint32(term))
	}
	return stems.groups()
}

// writeTermStems writes section KindTermStems for the given number of words.
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

// Section KindPartForms contains the forms in which compound parts are written: in compounds, with and
// without a linking element, and as separate words. The number keys in KindParts have no forms.
//
//	offset  size  field
//	     0     8  number of forms n
//	     8   4*n  for each form, the index of its key in KindParts
//	        to 8  zero
//	         4*n  the numbers of the forms, sorted by the forms read backwards, as in KindReversed
//	        to 8  zero
//	              a sorted table of n texts, the forms; see sorted_texts.go

// PartForms is a sorted table of the forms of compound parts. Each form refers to its part.
type PartForms struct {
	sortedTexts[int]
	Fuzzy
	parts []uint32
}

func openPartForms(c *snapshot.Cursor) PartForms {
	n := c.Uint64()
	if n > 1<<32 {
		c.Fail(0, "at most 2^32 forms")
	}
	p := PartForms{parts: column.Read[uint32](c, n)}
	reversed := column.Read[uint32](c, n)
	p.sortedTexts = readSorted[int](c, n)
	p.Fuzzy = newFuzzy(&p.Texts, reversed)
	return p
}

// Part returns the index in Index.Parts of the part with the given form, or 0 if there is no such form.
func (p *PartForms) Part(form int) int { return int(column.At(p.parts, form)) }

// writePartForms writes section KindPartForms. forms maps each form to the key of its part.
func writePartForms(w *snapshot.Writer, parts *groupLists, forms map[string]string) error {
	texts := slices.Sorted(maps.Keys(forms))
	numbers := make([]uint32, len(texts))
	for i, form := range texts {
		at, _ := slices.BinarySearch(parts.keys, forms[form])
		numbers[i] = uint32(at)
	}
	c := column.Begin(w, KindPartForms)
	column.Put(c, []uint64{uint64(len(texts))})
	column.Put(c, numbers)
	column.Put(c, reversedOrder(texts))
	putSorted(c, texts)
	return c.Err()
}

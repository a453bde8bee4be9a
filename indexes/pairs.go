package indexes

import (
	"fmt"
	"slices"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Section KindPairs contains pairs of neighbouring words that are both frequent in a field:
//
//	offset  size  field
//	     0    40  number of pairs of each field, 8 bytes each, in the order of the constants; 0 for FieldCategory
//	    40   8*n  the n pairs of all fields, field by field, ascending within a field: the first word, a Term, in the
//	              upper 32 bits, and the next word in the lower 32 bits
//	         8*n  for each pair, a reference of a set: the documents that contain the pair in the field

// docFrequencyBound is the minimum document frequency of a frequent word in catalogues of up to 256,000
// documents. The document frequency is the number of documents that contain the word in one field. In larger
// catalogues, the minimum is one in 1,000 documents, because the number of pairs grows with the square of the
// number of frequent words. With a bound of 256, a million random texts of 60 words had 28 million pairs.
const docFrequencyBound = 256

// frequentFrom returns the minimum document frequency of a frequent word.
func frequentFrom(docs int) int { return max(docFrequencyBound, docs/1000) }

// Pairs contains, for two neighbouring words that are both frequent in a field, the documents with the pair.
// To find other pairs, few documents must be read in the forward index.
type Pairs struct {
	minFrequency int // minimum document frequency of a frequent word
	sets         *docset.Sets
	terms        *Terms
	starts       [NumFields + 1]int // the pairs of field f are those from starts[f] to starts[f+1]-1
	pairs        []pair
	refs         []docset.Ref // sets by pair
}

// A pair is two neighbouring words, encoded as in the section.
type pair uint64

func pairOf(a, b Term) pair { return pair(a)<<32 | pair(b) }

func openPairs(c *snapshot.Cursor, docs int, sets *docset.Sets, terms *Terms) Pairs {
	p := Pairs{minFrequency: frequentFrom(docs), sets: sets, terms: terms}
	var counts [NumFields]uint64
	total := uint64(0)
	for f := range counts {
		if counts[f] = c.Uint64(); counts[f] > 1<<40 {
			c.Fail(8*f, fmt.Sprintf("at most 2^40 pairs, not %d", counts[f]))
		}
		total += counts[f]
	}
	p.pairs = column.Read[pair](c, total)
	p.refs = column.Read[docset.Ref](c, total)
	if c.Err() != nil {
		return Pairs{}
	}
	for f, n := range counts {
		p.starts[f+1] = p.starts[f] + int(n)
	}
	return p
}

// Set returns the documents in which b directly follows a in field f. ok is false if one of the words is not
// frequent in f, because such pairs are not stored. If ok is true and the set is empty, no document contains
// the pair.
func (p *Pairs) Set(a, b Term, f Field) (s docset.Set, ok bool) {
	if f >= NumFields || f == FieldCategory || !p.frequent(a, f) || !p.frequent(b, f) {
		return docset.Set{}, false
	}
	start := p.starts[f]
	i, found := slices.BinarySearch(p.pairs[start:p.starts[f+1]], pairOf(a, b))
	if !found {
		return docset.Set{}, true
	}
	return p.sets.Set(p.refs[start+i]), true
}

func (p *Pairs) frequent(t Term, f Field) bool { return p.terms.Set(t, f).Len() >= p.minFrequency }

// pairBatch is the maximum number of neighbours that are in memory at a time. A neighbour needs 8 bytes.
const pairBatch = 1 << 24

// A pairBuilder finds the pairs of one field in the forward index.
type pairBuilder struct {
	forward  *forwardBuilder
	field    Field
	frequent []bool // whether a term is frequent in the field
	batch    int    // pairBatch, or less in tests
}

// each calls visit for every pair of frequent words, in ascending order, with the documents of the pair.
//
// The neighbours of a large catalogue do not fit into memory. So each divides the first words into ranges
// whose neighbours fit into a batch, and reads the forward index once for each range.
func (b *pairBuilder) each(visit func(p pair, docs []column.Doc)) {
	counts := make([]uint64, len(b.frequent)) // number of neighbours by first word; later the index of the next one
	b.walk(func(first, _ Term, _ column.Doc) { counts[first]++ })
	for lo := 0; lo < len(counts); {
		hi, size := lo, uint64(0)
		for hi < len(counts) && (hi == lo || size+counts[hi] <= uint64(b.batch)) {
			counts[hi], size = size, size+counts[hi]
			hi++
		}
		if size > 0 {
			b.visitRange(Term(lo), Term(hi), size, counts, visit)
		}
		lo = hi
	}
}

// visitRange visits the pairs whose first word is from lo to hi-1. These words have size neighbours in total.
// places contains, for each of these words, the index of its first neighbour. Later it contains the end of
// its neighbours.
func (b *pairBuilder) visitRange(lo, hi Term, size uint64, places []uint64, visit func(p pair, docs []column.Doc)) {
	neighbours := make([]uint64, size) // second word in the upper 32 bits, document in the lower 32 bits
	b.walk(func(first, second Term, d column.Doc) {
		if lo <= first && first < hi {
			neighbours[places[first]] = uint64(second)<<32 | uint64(d)
			places[first]++
		}
	})
	start := uint64(0)
	var docs []column.Doc
	for first := lo; first < hi; first++ {
		own := neighbours[start:places[first]]
		start = places[first]
		slices.Sort(own)
		for i, n := range own {
			docs = append(docs, column.Doc(n))
			if second := Term(n >> 32); i+1 == len(own) || Term(own[i+1]>>32) != second {
				visit(pairOf(first, second), slices.Compact(docs))
				docs = docs[:0]
			}
		}
	}
}

// walk calls visit for all neighbours that are both frequent, in the order of documents.
func (b *pairBuilder) walk(visit func(first, second Term, d column.Doc)) {
	b.forward.each(b.field, func(d column.Doc, stream []byte) {
		before := uint64(textEnd)
		for word := range streamWords(stream) {
			if word != textEnd && !b.frequent[word-1] {
				word = textEnd // it has no pairs, like the end of a text
			}
			if before != textEnd && word != textEnd {
				visit(Term(before-1), Term(word-1), d)
			}
			before = word
		}
	})
}

// writePairs writes section KindPairs. frequent contains, by field and term, whether the term is frequent.
func writePairs(w *snapshot.Writer, sets *docset.Builder, forward *forwardBuilder, frequent [NumFields][]bool) error {
	var counts [NumFields]uint64
	var pairs []pair
	var refs []docset.Ref
	for _, f := range streamFields {
		if err := column.ContextErr(w); err != nil {
			return err
		}
		b := &pairBuilder{forward: forward, field: f, frequent: frequent[f], batch: pairBatch}
		before := len(pairs)
		b.each(func(p pair, docs []column.Doc) {
			pairs = append(pairs, p)
			refs = append(refs, sets.Add(docs))
		})
		counts[f] = uint64(len(pairs) - before)
	}
	c := column.Begin(w, KindPairs)
	column.Put(c, counts[:])
	column.Put(c, pairs)
	column.Put(c, refs)
	return c.Err()
}

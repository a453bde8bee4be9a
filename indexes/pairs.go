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
//	         8*n  for each pair a reference of a set: the documents that contain it in the field

// docFrequencyBound is the minimum document frequency of a frequent word in catalogues of up to 256,000
// documents. The document frequency is the number of documents that contain a word in one field. In larger
// catalogues the minimum is one in 1,000 documents, because pairs grow with the square of the frequent words:
// with a bound of 256, a million random texts of 60 words had 28 million pairs.
const docFrequencyBound = 256

// frequentFrom returns the minimum document frequency of a frequent word.
func frequentFrom(docs int) int { return max(docFrequencyBound, docs/1000) }

// Pairs are the documents in which two words are neighbours, if both are frequent in the field. Other pairs
// are found in the forward index, where few documents must be read.
type Pairs struct {
	minFrequency int // minimum document frequency of a frequent word
	sets         *docset.Sets
	terms        *Terms
	fields       [NumFields]pairRange
	pairs        []pair
	refs         []docset.Ref
}

// A pairRange is the range of the pairs of a field.
type pairRange struct{ start, end int }

// A pair contains two neighbouring words, encoded as in the section.
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
	end := 0
	for f, n := range counts {
		p.fields[f] = pairRange{end, end + int(n)}
		end += int(n)
	}
	return p
}

// Set returns the documents in which b directly follows a in field f. ok is false if one of the words is not
// frequent there: the pair is not stored. If ok is true, an empty set means that no document contains the
// pair.
func (p *Pairs) Set(a, b Term, f Field) (s docset.Set, ok bool) {
	if f >= NumFields || f == FieldCategory || !p.frequent(a, f) || !p.frequent(b, f) {
		return docset.Set{}, false
	}
	r := p.fields[f]
	i, found := slices.BinarySearch(p.pairs[r.start:r.end], pairOf(a, b))
	if !found {
		return docset.Set{}, true
	}
	return p.sets.Set(p.refs[r.start+i]), true
}

func (p *Pairs) frequent(t Term, f Field) bool { return p.terms.Set(t, f).Len() >= p.minFrequency }

// pairBatch is the maximum number of neighbours in memory at a time, 8 bytes each.
const pairBatch = 1 << 24

// A pairBuilder finds the pairs in one field of the forward index.
type pairBuilder struct {
	forward  *forwardBuilder
	field    Field
	frequent []bool // by term
	batch    int    // pairBatch; smaller in tests
}

// each calls visit with every pair of frequent words and its documents, in ascending order of pairs.
//
// The neighbours of a large catalogue do not fit into memory. So each reads the forward index once for every
// range of first words whose neighbours fill a batch.
func (b *pairBuilder) each(visit func(p pair, docs []column.Doc)) {
	counts := make([]uint64, len(b.frequent)) // number of neighbours by first word, later the index of the next one
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

// visitRange visits the pairs with first words from lo to hi-1, which have size neighbours. places contains
// the index at which the neighbours of each first word begin.
func (b *pairBuilder) visitRange(lo, hi Term, size uint64, places []uint64, visit func(p pair, docs []column.Doc)) {
	neighbours := make([]uint64, size) // second word in the upper 32 bits, document in the lower 32
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

// walk calls visit with all neighbours that are both frequent, in order of documents.
func (b *pairBuilder) walk(visit func(first, second Term, d column.Doc)) {
	b.forward.each(b.field, func(d column.Doc, stream []byte) {
		before := uint64(textEnd)
		for word := range streamWords(stream) {
			if word != textEnd && !b.frequent[word-1] {
				word = textEnd
			}
			if before != textEnd && word != textEnd {
				visit(Term(before-1), Term(word-1), d)
			}
			before = word
		}
	})
}

func writePairs(w *snapshot.Writer, sets *docset.Builder, forward *forwardBuilder, frequent [NumFields][]bool) error {
	var counts [NumFields]uint64
	var pairs []pair
	var refs []docset.Ref
	for _, f := range streamFields {
		if err := column.ContextErr(w); err != nil {
			return err
		}
		if !slices.Contains(frequent[f], true) {
			continue
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

package indexes

import (
	"fmt"
	"slices"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Section KindPairs is neighbouring words that are both frequent in the field:
//
//	offset  size  field
//	     0    40  number of pairs of each field, 8 bytes each, in the order of the constants; 0 of FieldCategory
//	    40   8*n  the n pairs of all fields, field by field, ascending within a field: the first word, a Term, in the
//	              upper 32 bits, and the word right behind it in the lower ones
//	         8*n  for each pair a reference of a set: the documents in which it stands in the field

// docFrequencyBound is the document frequency, the number of documents that hold it in one field, from which
// on a word counts as frequent there in a catalogue of up to 256,000 documents; in a larger one it is one in
// a thousand documents. Pairs grow with the square of the frequent words, and that is what bounds them: of a
// million random texts of 60 words, 256 everywhere kept 28 million pairs.
const docFrequencyBound = 256

// frequentFrom returns the document frequency from which a word is frequent in a catalogue.
func frequentFrom(docs int) int { return max(docFrequencyBound, docs/1000) }

// Pairs are the documents in which two words are neighbours, for words that are both frequent in the field.
// Other pairs are found through the forward index, where few documents have to be read.
type Pairs struct {
	least  int // document frequency of a frequent word
	sets   *docset.Sets
	terms  *Terms
	fields [NumFields]pairRange
	pairs  []pair
	refs   []docset.Ref
}

// A pairRange is where the pairs of a field lie.
type pairRange struct{ start, end int }

// A pair is two words, one right behind the other, as the section has them.
type pair uint64

func pairOf(a, b Term) pair { return pair(a)<<32 | pair(b) }

func openPairs(c *snapshot.Cursor, docs int, sets *docset.Sets, terms *Terms) Pairs {
	p := Pairs{least: frequentFrom(docs), sets: sets, terms: terms}
	var counts [NumFields]uint64
	total := uint64(0)
	for f := range counts {
		if counts[f] = c.Uint64(); counts[f] > 1<<40 {
			c.Fail(8*f, fmt.Sprintf("a number of pairs, not %d", counts[f]))
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

// Set returns the documents in which b stands right behind a in field f; ok is false when the pair is not
// kept because one of them is not frequent there. When it is true, an empty set says that no document has the
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

func (p *Pairs) frequent(t Term, f Field) bool { return p.terms.Set(t, f).Len() >= p.least }

// pairBatch is how many neighbours pairBuilder holds at a time, 8 bytes each.
const pairBatch = 1 << 24

// A pairBuilder finds the neighbours in one field of the forward index.
type pairBuilder struct {
	forward  *forwardBuilder
	field    Field
	frequent []bool // by term
	batch    int    // pairBatch; tests take less
}

// each calls visit with every pair of frequent words and the documents that hold it, in ascending order of
// pairs.
//
// The neighbours of a large catalogue do not fit into memory, so the forward index is read once for each
// stretch of first words that has a batch of them.
func (b *pairBuilder) each(visit func(p pair, docs []column.Doc)) {
	counts := make([]uint64, len(b.frequent)) // of neighbours by first word, and then where the next one goes
	b.walk(func(first, _ Term, _ column.Doc) { counts[first]++ })
	for lo := 0; lo < len(counts); {
		hi, size := lo, uint64(0)
		for hi < len(counts) && (hi == lo || size+counts[hi] <= uint64(b.batch)) {
			counts[hi], size = size, size+counts[hi]
			hi++
		}
		if size > 0 {
			b.stretch(Term(lo), Term(hi), size, counts, visit)
		}
		lo = hi
	}
}

// stretch is each for the first words from lo to hi-1, which have size neighbours: those of each word begin
// at its place.
func (b *pairBuilder) stretch(lo, hi Term, size uint64, places []uint64, visit func(p pair, docs []column.Doc)) {
	neighbours := make([]uint64, size) // the second word in the upper 32 bits, and the document
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

// walk calls visit with all neighbours of which both are frequent, in order of documents.
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
		if err := column.Ended(w); err != nil {
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

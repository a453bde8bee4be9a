package indexes

import (
	"encoding/binary"
	"slices"
	"strings"

	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// postings makes the sets of words, and of short beginnings of words, from the forward index: one field at a time, so that
// the lists of one field alone are in memory.
type postings struct {
	docs     int
	sets     *docset.Builder
	words    []string // ascending
	refs     []fieldRefs
	frequent [NumFields][]bool // by term

	prefixes     []string // ascending
	prefixRanges []termRange
	prefixRefs   []fieldRefs

	unions []*groupUnion
}

// A termRange is terms from lo to hi-1.
type termRange struct{ lo, hi Term }

// newPostings returns the postings, all empty, of words in ascending order, and of groups of them.
func newPostings(words []string, docs int, sets *docset.Builder, h *halt, unions ...*groupUnion) *postings {
	p := &postings{docs: docs, sets: sets, words: words, refs: make([]fieldRefs, len(words)), unions: unions}
	for f := range p.frequent {
		p.frequent[f] = make([]bool, len(words))
	}
	for letters := 1; letters <= maxPrefix; letters++ {
		p.addPrefixes(letters)
	}
	p.sortPrefixes(h)
	p.prefixRefs = make([]fieldRefs, len(p.prefixes))
	return p
}

// addPrefixes finds the beginnings of a number of letters that many words have.
func (p *postings) addPrefixes(letters int) {
	for lo := 0; lo < len(p.words); {
		prefix, ok := beginning(p.words[lo], letters)
		hi := lo + 1
		for ok && hi < len(p.words) && strings.HasPrefix(p.words[hi], prefix) {
			hi++
		}
		if ok && hi-lo > manyWords {
			p.prefixes = append(p.prefixes, prefix)
			p.prefixRanges = append(p.prefixRanges, termRange{Term(lo), Term(hi)})
		}
		lo = hi
	}
}

// beginning returns the first letters of a word; ok is false when it has fewer.
func beginning(word string, letters int) (prefix string, ok bool) {
	for i := range word {
		if letters == 0 {
			return word[:i], true
		}
		letters--
	}
	return word, letters == 0
}

// sortPrefixes brings the beginnings into ascending order.
func (p *postings) sortPrefixes(h *halt) {
	sorted, place := sortWords(p.prefixes, h)
	ranges := make([]termRange, len(sorted))
	for i, at := range place {
		ranges[at] = p.prefixRanges[i]
	}
	p.prefixes, p.prefixRanges = sorted, ranges
}

// addStreams makes the sets of a field that has streams.
func (p *postings) addStreams(f Field, forward *forwardBuilder) {
	// The documents of word i are docs[starts[i]:starts[i+1]]. A word that a document has twice is counted once: seen has
	// the last document of each word, plus one.
	starts := make([]uint64, len(p.words)+1)
	seen := make([]column.Doc, len(p.words))
	walk := func(visit func(word uint64, d column.Doc)) {
		clear(seen)
		forward.each(f, func(d column.Doc, stream []byte) {
			for len(stream) > 0 {
				word, n := binary.Uvarint(stream)
				if stream = stream[n:]; word != textEnd && seen[word-1] != d+1 {
					seen[word-1] = d + 1
					visit(word-1, d)
				}
			}
		})
	}
	walk(func(word uint64, _ column.Doc) { starts[word+1]++ })
	for i := range p.words {
		starts[i+1] += starts[i]
	}
	docs := make([]column.Doc, starts[len(p.words)])
	next := slices.Clone(starts)
	walk(func(word uint64, d column.Doc) {
		docs[next[word]] = d
		next[word]++
	})
	for i := range p.words {
		list := docs[starts[i]:starts[i+1]]
		p.refs[i][f] = p.sets.Add(list)
		p.frequent[f][i] = len(list) >= frequentFrom(p.docs)
	}
	union := make(docset.Dense, docset.Words(p.docs))
	for i, r := range p.prefixRanges {
		union.Clear()
		for _, d := range docs[starts[r.lo]:starts[r.hi]] {
			union.Add(d)
		}
		p.prefixRefs[i][f] = p.sets.AddDense(union)
	}
	p.addUnions(f, union, func(dst docset.Dense, t Term) {
		for _, d := range docs[starts[t]:starts[t+1]] {
			dst.Add(d)
		}
	})
}

// addUnions makes the sets of groups of words in a field.
func (p *postings) addUnions(f Field, scratch docset.Dense, docsInto func(docset.Dense, Term)) {
	for _, u := range p.unions {
		u.add(f, scratch, p.sets, func(t Term) docset.Ref { return p.refs[t][f] }, docsInto)
	}
}

// addCategories makes the sets of FieldCategory from the documents of its words; place has the Term of each number.
func (p *postings) addCategories(docs map[uint32]docset.Dense, place []uint32) {
	byTerm := make(map[Term]docset.Dense, len(docs))
	for number, set := range docs {
		byTerm[Term(place[number])] = set
	}
	terms := make([]Term, 0, len(byTerm))
	for t := range byTerm {
		terms = append(terms, t)
	}
	slices.Sort(terms) // sets are stored in the order in which they come
	for _, t := range terms {
		p.refs[t][FieldCategory] = p.sets.AddDense(byTerm[t])
	}
	union := make(docset.Dense, docset.Words(p.docs))
	for i, r := range p.prefixRanges {
		union.Clear()
		for _, t := range terms {
			if r.lo <= t && t < r.hi {
				union.Or(byTerm[t])
			}
		}
		p.prefixRefs[i][FieldCategory] = p.sets.AddDense(union)
	}
	p.addUnions(FieldCategory, union, func(dst docset.Dense, t Term) {
		if docs := byTerm[t]; docs != nil {
			dst.Or(docs)
		}
	})
}

// addAnyField makes the sets of FieldAny from those of the fields, of phrases too.
func (p *postings) addAnyField(phrases []fieldRefs) {
	scratch := make(docset.Dense, docset.Words(p.docs))
	unite := func(rows []fieldRefs) {
		for i := range rows {
			rows[i][FieldAny] = p.sets.Unite(scratch, rows[i][:NumFields])
		}
	}
	unite(p.refs)
	unite(p.prefixRefs)
	unite(phrases)
	for _, u := range p.unions {
		unite(u.refs)
	}
}

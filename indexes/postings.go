package indexes

import (
	"strings"

	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// postings builds the document sets of terms and of groups of terms from the forward index. It processes one
// field at a time to limit memory use.
type postings struct {
	docs     int
	sets     *docset.Builder
	refs     []fieldRefs       // sets by term
	frequent [NumFields][]bool // by field and term, for Pairs; all false for FieldCategory
	groups   []*groupLists     // groups of terms: prefixes, stems and compound parts
	scratch  docset.Dense      // overwritten by addGroups and addAnyField
}

// newPostings returns empty postings for numbers of terms and documents, and for groups of terms.
func newPostings(terms, docs int, sets *docset.Builder, groups ...*groupLists) *postings {
	p := &postings{docs: docs, sets: sets, refs: make([]fieldRefs, terms), groups: groups,
		scratch: make(docset.Dense, docset.Words(docs))}
	for f := range p.frequent {
		p.frequent[f] = make([]bool, terms)
	}
	for _, g := range groups {
		g.refs = make([]fieldRefs, len(g.keys))
	}
	return p
}

// addStreams adds the sets for a field that has streams.
func (p *postings) addStreams(f Field, forward *forwardBuilder) {
	// seen contains the last document of each term, plus one, so that a repeated term counts only once.
	seen := make([]column.Doc, len(p.refs))
	docs := column.Collect(len(p.refs), func(visit func(term int, d column.Doc)) {
		clear(seen) // Collect calls this function twice
		forward.each(f, func(d column.Doc, stream []byte) {
			for word := range streamWords(stream) { // the number of a term plus one, or textEnd
				if word != textEnd && seen[word-1] != d+1 {
					seen[word-1] = d + 1
					visit(int(word-1), d)
				}
			}
		})
	})
	for t := range p.refs {
		list := docs.At(t)
		p.refs[t][f] = p.sets.Add(list)
		p.frequent[f][t] = len(list) >= frequentFrom(p.docs)
	}
	p.addGroups(f, func(t uint32) { p.scratch.AddAll(docs.At(int(t))) })
}

// addCategories adds the sets for FieldCategory. docs contains the documents of each term; most elements are
// nil.
func (p *postings) addCategories(docs []docset.Dense) {
	for t, set := range docs {
		if set != nil {
			p.refs[t][FieldCategory] = p.sets.AddDense(set)
		}
	}
	p.addGroups(FieldCategory, func(t uint32) {
		if docs[t] != nil {
			p.scratch.Or(docs[t])
		}
	})
}

// addGroups adds the sets for groups of terms in a field, whose sets of terms must be in refs. docsInto must
// add the documents of term t to p.scratch.
func (p *postings) addGroups(f Field, docsInto func(t uint32)) {
	for _, g := range p.groups {
		for key := range g.keys {
			terms := g.lists.At(key)
			if len(terms) == 1 { // the set has been stored
				g.refs[key][f] = p.refs[terms[0]][f]
				continue
			}
			p.scratch.Clear()
			for _, t := range terms {
				docsInto(t)
			}
			g.refs[key][f] = p.sets.AddDense(p.scratch)
		}
	}
}

// addAnyField adds the sets for FieldAny, which are the unions of the sets for all fields, to rows of terms,
// groups or phrases.
func (p *postings) addAnyField(rows []fieldRefs) {
	for i := range rows {
		rows[i][FieldAny] = p.sets.Union(p.scratch, rows[i][:NumFields])
	}
}

// prefixesOf returns the prefixes that have a row in section KindPrefixes, with their terms: prefixes of at
// most maxPrefix letters that more than manyWords of the sorted words share.
func prefixesOf(words []string) *groupLists {
	var prefixes groupBuilder
	for letters := 1; letters <= maxPrefix; letters++ {
		for lo := 0; lo < len(words); {
			prefix, ok := beginning(words[lo], letters)
			hi := lo + 1
			for ok && hi < len(words) && strings.HasPrefix(words[hi], prefix) {
				hi++
			}
			if hi-lo > manyWords {
				for t := lo; t < hi; t++ {
					prefixes.add(prefix, uint32(t))
				}
			}
			lo = hi
		}
	}
	return prefixes.groups()
}

// beginning returns the given number of first letters of a word. ok is false if the word is shorter.
func beginning(word string, letters int) (prefix string, ok bool) {
	for i := range word {
		if letters == 0 {
			return word[:i], true
		}
		letters--
	}
	return word, letters == 0
}

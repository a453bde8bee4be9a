package runtime

import (
	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A parsedQuery is what a query's text means to an index: its key, its words, and for each word the ways in which a field
// can hold it. The reader makes it (reader.go), and nobody writes to it afterwards but joinPhrased (compound.go). It has no
// documents: those are an arena's.
type parsedQuery struct {
	key      string
	id       column.Doc // whose id the key is
	isID     bool       // there is such a document
	sequence []string   // the words of the key in order
	places   []int      // for each of them, which of words it is, or notAsked
	words    []word     // each distinct word that is asked for, in order of first appearance
	parts    []word     // of those that are compounds, which the catalogue has not
	phrases  [][]indexes.Term
	levels   levelSet // of the ways to hold any of the words

	functionWords bool // there are no others

	named          []value // values that the key names
	namedBySynonym []value // values whose own or display name is a curated synonym of the key
}

// notAsked is the place of a function word beside other words: a product need not hold it.
const notAsked = -1

// A word is one distinct word of the query. Below are the ways to hold it, by the form in which the index has them; a word
// with none is in no document.
type word struct {
	text      string
	letters   int
	german    string // its stems
	english   string
	terms     []oneTerm // the word itself, and what it is joined to
	groups    []termGroup
	beginning termRange // of the last word alone
	synonyms  []oneTerm // of one word
	phrases   []phrase
	parts     wordRange
}

// A wordRange is words of parsedQuery.parts, from lo to hi-1, that a field has to hold all of. None is the zero range.
type wordRange struct{ lo, hi int }

func (r wordRange) len() int { return r.hi - r.lo }

// partsOf returns the words of a range.
func (q *parsedQuery) partsOf(r wordRange) []word { return q.parts[r.lo:r.hi] }

// A oneTerm is a way to hold a word: a term.
type oneTerm struct {
	kind MatchKind
	term indexes.Term
}

// A termGroup is any of the terms of one stem, or of the compounds that have one part. Their documents are stored together.
type termGroup struct {
	kind   MatchKind
	terms  *indexes.Groups
	sets   *indexes.FieldSets
	number int // in both
}

// A phrase is terms next to each other, in order.
type phrase struct {
	kind   MatchKind
	number int // in parsedQuery.phrases
}

// A termRange is any of the terms that begin like the word, from lo to hi-1; or, in Index.Prefixes, the one beginning for
// which the index has their documents together. None is the zero range.
type termRange struct {
	of     *indexes.Terms
	lo, hi indexes.Term
}

func (r *termRange) len() int { return int(r.hi - r.lo) }

// eachSet calls visit with the documents of every term in a field, or in FieldAny.
func (r *termRange) eachSet(f indexes.Field, visit func(docset.Set)) {
	if r.of != nil {
		r.of.EachSet(r.lo, r.hi, f, visit)
	}
}

// isKnown reports whether there is a way to hold the word.
func (v *word) isKnown() bool { return v.isHeldWhole() || v.parts.len() > 0 }

// isHeldWhole reports whether there is a way to hold the word that is not by its parts.
func (v *word) isHeldWhole() bool { return v.hasDocs() || len(v.phrases) > 0 }

// hasDocs reports whether some document holds the word. Of phrases that is not known: the words may never be neighbours.
func (v *word) hasDocs() bool {
	return len(v.terms)+len(v.groups)+v.beginning.len()+len(v.synonyms) > 0
}

// eachSet calls visit with every stored set of the ways to hold a word in a field, or in FieldAny. Phrases and parts
// have none.
func (v *word) eachSet(x *indexes.Index, f indexes.Field, visit func(docset.Set)) {
	for _, t := range v.terms {
		visit(x.Terms.Set(t.term, f))
	}
	for i := range v.groups {
		visit(v.groups[i].sets.Set(v.groups[i].number, f))
	}
	v.beginning.eachSet(f, visit)
	for _, t := range v.synonyms {
		visit(x.Terms.Set(t.term, f))
	}
}

// The number of letters from which a word may be corrected at distance 1, to a part of a compound, and at distance 2. Like
// LongLetters they are numbers of the contract, for whoever has to search as it says.
const (
	MinCorrected     = 4
	MinPartCorrected = 5
	MinTwice         = 8
)

// tolerance is the edit distance within which a word may be corrected: none with a digit in it, and for short words.
func (v *word) tolerance() int {
	switch {
	case v.letters < MinCorrected || analysis.HasDigit(v.text):
		return 0
	case v.letters < MinTwice:
		return 1
	}
	return indexes.MaxEdits
}

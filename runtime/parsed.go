package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A parsedQuery is what a query's text means to an index: its key, its words, and for each word the ways in
// which a field can hold it. The reader makes it (reader.go). Afterwards only chooseParts, splitCompounds (match.go)
// and readMisspelt (compound.go) change it. It has no documents: those are in an arena.
type parsedQuery struct {
	key        string
	id         column.Doc // whose id the key is
	isID       bool       // there is such a document
	sequence   []string   // the words of the key in order
	places     []int      // for each of them, which of words it is, or notRequired
	words      []word     // each distinct word that is asked for, in order of first appearance
	parts      []word     // of those that are compounds, which the catalogue has not
	phrases    [][]indexes.Term
	levels     levelSet // of the ways to hold any of the words
	partLevels levelSet // of those to hold any of the parts

	functionWords bool // there are no others

	named          []value // values that the key names
	namedBySynonym []value // values whose own or display name is a curated synonym of the key
}

// notRequired is the place of a word that a product need not hold beside the others, such as a function word.
const notRequired = -1

// A word is one distinct word of the query. One without ways is in no document.
type word struct {
	text       string
	letters    int
	german     string // its stems
	english    string
	weightless bool // a part of a compound whose parts have no weights of their own
	ways
}

// ways are what a field has to hold one of.
type ways []way

// A way to hold a word is something that the index has, in one of four forms.
type way struct {
	kind   MatchKind
	form   form
	terms  *indexes.Terms // or Index.Prefixes, of which each entry is a beginning with its documents together
	groups *indexes.Groups
	sets   *indexes.FieldSets // of groups
	lo, hi int
	spelt  int // of a part that a word is corrected to: the form of it that is near, in Index.PartForms
}

// A form says what of the index a way is.
type form uint8

const (
	formGroup  form = iota // any of the terms of group lo, such as those of a stem: their documents are stored
	formPhrase             // phrase lo of parsedQuery.phrases: its terms next to each other, in order
	formTerms              // any of the terms from lo to hi-1
	formParts              // all words from lo to hi-1 of parsedQuery.parts, in one field
	formSpread             // the same in any fields
	formSplit              // the same, each by itself: the parts are words of the query, and this holds nothing
)

// termsWay returns a way of formTerms.
func termsWay(k MatchKind, of *indexes.Terms, lo, hi indexes.Term) way {
	return way{kind: k, form: formTerms, terms: of, lo: int(lo), hi: int(hi)}
}

// partsOf returns the words that a way of formParts, or of a form after it, needs all of.
func (q *parsedQuery) partsOf(w *way) []word { return q.parts[w.lo:w.hi] }

func (w ways) isKnown() bool { return len(w) > 0 }

// weighs reports whether the word has a weight.
func (v *word) weighs() bool { return v.isKnown() && !v.weightless }

// hasWholeWay reports whether there is a way that is not by parts.
func (w ways) hasWholeWay() bool {
	return slices.ContainsFunc(w, func(one way) bool { return one.form < formParts })
}

// hasDocs reports whether some document holds one of the ways. Of phrases that is not known: the words may
// never be neighbours.
func (w ways) hasDocs() bool {
	return slices.ContainsFunc(w, func(one way) bool { return one.form == formTerms || one.form == formGroup })
}

// eachSet calls visit with every stored set of the way in a field, or in FieldAny. Phrases and parts have
// none.
func (w *way) eachSet(f indexes.Field, visit func(docset.Set)) {
	switch w.form {
	case formTerms:
		w.terms.EachSet(indexes.Term(w.lo), indexes.Term(w.hi), f, visit) // most terms are in one field only
	case formGroup:
		visit(w.sets.Set(w.lo, f))
	}
}

// ShortLetters is the number of letters up to which a single word is short: fields after the names that hold it
// as a part or as a beginning come after those that hold it whole.
const ShortLetters = 4

// The number of letters from which a word may be corrected at distance 1, to a part of a compound, and at
// distance 2. Like LongLetters they are numbers of the contract, for whoever has to search as it says.
const (
	MinCorrected     = 4
	MinPartCorrected = 5
	MinTwice         = 8
)

// tolerance is the edit distance within which a word may be corrected: none with a digit in it, and for short
// words.
func (v *word) tolerance() int {
	switch {
	case v.letters < MinCorrected || analysis.HasDigit(v.text):
		return 0
	case v.letters < MinTwice:
		return 1
	}
	return indexes.MaxEdits
}

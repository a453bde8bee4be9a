package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A parsedQuery is the meaning of a query's text for an index: its key, its words, and the ways in which a
// field can match each word. The reader creates it (reader.go). Later only chooseParts, splitCompounds
// (match.go) and readMisspelt (compound.go) change it. It contains no documents; these are in an arena.
type parsedQuery struct {
	key        string
	isID       bool       // whether the key is the id of a product
	id         column.Doc // that product, if isID
	sequence   []string   // words of the key, in order
	places     []int      // index in words of each element of sequence, or notRequired
	words      []word     // distinct required words, in order of first appearance
	parts      []word     // parts of unknown compounds; stored after words in the same array, for splitCompounds
	phrases    [][]indexes.Term
	levels     levelSet // levels of all ways to match words
	partLevels levelSet // levels of all ways to match parts

	functionWords bool // the text consists only of function words

	named          []value // values that the key names
	namedBySynonym []value // values with a name that is a curated synonym of the key
}

// notRequired marks a word that a product need not contain in addition to other words, such as a function
// word.
const notRequired = -1

// A word is one distinct word of the query. If it has no ways, no document contains it.
type word struct {
	text       string
	letters    int    // number of characters
	german     string // stem of the word in German
	english    string // stem of the word in English
	weightless bool   // whether it is part of a compound whose parts have no weights
	ways
}

// ways are alternatives: a field matches a word if it matches one of them.
type ways []way

// A way is an entry of the index that matches a word.
type way struct {
	kind   MatchKind
	form   form               // what lo and hi mean
	terms  *indexes.Terms     // for formTerms: Index.Terms, or Index.Prefixes, whose terms are prefixes
	groups *indexes.Groups    // for formGroup
	sets   *indexes.FieldSets // for formGroup: the documents of each of groups
	lo, hi int
	spelt  int // index in Index.PartForms of the nearest form, for a corrected part
}

// A form is the kind of index entry of a way.
type form uint8

const (
	formGroup  form = iota // any term of group lo, for example the terms of a stem; the documents are stored
	formPhrase             // phrase lo of parsedQuery.phrases: its terms in order and adjacent
	formTerms              // any term from lo to hi-1
	formParts              // all words from lo to hi-1 of parsedQuery.parts, in one field
	formSpread             // like formParts, except that the parts may be in different fields
	formSplit              // the parts are words of the query; the way itself matches nothing
)

// termsWay returns a way of formTerms.
func termsWay(k MatchKind, of *indexes.Terms, lo, hi indexes.Term) way {
	return way{kind: k, form: formTerms, terms: of, lo: int(lo), hi: int(hi)}
}

// partsOf returns the words that a way of formParts or a later form requires.
func (q *parsedQuery) partsOf(w *way) []word { return q.parts[w.lo:w.hi] }

func (w ways) isKnown() bool { return len(w) > 0 }

// weighs reports whether the word has a weight.
func (v *word) weighs() bool { return v.isKnown() && !v.weightless }

// hasWholeWay reports whether there is a way without parts.
func (w ways) hasWholeWay() bool {
	return slices.ContainsFunc(w, func(one way) bool { return one.form < formParts })
}

// hasDocs reports whether a document is known to match one of the ways. For a phrase this is unknown, because
// its words may never be adjacent.
func (w ways) hasDocs() bool { return slices.ContainsFunc(w, way.hasSets) }

// hasSets reports whether the documents of the way are stored sets.
func (w way) hasSets() bool { return w.form == formTerms || w.form == formGroup }

// eachSet calls visit with every stored set of the way in a field, or in FieldAny. Phrases and parts have no
// stored sets.
func (w *way) eachSet(f indexes.Field, visit func(docset.Set)) {
	switch w.form {
	case formTerms:
		w.terms.EachSet(indexes.Term(w.lo), indexes.Term(w.hi), f, visit) // most terms are in only one field
	case formGroup:
		visit(w.sets.Set(w.lo, f))
	}
}

// ShortLetters is the maximum length of a short word. If a query is a single short word, a field other than a
// name ranks lower if it contains the word only as a part or a prefix.
const ShortLetters = 4

// The minimum number of letters in a word for corrections at distance 1, for corrections to a compound part,
// and for corrections at distance 2. Like LongLetters these numbers are part of the contract.
const (
	MinCorrected     = 4
	MinPartCorrected = 5
	MinTwice         = 8
)

// tolerance returns the maximum edit distance of corrections. It is 0 for short words and for words with a
// digit.
func (v *word) tolerance() int {
	switch {
	case v.letters < MinCorrected || analysis.HasDigit(v.text):
		return 0
	case v.letters < MinTwice:
		return 1
	}
	return indexes.MaxEdits
}

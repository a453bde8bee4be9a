package runtime

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// A text is what a query's text means to an index: its key, its words, and for each word the ways in which a field can
// hold it. Working it out looks words up and touches no document.
type text struct {
	key      string
	id       indexes.Doc // whose id the key is
	isID     bool        // there is such a document
	sequence []string    // the words of the key in order
	places   []int       // for each of them, which of words it is
	words    []word      // each distinct word once, in order of first appearance
	phrases  []phrase
	unions   []setsByField
	terms    []indexes.Term // of the phrases, one behind the other
	forms    []uint32       // terms of curated synonyms
	kinds    levelSet       // that any of the words has a source of
}

// minPart is the number of letters from which a word may be a part of a compound, and the query a part of a name.
const minPart = 3

// A word is one distinct word of the query.
type word struct {
	text    string
	letters int
	sources []source      // the ways to hold it, in no order
	reach   int           // scope.go
	found   indexes.Dense // documents that hold it, once they were asked for
	near    corrections   // fuzzy.go
}

// A source is one way to hold a word: any of some terms, any of a range of terms, or the words of a phrase. What does
// not apply is zero and holds nothing.
type source struct {
	kind    MatchKind
	terms   []uint32           // any of these terms
	lo, hi  indexes.Term       // any term from lo to hi-1
	short   bool               // prefix counts: a beginning for which the index keeps a set of its own
	prefix  indexes.Term       // in Index.Prefixes
	phrased bool               // phrase counts
	phrase  int                // in text.phrases
	united  *indexes.GroupSets // has the documents of the terms, which are those of a group; nil: they are no group
	group   int                // in united
	many    bool               // union counts, and stands for the terms
	union   int                // in text.unions
}

// manyTerms is the number of terms from which on their documents are united once for all the sets that ranking asks
// for: a beginning of four letters may have a hundred thousand words, all article numbers.
const manyTerms = 64

// setsByField are the documents of something by field, found when they are first asked for.
type setsByField struct {
	sets  [indexes.FieldAny + 1]indexes.Dense // nil when there is no document, or nobody asked
	asked [indexes.FieldAny + 1]bool
}

// A phrase is a row of terms, with the documents that hold it.
type phrase struct {
	setsByField
	terms []indexes.Term
}

// read works a text out. A text whose key is empty has no words.
func (w *work) read(normalized string) {
	t := &w.text
	t.key = analysis.FoldKey(normalized)
	t.sequence, t.places, t.words = t.sequence[:0], t.places[:0], t.words[:0]
	t.phrases, t.unions, t.terms, t.forms, t.kinds = t.phrases[:0], t.unions[:0], t.terms[:0], t.forms[:0], 0
	if t.key == "" {
		return
	}
	t.sequence = analysis.AppendWords(t.sequence, t.key)
	for _, s := range t.sequence {
		t.places = append(t.places, t.wordOf(s))
	}
	for i := range t.words {
		w.readWord(i)
	}
	t.id, t.isID = w.index.IDKeys.Find([]byte(t.key))
	w.readNeighbours()
	w.readBeginning()
	w.readSynonyms()
}

// wordOf returns which of the distinct words s is, a new one if need be.
func (t *text) wordOf(s string) int {
	for i := range t.words {
		if t.words[i].text == s {
			return i
		}
	}
	i := len(t.words)
	if i < cap(t.words) { // keep the list of sources of an earlier query
		t.words = t.words[:i+1]
	} else {
		t.words = append(t.words, word{})
	}
	t.words[i] = word{text: s, letters: utf8.RuneCountInString(s), sources: t.words[i].sources[:0], near: t.words[i].near.emptied()}
	return i
}

// add gives a word a source.
func (t *text) add(i int, s source) {
	if s.united == nil && len(s.terms)+int(s.hi-s.lo) >= manyTerms {
		s.many, s.union = true, len(t.unions)
		t.unions = append(t.unions, setsByField{})
	}
	t.words[i].sources = append(t.words[i].sources, s)
	t.kinds.add(s.kind)
}

// addPhrase gives words a source that is a phrase; of one term alone it is that term.
func (t *text) addPhrase(words []int, k MatchKind, terms ...indexes.Term) {
	s := source{kind: k}
	if len(terms) == 1 {
		s.lo, s.hi = terms[0], terms[0]+1
	} else {
		s.phrased, s.phrase = true, len(t.phrases)
		start := len(t.terms)
		t.terms = append(t.terms, terms...)
		t.phrases = append(t.phrases, phrase{terms: t.terms[start:len(t.terms):len(t.terms)]})
	}
	for _, i := range words {
		t.add(i, s)
	}
}

// readWord finds the sources of a word that need no other word of the query: itself, its stems, compounds that it is a
// part of, and two words that it is the joint form of.
func (w *work) readWord(i int) {
	t, x := &w.text, w.index
	s := t.words[i].text
	own, known := x.Terms.Find(s)
	if known {
		t.add(i, source{kind: MatchAsItIs, lo: own, hi: own + 1})
	}
	x.Terms.Beginnings(s, func(first indexes.Term, cut int) {
		swallows := analysis.Swallows(s[:cut])
		if second, ok := x.Terms.Find(s[cut:]); ok && (!swallows || s[cut] != 'e') {
			t.addPhrase([]int{i}, MatchApart, first, second)
		}
		if second, ok := x.Terms.FindJoined("e", s[cut:]); ok && swallows {
			t.addPhrase([]int{i}, MatchApart, first, second)
		}
	})

	if known {
		german, english := x.Stemmed.Of(own)
		for _, stem := range [...]int{german, english} {
			if len(x.Stems.Numbers(stem)) > 1 { // and not the word alone
				w.addStem(i, stem)
			}
		}
	} else {
		german, english := analysis.Stems(s)
		if n, ok := x.Stems.FindJoined(indexes.StemGerman, german); ok {
			w.addStem(i, n)
		}
		if n, ok := x.Stems.FindJoined(indexes.StemEnglish, english); ok {
			w.addStem(i, n)
		}
	}
	if t.words[i].letters >= minPart {
		if n, ok := x.Parts.Find(s); ok {
			w.addPart(i, MatchPart, n)
		}
	}
}

// addStem gives a word the terms of a stem as a source.
func (w *work) addStem(i, stem int) {
	w.text.add(i, source{kind: MatchStem, terms: w.index.Stems.Numbers(stem), united: &w.index.StemSets, group: stem})
}

// addPart gives a word the compounds of a part as a source.
func (w *work) addPart(i int, k MatchKind, part int) {
	w.text.add(i, source{kind: k, terms: w.index.Parts.Numbers(part), united: &w.index.PartSets, group: part})
}

// readNeighbours finds the words that two neighbouring words of the query make when they are joined. Such a word holds
// both.
func (w *work) readNeighbours() {
	t := &w.text
	for i := 1; i < len(t.sequence); i++ {
		first, second := t.sequence[i-1], t.sequence[i]
		if analysis.Swallows(first) {
			second = strings.TrimPrefix(second, "e")
		}
		if joint, ok := w.index.Terms.FindJoined(first, second); ok {
			s := source{kind: MatchJoined, lo: joint, hi: joint + 1}
			t.add(t.places[i-1], s)
			t.add(t.places[i], s)
		}
	}
}

// readBeginning finds the words that begin with the last word of the query. A word that stands before the last place
// too has to be found whole there, so its beginning adds nothing.
func (w *work) readBeginning() {
	t := &w.text
	last := len(t.sequence) - 1
	for _, i := range t.places[:last] {
		if i == t.places[last] {
			return
		}
	}
	s := source{kind: MatchBeginning}
	if prefix, ok := w.index.Prefixes.Find(t.sequence[last]); ok {
		s.short, s.prefix = true, prefix
	} else {
		s.lo, s.hi = w.index.Terms.Range(t.sequence[last])
		own, known := w.index.Terms.Find(t.sequence[last])
		if s.lo >= s.hi || known && s.lo == own && s.hi == own+1 {
			return
		}
	}
	t.add(t.places[last], s)
}

// letters is the number of letters of the key, blanks left out.
func (t *text) letters() int {
	return utf8.RuneCountInString(t.key) - strings.Count(t.key, " ")
}

// tolerance is the edit distance within which a word may be corrected: none with a digit in it, and for short words.
func (v *word) tolerance() int {
	switch {
	case v.letters < 4 || strings.ContainsFunc(v.text, unicode.IsDigit):
		return 0
	case v.letters < 8:
		return 1
	}
	return 2
}

package indexes

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// PhraseInto adds to dst the documents of a scope that contain the terms consecutively in one text of the
// field. It uses stored phrases and pairs if possible, and otherwise the forward index. For FieldCategory, it
// uses the texts of the vocabulary. For a single term, it adds the set of the term. It overwrites scratch.
func (x *Index) PhraseInto(dst, scratch docset.Dense, scope docset.Scope, f Field, terms []Term) {
	x.FirstPhrasesInto(dst, scratch, scope, f, terms, nil, math.MaxInt)
}

// FirstPhrasesInto is like PhraseInto, but may stop after it has found the first wanted documents in within,
// or in all documents if within is nil. It can add further documents, including documents outside of within.
// It reports whether it has added all documents.
func (x *Index) FirstPhrasesInto(dst, scratch docset.Dense, scope docset.Scope, f Field, terms []Term,
	within docset.Dense, wanted int) (all bool) {
	switch {
	case len(terms) == 0:
		return true
	case len(terms) == 1:
		scope.Or(dst, x.Terms.Set(terms[0], f))
		return true
	case f == FieldCategory:
		x.categoryPhraseInto(dst, scope, terms)
		return true
	}
	if set, ok := x.storedPhrase(f, terms); ok {
		scope.Or(dst, set)
		return true
	}
	return x.readPhraseInto(dst, scratch, scope, f, terms, within, wanted)
}

// touchedRecords is the number of records that are loaded into the processor's cache together before they are
// searched, so that the processor does not wait for one record after another.
const touchedRecords = 32

// readPhraseInto implements FirstPhrasesInto for at least two terms and a field that has streams.
func (x *Index) readPhraseInto(dst, scratch docset.Dense, scope docset.Scope, f Field, terms []Term,
	within docset.Dense, wanted int) (all bool) {
	// The documents that contain a phrase are in the set of every term and of every pair of neighbours. So
	// read only those records that are in the smallest set of a term and in the sets of all pairs.
	smallest := x.Terms.Set(terms[0], f)
	pairs := make([]docset.Set, 0, 8) // allocated on the stack
	for i, t := range terms {
		if set := x.Terms.Set(t, f); set.Len() < smallest.Len() {
			smallest = set
		}
		if i == 0 {
			continue
		}
		set, ok := x.Pairs.Set(terms[i-1], t, f)
		if ok && len(terms) == 2 {
			scope.Or(dst, set)
			return true
		}
		if ok {
			pairs = append(pairs, set)
			if set.Len() < smallest.Len() {
				smallest = set
			}
		}
	}
	if smallest.Len() == 0 {
		return true
	}
	if wanted == 0 {
		return false
	}
	scratch.Clear()
	scope.Or(scratch, smallest)
	for i := range pairs {
		scope.And(scratch, pairs[i])
	}
	if within != nil {
		scratch.And(within)
	}
	var buf [40]byte // allocated on the stack
	words := appendWords(buf[:0], terms)
	var batch [touchedRecords]column.Doc
	for i, ok := scratch.Next(0); ok; {
		if wanted <= 0 {
			return false
		}
		n := 0
		for ; ok && n < min(len(batch), wanted); i, ok = scratch.Next(i + 1) { // i is a position in the scope
			batch[n] = i
			prefetch(x.Forward.record(scope.At(i)))
			n++
		}
		for _, i := range batch[:n] {
			if x.Forward.holds(scope.At(i), f, words) {
				dst.Add(i)
				wanted--
			}
		}
	}
	return true
}

// storedPhrase returns the documents that contain a phrase in a field. ok is false if section KindPhrases
// does not contain the phrase.
func (x *Index) storedPhrase(f Field, terms []Term) (s docset.Set, ok bool) {
	if len(terms) < longPhrase {
		return docset.Set{}, false
	}
	var buf [64]byte // allocated on the stack
	text := buf[:0]
	for i, t := range terms {
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(text, x.Terms.Word(t)...)
	}
	phrase, ok := x.Phrases.Find(column.String(text))
	if !ok {
		return docset.Set{}, false
	}
	return x.Phrases.Set(phrase, f), true
}

// A categoryText is a text of FieldCategory as terms, with the facet value of its documents.
type categoryText struct {
	family Family
	value  int // index in the family's facet
	terms  []Term
}

// categoryTexts returns the texts of all values in the vocabulary that have documents. The number of texts
// depends on the vocabulary, not on the number of documents.
func (x *Index) categoryTexts() []categoryText {
	var texts []categoryText
	for _, v := range x.Meta.Vocabulary {
		for i := range v.Values {
			number, ok := x.Facets[v.Family].Find(v.Values[i].Value)
			if !ok || x.Facets[v.Family].Set(number).Len() == 0 {
				continue
			}
			for _, text := range valueTexts(&v.Values[i]) {
				if terms, ok := x.AppendTerms(nil, text); ok {
					texts = append(texts, categoryText{family: v.Family, value: number, terms: terms})
				}
			}
		}
	}
	return texts
}

// AppendTerms appends the words of a key as terms. ok is false if a word does not occur in the catalogue.
func (x *Index) AppendTerms(dst []Term, key string) (terms []Term, ok bool) {
	for word := range strings.SplitSeq(key, " ") {
		t, ok := x.Terms.Find(word)
		if !ok {
			return dst, false
		}
		dst = append(dst, t)
	}
	return dst, true
}

// valueTexts returns the FieldCategory texts of documents with a value, as keys: the value and its display
// names in all locales. It does not return synonyms, because queries are expanded by synonyms.
func valueTexts(v *Value) []string {
	texts := []string{analysis.Key(v.Value)}
	for _, name := range v.Names {
		texts = append(texts, analysis.Key(name))
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// categoryPhraseInto implements PhraseInto for FieldCategory.
func (x *Index) categoryPhraseInto(dst docset.Dense, scope docset.Scope, terms []Term) {
	for i := range x.categories {
		text := &x.categories[i]
		if holdsSequence(text.terms, terms) {
			scope.Or(dst, x.Facets[text.family].Set(text.value))
		}
	}
}

// holdsSequence reports whether the terms of sequence occur consecutively in text.
func holdsSequence(text, sequence []Term) bool {
	for ; len(text) >= len(sequence); text = text[1:] {
		if slices.Equal(text[:len(sequence)], sequence) {
			return true
		}
	}
	return false
}

// longPhrase is the minimum number of words of a phrase in section KindPhrases. Shorter phrases need no set
// there: a phrase of two words is a stored pair, or only a few documents must be read.
const longPhrase = 3

// A phraseBuilder finds the documents of the phrases in section KindPhrases. Without it, a query for
// Großraumbüro, a curated synonym of open plan office, would read a tenth of the catalogue.
type phraseBuilder struct {
	texts   []string    // in ascending order
	refs    []fieldRefs // sets by text
	byFirst [][]phrase  // phrases by first word, encoded as in a stream
}

// A phrase is one of the texts.
type phrase struct {
	words []byte // words of the text, encoded as in a stream
	index int    // index of the text
}

// newPhraseBuilder returns a builder for the phrases of a catalogue's vocabulary and synonyms, with those
// whose words are all in words, which must be in ascending order.
func newPhraseBuilder(meta *Meta, words []string) *phraseBuilder {
	var texts []string
	add := func(text string) {
		if strings.Count(text, " ")+1 >= longPhrase {
			texts = append(texts, text)
		}
	}
	for _, v := range meta.Vocabulary {
		for i := range v.Values {
			for _, text := range valueTexts(&v.Values[i]) {
				add(text)
			}
			for _, synonym := range v.Values[i].Synonyms {
				add(analysis.Key(synonym))
			}
		}
	}
	addForms := func(s *analysis.Synonym) {
		if strings.Count(s.Key, " ")+1 < longPhrase {
			return
		}
		start, _ := slices.BinarySearch(words, s.Last)
		for _, word := range words[start:] {
			if !strings.HasPrefix(word, s.Last) {
				break
			}
			if s.HasForm(word) {
				add(strings.TrimSuffix(s.Key, s.Last) + word)
			}
		}
	}
	analysis.ListedSynonyms().Each(addForms)
	analysis.NewSynonymTable(meta.Synonyms).Each(addForms)
	slices.Sort(texts)
	b := &phraseBuilder{byFirst: make([][]phrase, len(words)+1)}
	for _, text := range slices.Compact(texts) {
		if terms, ok := termsIn(words, text); ok {
			first := terms[0] + 1
			b.byFirst[first] = append(b.byFirst[first], phrase{appendWords(nil, terms), len(b.texts)})
			b.texts = append(b.texts, text)
		}
	}
	b.refs = make([]fieldRefs, len(b.texts))
	return b
}

// termsIn returns the words of a text as terms. ok is false if one of them is not in words.
func termsIn(words []string, text string) (terms []Term, ok bool) {
	for word := range strings.SplitSeq(text, " ") {
		t, ok := slices.BinarySearch(words, word)
		if !ok {
			return nil, false
		}
		terms = append(terms, Term(t))
	}
	return terms, true
}

// addStreams adds the sets for a field that has streams.
func (b *phraseBuilder) addStreams(f Field, forward *forwardBuilder, sets *docset.Builder) {
	docs := make([][]column.Doc, len(b.texts))
	forward.each(f, func(d column.Doc, stream []byte) {
		for len(stream) > 0 {
			word, n := binary.Uvarint(stream)
			for _, p := range b.byFirst[word] { // none at textEnd
				k := len(docs[p.index])
				if bytes.HasPrefix(stream, p.words) && (k == 0 || docs[p.index][k-1] != d) {
					docs[p.index] = append(docs[p.index], d)
				}
			}
			stream = stream[n:]
		}
	})
	for i := range docs {
		b.refs[i][f] = sets.Add(docs[i])
	}
}

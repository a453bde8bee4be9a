package indexes

import (
	"fmt"
	"unicode/utf8"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Section KindTerms is all words of the catalogue:
//
//	offset  size  field
//	     0     8  number of words n
//	     8  40*n  one row for each word: five references of sets, its documents by field in the order of the constants,
//	                and those of all fields together
//	                a sorted table of n texts, see sorted_texts.go: the words
//
// Section KindPrefixes has the same form for beginnings of words: those of one letter, of two and of three that more
// than 16 words have. The documents of a beginning are those of all its words together.
//
// Section KindPhrases has it for phrases, words with a blank between them, that a query may be widened by: the keys of
// values, display names and synonyms of the vocabulary and the curated synonyms, these with each inflected form of the
// last word, as far as they have three words or more and all are words of the catalogue. The documents of a phrase are
// those that hold it in one text; FieldCategory has none here.
const (
	termsHead = 8
	termRow   = int64(fieldSets) * 8
)

// Beginnings of words have a row in section KindPrefixes when they are no longer than maxPrefix letters and begin more
// than manyWords words. For other beginnings the sets of their words are few.
const (
	maxPrefix = 3
	manyWords = 16
)

// Term is the number of a word: its place among all words of the catalogue in ascending order of bytes.
type Term uint32

// Terms is a sorted table of words, each with one set of documents per field.
type Terms struct {
	sets  *docset.Sets
	refs  []docset.Ref // of a word fieldSets, one behind the other
	words sortedTexts
}

// openTerms reads section KindTerms, KindPrefixes or KindPhrases.
func openTerms(c *snapshot.Cursor, sets *docset.Sets) Terms {
	n := c.Uint64()
	if n > 1<<32 {
		c.Fail(0, fmt.Sprintf("words whose number fits into 32 bits, not %d of them", n))
	}
	t := Terms{sets: sets}
	t.refs = column.Read[docset.Ref](c, n*uint64(fieldSets))
	t.words = readSorted(c, n)
	return t
}

// putTerms writes section KindTerms, KindPrefixes or KindPhrases.
func putTerms(c *column.Writer, words []string, refs []fieldRefs) {
	column.Put(c, []uint64{uint64(len(words))})
	flat := make([]docset.Ref, 0, len(refs)*fieldSets)
	for i := range refs {
		flat = append(flat, refs[i][:]...)
	}
	column.Put(c, flat)
	putSorted(c, words)
}

// Len returns the number of words.
func (t *Terms) Len() int { return t.words.Len() }

// Word returns a word where it lies: it is valid while the file is open.
func (t *Terms) Word(i Term) string { return t.words.At(int(i)) }

// Find returns the number of a word.
func (t *Terms) Find(word string) (Term, bool) {
	i, ok := t.words.find(word)
	return Term(i), ok
}

// FindJoined returns the number of the word that two make when they are written as one.
func (t *Terms) FindJoined(first, second string) (Term, bool) {
	i, ok := t.words.findJoined(first, second)
	return Term(i), ok
}

// Beginnings calls visit with every word that begins the given one and is shorter, and its length in bytes, ascending.
func (t *Terms) Beginnings(word string, visit func(beginning Term, length int)) {
	t.words.beginnings(word, func(i, length int) { visit(Term(i), length) })
}

// Range returns the words that begin so, from lo to hi-1.
func (t *Terms) Range(prefix string) (lo, hi Term) {
	first, end := t.words.begin(prefix)
	return Term(first), Term(end)
}

// Set returns the documents that hold a word in a field, or in FieldAny.
func (t *Terms) Set(i Term, f Field) docset.Set {
	at := int(i)*fieldSets + int(f)
	if f > FieldAny || at >= len(t.refs) {
		return docset.Set{}
	}
	return t.sets.Set(t.refs[at])
}

// EachSet calls visit with the documents that hold a word in a field, or in FieldAny, for each word from lo to hi-1 that
// any does.
func (t *Terms) EachSet(lo, hi Term, f Field, visit func(docset.Set)) {
	end := min(int(hi)*fieldSets, len(t.refs))
	for at := int(lo)*fieldSets + int(f); at < end && f <= FieldAny; at += fieldSets {
		if ref := t.refs[at]; ref != 0 { // most words are in one field only
			visit(t.sets.Set(ref))
		}
	}
}

// check walks the words and holds their sets against the stored ones.
func (t *Terms) check(faults *faultList) {
	textsAt := termsHead + int64(t.Len())*termRow
	t.words.check(faults, textsAt)
	for i := range t.Len() {
		if word := t.words.At(i); word == "" || !utf8.ValidString(word) {
			faults.add(textsAt+4*int64(i), "a word of UTF-8")
		}
	}
	for i, ref := range t.refs {
		if !t.sets.Holds(ref) {
			faults.add(termsHead+8*int64(i), "a set")
		}
	}
	for i := range Term(t.Len()) {
		largest, sum := 0, 0
		for f := range NumFields {
			n := t.Set(i, f).Len()
			largest, sum = max(largest, n), sum+n
		}
		if n := t.Set(i, FieldAny).Len(); n < largest || n > sum {
			faults.add(termsHead+termRow*int64(i)+8*int64(FieldAny), "the documents of %q in any field", t.Word(i))
		}
	}
}

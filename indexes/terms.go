package indexes

import (
	"fmt"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Section KindTerms is all words of the catalogue:
//
//	offset  size  field
//	     0     8  number of words n
//	     8  48*n  one row for each word: six references of sets, its documents by field in the order of the constants,
//	                and those of all fields together
//	                a sorted table of n texts, see sorted_texts.go: the words
//
// Section KindPrefixes has the same form for beginnings of words: those of one letter, of two and of three
// that more than 16 words have. The documents of a beginning are those of all its words together.
//
// Section KindPhrases has it for phrases, words with a blank between them, that a query may be widened by:
// the keys of values, display names and synonyms of the vocabulary and the curated synonyms, these with each
// inflected form of the last word, as far as they have three words or more and all are words of the
// catalogue. The documents of a phrase are those that hold it in one text; FieldCategory has none here.

// Beginnings of words have a row in section KindPrefixes when they are no longer than maxPrefix letters and
// begin more than manyWords words. For other beginnings the sets of their words are few.
const (
	maxPrefix = 3
	manyWords = 16
)

// Term is the number of a word: its place among all words of the catalogue in ascending order of bytes.
type Term uint32

// Terms is a sorted table of words, each with one set of documents per field.
type Terms struct {
	documents         FieldSets
	sortedTexts[Term] // the words
}

// openTerms reads section KindTerms, KindPrefixes or KindPhrases.
func openTerms(c *snapshot.Cursor, sets *docset.Sets) Terms {
	n := c.Uint64()
	if n > 1<<32 {
		c.Fail(0, fmt.Sprintf("words whose number fits into 32 bits, not %d of them", n))
	}
	return Terms{readFieldSets(c, sets, n), readSorted[Term](c, n)}
}

// writeTerms writes section KindTerms, KindPrefixes or KindPhrases.
func writeTerms(w *snapshot.Writer, kind snapshot.Kind, words []string, refs []fieldRefs) error {
	c := column.Begin(w, kind)
	column.Put(c, []uint64{uint64(len(words))})
	putRefs(c, refs)
	putSorted(c, words)
	return c.Err()
}

// Word returns a word where it lies: it is valid while the file is open.
func (t *Terms) Word(i Term) string { return t.At(int(i)) }

// Set returns the documents that hold a word in a field, or in FieldAny.
func (t *Terms) Set(i Term, f Field) docset.Set { return t.documents.Set(int(i), f) }

// IsIn reports whether any document holds a word in a field, or in FieldAny.
func (t *Terms) IsIn(i Term, f Field) bool { return t.documents.ref(int(i), f) != 0 }

// EachSet calls visit with the documents that hold a word in a field, or in FieldAny, for each word from lo
// to hi-1 that any does.
func (t *Terms) EachSet(lo, hi Term, f Field, visit func(docset.Set)) {
	refs := t.documents.refs
	end := min(int(hi)*fieldSets, len(refs))
	for at := int(lo)*fieldSets + int(f); at < end && f <= FieldAny; at += fieldSets {
		if ref := refs[at]; ref != 0 { // most words are in one field only
			visit(t.documents.sets.Set(ref))
		}
	}
}

// Sections KindStemSets and KindPartSets are the documents of the keys of KindStems and of KindParts:
//
//	offset  size  field
//	     0  48*n  one row for each of the n keys: six references of sets, the documents that hold one of its terms, by
//	              field in the order of the constants, and those of all fields together
//
// A part of compounds that a catalogue is full of has dozens of terms, and each would be asked for in each
// field.

// fieldSets is how many sets a word has: one for each field, and one for FieldAny.
const fieldSets = int(NumFields) + 1

// fieldRefs are a row: the documents of a word, or of a group of words, by field; those of FieldAny, the last
// ones, are the others together.
type fieldRefs [fieldSets]docset.Ref

func putRefs(c *column.Writer, rows []fieldRefs) {
	for i := range rows {
		column.Put(c, rows[i][:])
	}
}

// FieldSets are the documents of words, or of groups of words, by field.
type FieldSets struct {
	sets *docset.Sets
	refs []docset.Ref // row by row
}

func readFieldSets(c *snapshot.Cursor, sets *docset.Sets, n uint64) FieldSets {
	return FieldSets{sets, column.Read[docset.Ref](c, n*uint64(fieldSets))}
}

// Set returns the documents of a row in a field, or in FieldAny.
func (s *FieldSets) Set(row int, f Field) docset.Set { return s.sets.Set(s.ref(row, f)) }

// ref returns the reference of a set, that of the empty one when there is none.
func (s *FieldSets) ref(row int, f Field) docset.Ref {
	at := row*fieldSets + int(f)
	if f > FieldAny || uint(at) >= uint(len(s.refs)) {
		return 0
	}
	return s.refs[at]
}

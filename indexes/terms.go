package indexes

import (
	"fmt"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Section KindTerms contains all words in the catalogue:
//
//	offset  size  field
//	     0     8  number of words n
//	     8  48*n  one row for each word: six references of sets. The first five are its documents by field, in the
//	                order of the constants; the sixth is their union
//	                a sorted table of n texts, the words; see sorted_texts.go
//
// Section KindPrefixes has the same format. It contains the prefixes of at most maxPrefix letters that more
// than manyWords words share. Other prefixes have few words, whose sets can be merged quickly. The documents
// of a prefix are the union of the documents of its words.
//
// Section KindPhrases has the same format. It contains phrases to which a query can be expanded, as words
// separated by blanks. They are the keys of the values, display names and synonyms in the vocabulary, and the
// curated synonyms with each inflected form of the last word. A phrase is stored only if it has at least
// three words and the catalogue contains all of them. The documents of a phrase contain the phrase in one
// text. FieldCategory has no documents in this section.
const (
	maxPrefix = 3
	manyWords = 16
)

// A Term is the number of a word: its index among all words in the catalogue in ascending byte order.
type Term uint32

// Terms is a sorted table of words with a set of documents for each word and each field.
type Terms struct {
	documents         FieldSets
	sortedTexts[Term] // the words
}

// openTerms reads section KindTerms, KindPrefixes or KindPhrases.
func openTerms(c *snapshot.Cursor, sets *docset.Sets) Terms {
	n := c.Uint64()
	if n > 1<<32 {
		c.Fail(0, fmt.Sprintf("at most 2^32 words, not %d", n))
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

// Word returns the word with the given number. The string is valid until the file is closed.
func (t *Terms) Word(i Term) string { return t.At(int(i)) }

// Set returns the documents that contain a word in field f. FieldAny means any field.
func (t *Terms) Set(i Term, f Field) docset.Set { return t.documents.Set(int(i), f) }

// IsIn reports whether any document contains a word in field f. FieldAny means any field.
func (t *Terms) IsIn(i Term, f Field) bool { return t.documents.ref(int(i), f) != 0 }

// EachSet calls visit for each word from lo to hi-1 that occurs in field f, with the documents that contain
// it there. FieldAny means any field.
func (t *Terms) EachSet(lo, hi Term, f Field, visit func(docset.Set)) {
	refs := t.documents.refs // not the method ref for each word, which takes 1.6 times as long
	end := min(int(hi)*fieldSets, len(refs))
	for at := int(lo)*fieldSets + int(f); at < end && f <= FieldAny; at += fieldSets {
		if ref := refs[at]; ref != 0 { // most words occur in only one field
			visit(t.documents.sets.Set(ref))
		}
	}
}

// Sections KindStemSets and KindPartSets contain the documents of the keys of KindStems and KindParts:
//
//	offset  size  field
//	     0  48*n  one row for each of the n keys: six references of sets. The first five are the documents that contain
//	              a term of the key, by field in the order of the constants; the sixth is their union
//
// Frequent compound parts have dozens of terms. Without these sections, a query would have to read one set
// for each term and field.

// fieldSets is the number of sets of a word: one for each field and one for FieldAny.
const fieldSets = int(NumFields) + 1

// fieldRefs is a row. It refers to the documents of a word, or of a group of words, by field. The last set is
// the set for FieldAny, the union of the other sets.
type fieldRefs [fieldSets]docset.Ref

func putRefs(c *column.Writer, rows []fieldRefs) {
	for i := range rows {
		column.Put(c, rows[i][:])
	}
}

// FieldSets contains the documents of words, or of groups of words, for each field.
type FieldSets struct {
	sets *docset.Sets
	refs []docset.Ref // rows, one after another
}

func readFieldSets(c *snapshot.Cursor, sets *docset.Sets, n uint64) FieldSets {
	return FieldSets{sets, column.Read[docset.Ref](c, n*uint64(fieldSets))}
}

// Set returns the documents of a row for field f, which may be FieldAny.
func (s *FieldSets) Set(row int, f Field) docset.Set { return s.sets.Set(s.ref(row, f)) }

// ref returns the reference of a set, or 0, the empty set, if there is no such row or field.
func (s *FieldSets) ref(row int, f Field) docset.Ref {
	if f > FieldAny {
		return 0
	}
	return column.At(s.refs, row*fieldSets+int(f))
}

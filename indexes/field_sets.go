package indexes

import (
	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Sections KindStemSets and KindPartSets are the documents of the keys of KindStems and of KindParts:
//
//	offset  size  field
//	     0  48*n  one row for each of the n keys: six references of sets, the documents that hold one of its terms, by
//	              field in the order of the constants, and those of all fields together
//
// A part of compounds that a catalogue is full of has dozens of terms, and each would be asked for in each field.

// fieldSets is how many sets a word has: one for each field, and one for FieldAny.
const fieldSets = int(NumFields) + 1

// fieldRefs are a row: the documents of a word, or of a group of words, by field; those of FieldAny, the last ones, are the
// others together.
type fieldRefs [fieldSets]docset.Ref

// putRefs writes rows.
func putRefs(c *column.Writer, rows []fieldRefs) {
	for i := range rows {
		column.Put(c, rows[i][:])
	}
}

// writeSets writes section KindStemSets or KindPartSets.
func (g *groupLists) writeSets(w *snapshot.Writer, kind snapshot.Kind) error {
	c := column.Begin(w, kind)
	putRefs(c, g.refs)
	return c.Err()
}

// FieldSets are the documents of words, or of groups of words, by field.
type FieldSets struct {
	sets *docset.Sets
	refs []docset.Ref // row by row
}

// readFieldSets reads n rows.
func readFieldSets(c *snapshot.Cursor, sets *docset.Sets, n uint64) FieldSets {
	return FieldSets{sets, column.Read[docset.Ref](c, n*uint64(fieldSets))}
}

// Set returns the documents of a row in a field, or in FieldAny.
func (s *FieldSets) Set(row int, f Field) docset.Set {
	at := row*fieldSets + int(f)
	if f > FieldAny || uint(at) >= uint(len(s.refs)) {
		return docset.Set{}
	}
	return s.sets.Set(s.refs[at])
}

package indexes

import (
	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Sections KindStemSets and KindPartSets are the documents of the keys of KindStems and of KindParts:
//
//	offset  size  field
//	     0  40*n  for each of the n keys five references of sets: the documents that hold one of its terms, by field in
//	              the order of the constants, and those of all fields together
//
// A part of compounds that a catalogue is full of has dozens of terms, and each would be asked for in each field.
const groupSetsRow = 8 * int64(fieldSets)

// GroupSets are the documents of groups of terms by field.
type GroupSets struct {
	sets *docset.Sets
	refs []docset.Ref // of a key fieldSets, one behind the other
}

// openGroupSets reads section KindStemSets or KindPartSets.
func openGroupSets(c *snapshot.Cursor, sets *docset.Sets, groups *Groups) GroupSets {
	return GroupSets{sets, column.Read[docset.Ref](c, uint64(groups.Len())*uint64(fieldSets))}
}

// Set returns the documents that hold one of a key's terms in a field, or in FieldAny; the key is told by its place
// among the groups.
func (g *GroupSets) Set(key int, f Field) docset.Set {
	at := key*fieldSets + int(f)
	if f > FieldAny || key < 0 || at >= len(g.refs) {
		return docset.Set{}
	}
	return g.sets.Set(g.refs[at])
}

// check holds each set against the terms of its key: it has as many documents as the largest of theirs at least, and at
// most as all of theirs.
func (g *GroupSets) check(faults *faultList, groups *Groups, terms *Terms) {
	for key := range groups.Len() {
		for f := range FieldAny + 1 {
			largest, sum := 0, 0
			for _, t := range groups.Numbers(key) {
				n := terms.Set(Term(t), f).Len()
				largest, sum = max(largest, n), sum+n
			}
			ref := g.refs[key*fieldSets+int(f)]
			if n := g.Set(key, f).Len(); !g.sets.Holds(ref) || n < largest || n > sum {
				faults.add(int64(key)*groupSetsRow+8*int64(f), "the documents of the terms of %q", groups.Key(key))
			}
		}
	}
}

// A groupUnion makes the sets of groups of terms, field by field.
type groupUnion struct {
	groups *groupBuilder // sorted; let go once they are written
	refs   []fieldRefs
}

func newGroupUnion(groups *groupBuilder) *groupUnion {
	groups.sort()
	u := &groupUnion{groups: groups}
	groups.each(func([]groupEntry) { u.refs = append(u.refs, fieldRefs{}) })
	return u
}

// add makes the sets of a field: the documents of a term are added by docsInto, and those of one alone have a set.
func (u *groupUnion) add(f Field, scratch docset.Dense, sets *docset.Builder, ofTerm func(Term) docset.Ref, docsInto func(docset.Dense, Term)) {
	key := 0
	u.groups.each(func(group []groupEntry) {
		var ref docset.Ref
		if len(group) == 1 {
			ref = ofTerm(Term(group[0].number))
		} else {
			scratch.Clear()
			for _, e := range group {
				docsInto(scratch, Term(e.number))
			}
			ref = sets.AddDense(scratch)
		}
		u.refs[key][f] = ref
		key++
	})
}

// write writes the sets as a section.
func (u *groupUnion) write(w *snapshot.Writer, kind snapshot.Kind) error {
	c := column.Begin(w, kind)
	for i := range u.refs {
		column.Put(c, u.refs[i][:])
	}
	return c.Err()
}

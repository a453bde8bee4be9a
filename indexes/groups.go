package indexes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Sections KindStems, KindParts, KindDictionary, KindNames, KindManufacturers and KindSlugKeys contain
// groups. A group is a key with a list of numbers.
//
//	offset   size  field
//	     0      8  number of keys n
//	     8      8  total number of numbers in all lists m
//	    16  4*n+4  starts: the start of each list in the numbers, and the end of the last list
//	        to  8  zero
//	          4*m  the numbers; each list is in ascending order without duplicates
//	        to  8  zero
//	               a sorted table of n texts, the keys; see sorted_texts.go
//
// The numbers are documents in KindNames and KindSlugKeys, values of FamilyManufacturer in KindManufacturers,
// and terms in KindStems and KindParts. A key of KindStems is a language, d or e, and a stem. A key of
// KindParts is a German stem or a key from analysis.NumberKeys. See dictionary.go for KindDictionary.

// Groups is a sorted table of keys, each with a list of numbers in ascending order.
type Groups struct {
	sortedTexts[int] // the keys; their indexes are of type int
	lists            column.Lists[uint32, uint32]
}

func openGroups(c *snapshot.Cursor) Groups {
	n, m := c.Uint64(), c.Uint64()
	if n > math.MaxUint32 || m > math.MaxUint32 {
		c.Fail(0, fmt.Sprintf("at most 2^32-1 keys and numbers, not %d and %d", n, m)) // later reads return nil
	}
	lists := column.ReadLists[uint32, uint32](c, n, m)
	return Groups{readSorted[int](c, n), lists}
}

// Key returns the key with index i. The string is valid until the file is closed.
func (g *Groups) Key(i int) string { return g.At(i) }

// Numbers returns the numbers of key i. The caller must not modify the slice, which is part of the file.
func (g *Groups) Numbers(i int) []uint32 { return g.lists.At(i) }

// NumbersOf returns the numbers of keys lo to hi-1, list after list. The caller must not modify the slice.
func (g *Groups) NumbersOf(lo, hi int) []uint32 { return g.lists.Range(lo, hi) }

// A groupBuilder collects keys and their numbers, in any order.
type groupBuilder struct {
	entries []groupEntry
}

type groupEntry struct {
	key    string
	number uint32
}

// add adds a number to a key. The builder retains the string.
func (b *groupBuilder) add(key string, number uint32) {
	b.entries = append(b.entries, groupEntry{key, number})
}

// groups returns the collected groups and empties the builder.
func (b *groupBuilder) groups() *groupLists {
	slices.SortFunc(b.entries, func(x, y groupEntry) int {
		return cmp.Or(strings.Compare(x.key, y.key), cmp.Compare(x.number, y.number))
	})
	b.entries = slices.Compact(b.entries)
	g := &groupLists{lists: column.Lists[uint64, uint32]{Values: make([]uint32, len(b.entries))}}
	for i, e := range b.entries {
		if i == 0 || b.entries[i-1].key != e.key {
			g.keys = append(g.keys, e.key)
			g.lists.Starts = append(g.lists.Starts, uint64(i))
		}
		g.lists.Values[i] = e.number
	}
	g.lists.Starts = append(g.lists.Starts, uint64(len(b.entries)))
	b.entries = nil
	return g
}

// groupLists are groups in the form that is written to the file.
type groupLists struct {
	keys  []string                     // keys in ascending order
	lists column.Lists[uint64, uint32] // the starts are written in 4 bytes
	refs  []fieldRefs                  // by key, the documents of its terms; nil in groups of documents
}

func (g *groupLists) write(w *snapshot.Writer, kind snapshot.Kind) error {
	c := column.Begin(w, kind)
	column.Put(c, []uint64{uint64(len(g.keys)), uint64(len(g.lists.Values))})
	column.PutLists(c, g.lists)
	putSorted(c, g.keys)
	return c.Err()
}

// writeSets writes section KindStemSets or KindPartSets.
func (g *groupLists) writeSets(w *snapshot.Writer, kind snapshot.Kind) error {
	c := column.Begin(w, kind)
	putRefs(c, g.refs)
	return c.Err()
}

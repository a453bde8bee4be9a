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

// Sections KindStems, KindParts, KindDictionary, KindNames, KindManufacturers and KindSlugKeys are groups:
// keys, each with a list of numbers.
//
//	offset   size  field
//	     0      8  number of keys n
//	     8      8  number of numbers in all lists m
//	    16  4*n+4  starts: where each list begins among the numbers, and where the last one ends
//	        to  8  zero
//	          4*m  the numbers, ascending within a list, each once
//	        to  8  zero
//	               a sorted table of n texts, see sorted_texts.go: the keys
//
// The numbers are documents in KindNames and KindSlugKeys, values of FamilyManufacturer in KindManufacturers,
// and terms in KindStems and KindParts. The keys of KindStems are the language of the stem, d or e, and the
// stem; those of KindParts are German stems, and those of analysis.NumberKeys. Those of KindDictionary, and
// its numbers, are told in dictionary.go.

// Groups is a sorted table of keys, each with a list of numbers in ascending order.
type Groups struct {
	sortedTexts[int] // the keys
	lists            column.Lists[uint32, uint32]
}

func openGroups(c *snapshot.Cursor) Groups {
	n, m := c.Uint64(), c.Uint64()
	if n > math.MaxUint32 || m > math.MaxUint32 {
		c.Fail(0, fmt.Sprintf("keys and numbers whose number fits into 32 bits, not %d and %d of them", n, m))
	}
	lists := column.ReadLists[uint32, uint32](c, n, m)
	return Groups{readSorted[int](c, n), lists}
}

// Key returns a key where it lies: it is valid while the file is open.
func (g *Groups) Key(i int) string { return g.At(i) }

// Numbers returns the numbers of a key where they lie: never write to them.
func (g *Groups) Numbers(i int) []uint32 { return g.lists.At(i) }

// NumbersOf returns the numbers of the keys from lo to hi-1 where they lie, one list behind the other.
func (g *Groups) NumbersOf(lo, hi int) []uint32 { return g.lists.Range(lo, hi) }

// A groupBuilder gathers keys with their numbers, in any order.
type groupBuilder struct {
	entries []groupEntry
}

type groupEntry struct {
	key    string
	number uint32
}

// add gives a key a number. It keeps the key.
func (b *groupBuilder) add(key string, number uint32) {
	b.entries = append(b.entries, groupEntry{key, number})
}

// groups returns the groups. The builder is empty then.
func (b *groupBuilder) groups() *groupLists {
	slices.SortFunc(b.entries, func(x, y groupEntry) int {
		if c := strings.Compare(x.key, y.key); c != 0 {
			return c
		}
		return cmp.Compare(x.number, y.number)
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

// groupLists are groups as they are written.
type groupLists struct {
	keys  []string // ascending
	lists column.Lists[uint64, uint32]
	refs  []fieldRefs // of groups of terms: the documents that hold one of them
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

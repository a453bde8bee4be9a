package indexes

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/zeebo/xxh3"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Sections KindIDs, KindSlugs and KindIDKeys are hash tables that map keys to documents:
//
//	offset  size  field
//	     0     8  number of slots m: twice the number of keys
//	     8   4*m  the slots: document plus one, or 0 if the slot is free; padded with zeros to a multiple of 8
//	                the keys, by document
//
// In KindIDs the keys are the UUIDs of the documents, 16 bytes each. In KindSlugs they are a table of texts,
// "" for a document without a slug. KindIDKeys does not store its keys. They are the analysis.Key of each
// UUID in KindIDs, formatted as a string.
//
// The slot of a key is the high 64 bits of m times its hash, which is xxh3-64 (seed 0). If that slot is in
// use, the next free slot is used, with wraparound. Documents are inserted in ascending order. In KindIDKeys,
// several documents can share a key, and the first one is found.

// Identifiers finds the document with an exact key: a UUID of 16 bytes, a slug, or the key of an id.
type Identifiers struct {
	slots hashSlots
	ids   []byte       // 16 bytes for each document; nil in a table of slugs
	slugs column.Texts // empty in a table of ids
	fold  bool         // whether the keys are analysis.Key of the ids
}

const idSize = 16

// readSlots reads the head and the slots of a table of at most docs documents.
func readSlots(c *snapshot.Cursor, docs int) hashSlots {
	n := c.Uint64()
	if n > 2*uint64(docs) {
		c.Fail(0, fmt.Sprintf("at most %d slots, not %d", 2*docs, n))
		return nil
	}
	return column.Read[uint32](c, n)
}

// Find returns the document with a key.
func (t *Identifiers) Find(key []byte) (column.Doc, bool) {
	if !t.possible(key) {
		return 0, false
	}
	d, ok := t.slots.find(key, func(d int) bool { return bytes.Equal(t.key(column.Doc(d)), key) })
	return column.Doc(d), ok
}

// ID returns the UUID of a document. It requires the table KindIDs.
func (t *Identifiers) ID(d column.Doc) (id [idSize]byte) {
	copy(id[:], t.key(d))
	return id
}

// possible reports whether a key has a form that can occur in the table. In KindIDKeys, it quickly rejects
// ordinary queries: computing the key of an id to compare it is slow.
func (t *Identifiers) possible(key []byte) bool {
	switch {
	case len(t.slots) == 0 || len(key) == 0:
		return false
	case t.fold:
		return len(key) <= UUIDLength && len(key) > UUIDLength/2 && !slices.ContainsFunc(key, notInKey)
	case t.ids != nil:
		return len(key) == idSize
	}
	return true
}

// UUIDLength is the length of a UUID as a string: 8-4-4-4-12 hex digits. Package uuid also parses other
// forms, which are not valid as ids here.
const UUIDLength = 36

// notInKey reports whether c is a byte that cannot occur in the key of an id.
func notInKey(c byte) bool { return c != ' ' && (c < '0' || c > '9') && (c < 'a' || c > 'f') }

// idKey returns the key of an id. It calls FoldKey, which is sufficient since an id has no numbers with units
// or separators.
func idKey(id [idSize]byte) string {
	return analysis.FoldKey(strings.ReplaceAll(uuid.UUID(id).String(), "-", " "))
}

// key returns the key of a document, or an empty key if the document has none. Only in KindIDKeys, it
// allocates.
func (t *Identifiers) key(d column.Doc) []byte {
	switch {
	case t.ids == nil:
		return column.StringBytes(t.slugs.At(int(d)))
	case int64(d) >= int64(len(t.ids)/idSize):
		return nil
	case t.fold:
		return []byte(idKey([idSize]byte(t.ids[int(d)*idSize:])))
	}
	return t.ids[int(d)*idSize:][:idSize]
}

// hashSlots are the slots of a hash table of documents or texts. A used slot contains a number plus one.
type hashSlots []uint32

// first returns the first slot to search for a key.
func (s hashSlots) first(key []byte) int {
	hi, _ := bits.Mul64(xxh3.Hash(key), uint64(len(s)))
	return int(hi)
}

// find returns the first number in the slots of a key for which has returns true.
func (s hashSlots) find(key []byte, has func(i int) bool) (int, bool) {
	slot := s.first(key)
	for range s {
		i, next := s.at(slot)
		if i < 0 || has(i) {
			return i, i >= 0
		}
		slot = next
	}
	return 0, false
}

// at returns the number in a slot, which is negative if the slot is free, and the next slot to search.
func (s hashSlots) at(slot int) (i, next int) {
	if next = slot + 1; next == len(s) {
		next = 0
	}
	return int(s[slot]) - 1, next
}

// newSlots returns the slots of a table with the given keys. Empty keys are skipped.
func newSlots(keys []string) hashSlots {
	n := 0 // number of keys that are not empty
	for _, key := range keys {
		n += min(len(key), 1)
	}
	s := make(hashSlots, 2*n)
	for i, key := range keys {
		if key == "" {
			continue
		}
		slot := s.first(column.StringBytes(key))
		for s[slot] != 0 {
			slot = (slot + 1) % len(s)
		}
		s[slot] = uint32(i) + 1
	}
	return s
}

// putSlots begins the section of a hash table and writes its slots. The caller writes the keys.
func putSlots(w *snapshot.Writer, kind snapshot.Kind, keys []string) *column.Writer {
	slots := newSlots(keys)
	c := column.Begin(w, kind)
	column.Put(c, []uint64{uint64(len(slots))})
	column.Put(c, slots)
	return c
}

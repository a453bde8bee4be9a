package indexes

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindOrders has two columns of 4-byte numbers for each order, in the order of the constants Order:
//
//	documents  the document at each place
//	places     the place of each document
//
// Each column is padded with zeros to a multiple of 8. In every order, documents with equal keys are in
// ascending order of their numbers. Documents without alpha_w come last in both orders by alpha_w. Documents
// without a length come last in the order by that length.

// A Sorted is a sort order of all documents.
type Sorted struct {
	docs   []column.Doc
	places []uint32
}

func openOrders(c *snapshot.Cursor, docs int) (orders [NumOrders]Sorted) {
	for i := range orders {
		orders[i].docs = column.Read[column.Doc](c, uint64(docs))
		orders[i].places = column.Read[uint32](c, uint64(docs))
	}
	return orders
}

// At returns the document at the given place in the order, from 0. It returns 0 if there is no such place.
func (o *Sorted) At(place int) column.Doc {
	if place < 0 || place >= len(o.docs) || int64(o.docs[place]) >= int64(len(o.docs)) {
		return 0
	}
	return o.docs[place]
}

// Docs returns all documents in order. The caller must not modify the slice, which is part of the file.
func (o *Sorted) Docs() []column.Doc { return o.docs }

// Place returns the place of a document in the order, from 0. It returns 0 if there is no such document.
func (o *Sorted) Place(d column.Doc) int {
	if int64(d) >= int64(len(o.places)) || int64(o.places[d]) >= int64(len(o.places)) {
		return 0
	}
	return int(o.places[d])
}

// putOrder writes the two columns of an order.
func putOrder(c *column.Writer, docs []column.Doc) {
	places := make([]uint32, len(docs))
	for place, d := range docs {
		places[d] = uint32(place)
	}
	column.Put(c, docs)
	column.Put(c, places)
}

// sortByKey returns the documents sorted by their keys. It is faster than sortedNumbers: most comparisons
// need only the first eight bytes, whose copies are close together in memory.
func sortByKey(keys []string) []column.Doc {
	type entry struct {
		prefix uint64
		doc    column.Doc
	}
	entries := make([]entry, len(keys))
	for i, key := range keys {
		var prefix [8]byte
		copy(prefix[:], key)
		entries[i] = entry{binary.BigEndian.Uint64(prefix[:]), column.Doc(i)}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return cmp.Or(strings.Compare(keys[a.doc], keys[b.doc]), cmp.Compare(a.doc, b.doc))
	})
	docs := make([]column.Doc, len(keys))
	for i, e := range entries {
		docs[i] = e.doc
	}
	return docs
}

// sortedNumbers returns the numbers from 0 to n-1, sorted by compare. Equal ones are in ascending order.
func sortedNumbers[N ~uint32](n int, compare func(a, b N) int) []N {
	numbers := make([]N, n)
	for i := range numbers {
		numbers[i] = N(i)
	}
	slices.SortFunc(numbers, func(a, b N) int { return cmp.Or(compare(a, b), cmp.Compare(a, b)) })
	return numbers
}

// idTexts returns the ids as strings, which are sort keys.
func idTexts(ids [][idSize]byte) []string {
	texts := make([]string, len(ids))
	for i := range ids {
		texts[i] = column.String(ids[i][:])
	}
	return texts
}

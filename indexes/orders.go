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

// At returns the document at the given place in the order.
func (o *Sorted) At(place int) column.Doc {
	if place < 0 || place >= len(o.docs) || int64(o.docs[place]) >= int64(len(o.docs)) {
		return 0
	}
	return o.docs[place]
}

// Docs returns all documents in order. The caller must not modify the slice, which is part of the file.
func (o *Sorted) Docs() []column.Doc { return o.docs }

// Place returns the place of a document in the order.
func (o *Sorted) Place(d column.Doc) int {
	if int64(d) >= int64(len(o.places)) || int64(o.places[d]) >= int64(len(o.places)) {
		return 0
	}
	return int(o.places[d])
}

// orderSize returns the size in bytes of an order of docs documents.
func orderSize(docs int) int64 { return 2 * column.Size[column.Doc](docs) }

func putOrder(c *column.Writer, docs []column.Doc) {
	places := make([]uint32, len(docs))
	for place, d := range docs {
		places[d] = uint32(place)
	}
	column.Put(c, docs)
	column.Put(c, places)
}

// sortByKey returns the documents sorted by their keys.
func sortByKey(keys []string) []column.Doc {
	// Most comparisons need only the first eight bytes. Copies of these are close together in memory.
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
	sorted := make([]column.Doc, len(keys))
	for i, e := range entries {
		sorted[i] = e.doc
	}
	return sorted
}

// sortByLength returns the documents sorted by length, in ascending order.
func sortByLength(lengths []float64) []column.Doc {
	sorted := make([]column.Doc, len(lengths))
	for i := range sorted {
		sorted[i] = column.Doc(i)
	}
	slices.SortFunc(sorted, func(a, b column.Doc) int {
		return cmp.Or(cmp.Compare(lengths[a], lengths[b]), cmp.Compare(a, b))
	})
	return sorted
}

// idTexts returns the ids as strings, which are sort keys.
func idTexts(ids [][idSize]byte) []string {
	texts := make([]string, len(ids))
	for i := range ids {
		texts[i] = column.String(ids[i][:])
	}
	return texts
}

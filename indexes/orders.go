package indexes

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindOrders has two columns of 4-byte numbers for each order, in the sequence of the constants Order:
//
//	documents  the document at each place
//	places     the place of each document
//
// each followed by zero up to a multiple of 8. Documents that an order does not tell apart stand in ascending order of
// their numbers, in every order; documents without alpha_w are the last of both orders by it.

// Sorted is one order of all documents.
type Sorted struct {
	docs   []column.Doc
	places []uint32
}

// openOrders reads section KindOrders.
func openOrders(c *snapshot.Cursor, docs int) (orders [NumOrders]Sorted) {
	for i := range orders {
		orders[i].docs = column.Read[column.Doc](c, uint64(docs))
		orders[i].places = column.Read[uint32](c, uint64(docs))
	}
	return orders
}

// At returns the document at a place.
func (o *Sorted) At(place int) column.Doc {
	if place < 0 || place >= len(o.docs) || int64(o.docs[place]) >= int64(len(o.docs)) {
		return 0
	}
	return o.docs[place]
}

// Place returns the place of a document.
func (o *Sorted) Place(d column.Doc) int {
	if int64(d) >= int64(len(o.places)) || int64(o.places[d]) >= int64(len(o.places)) {
		return 0
	}
	return int(o.places[d])
}

// orderSize returns the bytes that an order of a number of documents takes.
func orderSize(docs int) int64 { return 2 * column.Size[column.Doc](docs) }

// checkOrders walks every order.
func (x *Index) checkOrders(faults *faultList) {
	for i := range x.Orders {
		x.Orders[i].check(faults, Order(i))
	}
}

// check holds each place against its document.
func (o *Sorted) check(faults *faultList, order Order) {
	begin := int64(order) * orderSize(len(o.docs))
	for place, d := range o.docs {
		if int64(d) >= int64(len(o.places)) || o.places[d] != uint32(place) {
			faults.add(begin+int64(place)*column.DocSize, "a document whose place is %d in order %d", place, order)
		}
	}
}

// putOrder writes an order.
func putOrder(c *column.Writer, docs []column.Doc) {
	places := make([]uint32, len(docs))
	for place, d := range docs {
		places[d] = uint32(place)
	}
	column.Put(c, docs)
	column.Put(c, places)
}

// sortByKey returns the documents in ascending order of their keys.
func sortByKey(docs int, h *halt, key func(column.Doc) []byte) []column.Doc {
	// Most comparisons end in the first eight bytes, which lie together here, and not all over the keys.
	type entry struct {
		prefix uint64
		doc    column.Doc
	}
	entries := make([]entry, docs)
	for i := range entries {
		var prefix [8]byte
		copy(prefix[:], key(column.Doc(i)))
		entries[i] = entry{binary.BigEndian.Uint64(prefix[:]), column.Doc(i)}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		h.step()
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return cmp.Or(bytes.Compare(key(a.doc), key(b.doc)), cmp.Compare(a.doc, b.doc))
	})
	sorted := make([]column.Doc, docs)
	for i, e := range entries {
		sorted[i] = e.doc
	}
	return sorted
}

// A keyArena keeps many byte strings in few large pieces of memory.
type keyArena struct {
	pieces [][]byte
}

// A keyPlace is where a keyArena keeps a key.
type keyPlace struct{ piece, start, length uint32 }

const arenaPiece = 1 << 20

// add keeps a copy of a key.
func (a *keyArena) add(key []byte) keyPlace {
	n := len(a.pieces)
	if n == 0 || cap(a.pieces[n-1])-len(a.pieces[n-1]) < len(key) {
		a.pieces = append(a.pieces, make([]byte, 0, max(arenaPiece, len(key))))
		n++
	}
	piece := &a.pieces[n-1]
	place := keyPlace{uint32(n - 1), uint32(len(*piece)), uint32(len(key))}
	*piece = append(*piece, key...)
	return place
}

// at returns a key that was added.
func (a *keyArena) at(p keyPlace) []byte { return a.pieces[p.piece][p.start:][:p.length] }

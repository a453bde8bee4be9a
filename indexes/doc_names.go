package indexes

import (
	"fmt"
	"math"
	"slices"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindDocNames is the names of every document:
//
//	offset   size  field
//	     0      8  number of names of all documents together m
//	     8  4*n+4  starts: where the names of each of the n documents begin, and where those of the last one end
//	        to  8  zero
//	          4*m  the names by their numbers in KindNameTrigrams, ascending within a document: its labels, its commercial
//	                 name, and the names of its manufacturer
//	        to  8  zero
const docNamesHead = 8

// DocNames are the names of documents.
type DocNames struct{ lists column.Lists[uint32, uint32] }

// openDocNames reads section KindDocNames.
func openDocNames(c *snapshot.Cursor, docs int) DocNames {
	m := c.Uint64()
	if m > math.MaxUint32 {
		c.Fail(0, fmt.Sprintf("names whose number fits into 32 bits, not %d of them", m))
	}
	return DocNames{column.ReadLists[uint32, uint32](c, uint64(docs), m)}
}

// Of returns the names of a document, as NameTrigrams numbers them, where they lie: never write to them.
func (n *DocNames) Of(d column.Doc) []uint32 { return n.lists.At(int(d)) }

// checkDocNames holds the names of every document against the documents of every name.
func (x *Index) checkDocNames(faults *faultList) {
	n, manufacturers := &x.DocNames, &x.Facets[FamilyManufacturer]
	held := 0
	for i := range x.Names.Len() {
		held += len(x.Names.Numbers(i))
	}
	for i := range x.Manufacturers.Len() {
		for _, m := range x.Manufacturers.Numbers(i) {
			held += manufacturers.Set(int(m)).Len()
		}
	}
	if !n.lists.Whole() || len(n.lists.Values) != held {
		faults.add(docNamesHead, "lists one behind the other, all of %d names among them", held)
		return
	}
	namesAt := docNamesHead + column.Size[uint32](len(n.lists.Starts))
	var own []uint32 // manufacturers of a document
	for d := range column.Doc(x.Docs) {
		own = manufacturers.Of(own[:0], d)
		for k, name := range n.Of(d) {
			of, numbers := &x.Names, []uint32{uint32(d)}
			place := x.Trigrams.Place(int(name))
			if labels := x.Names.Len(); place >= labels {
				of, numbers, place = &x.Manufacturers, own, place-labels
			}
			held := func(number uint32) bool { _, ok := slices.BinarySearch(of.Numbers(place), number); return ok }
			if !slices.ContainsFunc(numbers, held) || k > 0 && n.Of(d)[k-1] >= name {
				faults.add(namesAt+4*(int64(n.lists.Starts[d])+int64(k)), "the names of document %d, ascending, not %d", d, name)
			}
		}
	}
}

// writeDocNames writes section KindDocNames. A name stands at places[number] among labels and, counted on, manufacturers,
// whose numbers are lists of documents in ofManufacturers.
func writeDocNames(w *snapshot.Writer, docs int, places []uint32, labels, manufacturers *groupLists, ofManufacturers column.Lists[uint64, column.Doc]) error {
	names := column.Collect(docs, func(visit func(doc int, name uint32)) {
		for name, place := range places {
			if n := len(labels.keys); int(place) < n {
				for _, d := range labels.lists.At(int(place)) {
					visit(int(d), uint32(name))
				}
			} else {
				for _, m := range manufacturers.lists.At(int(place) - n) {
					for _, d := range ofManufacturers.At(int(m)) {
						visit(int(d), uint32(name))
					}
				}
			}
		}
	})
	c := column.Begin(w, KindDocNames)
	column.Put(c, []uint64{uint64(len(names.Values))})
	column.PutLists(c, names)
	return c.Err()
}

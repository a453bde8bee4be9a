package indexes

import (
	"fmt"
	"math"

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

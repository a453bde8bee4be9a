package indexes

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Section KindNameTrigrams is the names, which are the keys of KindNames and of KindManufacturers, by their
// trigrams. It numbers them by how many distinct trigrams they have, equals in the order of those sections,
// KindNames first: then how many trigrams a name has to share with a query, to be similar to it, is one
// number for a long stretch of names.
//
//	offset   size  field
//	     0      8  number of names n
//	     8      8  number of trigrams t
//	    16    4*n  places: where each name stands among the keys of KindNames and, counted on, those of KindManufacturers
//	        to  8  zero
//	          2*n  sizes: the number of distinct trigrams of each name; 65,535 stands for that many or more
//	        to  8  zero
//	          8*t  the trigrams, ascending: three letters of 21 bits each, the first one in the highest
//	          8*t  ends: where each trigram's bitmap ends among the bitmaps. It begins where the one before ends, or at
//	                 the next multiple of 8
//	               the bitmaps, each a docset.Bitmap: the numbers of the names that have the trigram
//	        to  8  zero

// NameTrigrams finds names by trigram. A name is a label, a commercial name or a manufacturer's, by its
// number in the section.
type NameTrigrams struct {
	places   []uint32
	sizes    []uint16
	trigrams []analysis.Trigram
	ends     []uint64
	bitmaps  []byte
}

func openNameTrigrams(c *snapshot.Cursor) NameTrigrams {
	n, m := c.Uint64(), c.Uint64()
	var t NameTrigrams
	t.places = column.Read[uint32](c, n)
	t.sizes = column.Read[uint16](c, n)
	t.trigrams = column.Read[analysis.Trigram](c, m)
	t.ends = column.Read[uint64](c, m)
	if len(t.ends) > 0 {
		t.bitmaps = column.Read[byte](c, t.ends[len(t.ends)-1])
	}
	return t
}

// Len returns the number of names.
func (t *NameTrigrams) Len() int { return len(t.sizes) }

// Place returns where a name stands among the keys of Index.Names and, counted on, those of
// Index.Manufacturers.
func (t *NameTrigrams) Place(name int) int {
	if name >= len(t.places) {
		return math.MaxUint32 // a damaged file: no key stands there
	}
	return int(t.places[name])
}

// Size returns how many distinct trigrams a name has. It ascends with the names.
func (t *NameTrigrams) Size(name int) int {
	if name >= len(t.sizes) {
		return 0
	}
	return int(t.sizes[name])
}

// Sized returns the names that have from least to most distinct trigrams, from lo to hi-1.
func (t *NameTrigrams) Sized(least, most int) (lo, hi int) {
	lo = sort.Search(len(t.sizes), func(i int) bool { return int(t.sizes[i]) >= least })
	hi = lo + sort.Search(len(t.sizes)-lo, func(i int) bool { return int(t.sizes[lo+i]) > most })
	return lo, hi
}

// Bitmaps appends the names that have each of some trigrams, of those that any name has.
func (t *NameTrigrams) Bitmaps(dst []docset.Bitmap, trigrams []analysis.Trigram) []docset.Bitmap {
	for _, trigram := range trigrams {
		if bitmap := t.find(trigram); bitmap != nil {
			dst = append(dst, bitmap)
		}
	}
	return dst
}

// find returns the bitmap of a trigram; none has no bytes.
func (t *NameTrigrams) find(trigram analysis.Trigram) docset.Bitmap {
	i, ok := slices.BinarySearch(t.trigrams, trigram)
	if !ok {
		return nil
	}
	return t.bitmap(i)
}

// bitmap returns the bitmap of the trigram at a place. The bitmaps are no column.Lists: those lie close
// together, and a bitmap begins at a multiple of 8, so that its words can be read where they lie.
func (t *NameTrigrams) bitmap(i int) docset.Bitmap {
	start := uint64(0)
	if i > 0 {
		start = column.AlignUp(t.ends[i-1], column.Align)
	}
	return column.Between(t.bitmaps, start, t.ends[i])
}

// RarestInto unites dst, a set of names, with those that have the rarest of some trigrams: with none when one
// of them has no name.
func (t *NameTrigrams) RarestInto(dst docset.Dense, trigrams []analysis.Trigram) {
	var rarest docset.Bitmap
	for i, trigram := range trigrams {
		bitmap := t.find(trigram)
		if bitmap == nil {
			return
		}
		if i == 0 || len(bitmap) < len(rarest) {
			rarest = bitmap
		}
	}
	rarest.OrInto(dst)
}

// writeNameTrigrams writes section KindNameTrigrams for names in the order of their places, and returns these
// by number.
func writeNameTrigrams(w *snapshot.Writer, names []string) (places []uint32, err error) {
	// Trigrams are worked out twice, for the sizes and then for the numbers: kept, they would be several times
	// the section.
	places = make([]uint32, len(names))
	sizes := make([]uint16, len(names)) // by place, and sorted then
	var own []analysis.Trigram          // of a name
	for i, name := range names {
		places[i] = uint32(i)
		own = analysis.Trigrams(own[:0], name)
		sizes[i] = uint16(min(len(own), math.MaxUint16))
	}
	slices.SortStableFunc(places, func(a, b uint32) int { return cmp.Compare(sizes[a], sizes[b]) })
	slices.Sort(sizes)

	numbers := map[analysis.Trigram][]column.Doc{}
	for number, place := range places {
		if err := column.Ended(w); err != nil {
			return nil, err
		}
		own = analysis.Trigrams(own[:0], names[place])
		for _, t := range own {
			numbers[t] = append(numbers[t], column.Doc(number))
		}
	}
	trigrams := slices.Sorted(maps.Keys(numbers))
	bitmaps, ends := make([]docset.Bitmap, len(trigrams)), make([]uint64, len(trigrams))
	size := uint64(0)
	for i, t := range trigrams {
		bitmaps[i] = docset.NewBitmap(numbers[t])
		delete(numbers, t)
		size = column.AlignUp(size, column.Align) + uint64(len(bitmaps[i]))
		ends[i] = size
	}
	c := column.Begin(w, KindNameTrigrams)
	column.Put(c, []uint64{uint64(len(names)), uint64(len(trigrams))})
	column.Put(c, places)
	column.Put(c, sizes)
	column.Put(c, trigrams)
	column.Put(c, ends)
	for i := range bitmaps {
		column.Put(c, bitmaps[i])
	}
	return places, c.Err()
}

// Section KindDocNames is the names of every document:
//
//	offset   size  field
//	     0      8  number of names of all documents together m
//	     8  4*n+4  starts: where the names of each of the n documents begin, and where those of the last one end
//	        to  8  zero
//	          4*m  the names by their numbers in KindNameTrigrams, ascending within a document: its labels, its
//	                 commercial name, and the names of its manufacturer
//	        to  8  zero

// DocNames are the names of documents.
type DocNames struct{ lists column.Lists[uint32, uint32] }

func openDocNames(c *snapshot.Cursor, docs int) DocNames {
	m := c.Uint64()
	if m > math.MaxUint32 {
		c.Fail(0, fmt.Sprintf("names whose number fits into 32 bits, not %d of them", m))
	}
	return DocNames{column.ReadLists[uint32, uint32](c, uint64(docs), m)}
}

// Of returns the names of a document, as NameTrigrams numbers them, where they lie: never write to them.
func (n *DocNames) Of(d column.Doc) []uint32 { return n.lists.At(int(d)) }

// writeDocNames writes section KindDocNames. A name stands at places[number] among labels and, counted on,
// manufacturers, whose numbers are lists of documents in ofManufacturers.
func writeDocNames(w *snapshot.Writer, docs int, places []uint32, labels, manufacturers *groupLists,
	ofManufacturers column.Lists[uint64, column.Doc]) error {
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

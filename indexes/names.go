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

// Section KindNameTrigrams contains the names, which are the keys of KindNames and KindManufacturers, by
// trigram. Names are numbered in the order of their number of distinct trigrams. Those with equally many are
// in the order of their sections, KindNames first. So long ranges of names have the same size, and a query
// must share the same number of trigrams with each name in such a range.
//
//	offset   size  field
//	     0      8  number of names n
//	     8      8  number of trigrams t
//	    16    4*n  places: the index of each name among the keys of KindNames and then of KindManufacturers
//	        to  8  zero
//	          2*n  sizes: the number of distinct trigrams of each name; 65,535 means that number or more
//	        to  8  zero
//	          8*t  the trigrams, ascending: three letters of 21 bits each, the first one in the highest bits
//	          8*t  ends: the end of each trigram's bitmap among the bitmaps. A bitmap begins at the end of the previous
//	                 bitmap, or at the next multiple of 8
//	               the bitmaps, each a docset.Bitmap: the numbers of the names that contain the trigram
//	        to  8  zero

// NameTrigrams finds names by trigram. A name is a label, a commercial name or a manufacturer's name. It is
// identified by its number in the section.
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

// Place returns the index of a name among the keys of Index.Names and then of Index.Manufacturers.
func (t *NameTrigrams) Place(name int) int {
	if name >= len(t.places) {
		return math.MaxUint32 // the file is damaged; no key has this index
	}
	return int(t.places[name])
}

// Size returns the number of distinct trigrams of a name. Sizes are in ascending order of name numbers.
func (t *NameTrigrams) Size(name int) int { return int(column.At(t.sizes, name)) }

// Sized returns the range of names, lo to hi-1, whose number of distinct trigrams is between least and most.
func (t *NameTrigrams) Sized(least, most int) (lo, hi int) {
	lo = sort.Search(len(t.sizes), func(i int) bool { return int(t.sizes[i]) >= least })
	hi = lo + sort.Search(len(t.sizes)-lo, func(i int) bool { return int(t.sizes[lo+i]) > most })
	return lo, hi
}

// Bitmaps appends to dst the bitmap of each of the trigrams that occurs in a name.
func (t *NameTrigrams) Bitmaps(dst []docset.Bitmap, trigrams []analysis.Trigram) []docset.Bitmap {
	for _, trigram := range trigrams {
		if bitmap := t.find(trigram); bitmap != nil {
			dst = append(dst, bitmap)
		}
	}
	return dst
}

// find returns the bitmap of a trigram, or nil if no name contains the trigram. The bitmaps are not stored in
// column.Lists, in which there are no gaps: a bitmap begins at a multiple of 8, so that it can be read in
// place.
func (t *NameTrigrams) find(trigram analysis.Trigram) docset.Bitmap {
	i, ok := slices.BinarySearch(t.trigrams, trigram)
	if !ok {
		return nil
	}
	start := uint64(0)
	if i > 0 {
		start = column.AlignUp(t.ends[i-1], column.Align)
	}
	return column.Between(t.bitmaps, start, t.ends[i])
}

// RarestInto adds to dst the names that contain the rarest trigram. It adds none if a trigram has no names.
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

// writeNameTrigrams writes section KindNameTrigrams. names must be in the order described for places. The
// returned slice maps the number of each name to its place.
func writeNameTrigrams(w *snapshot.Writer, names []string) (places []uint32, err error) {
	// Compute the trigrams twice, first for the sizes and then for the numbers. Storing them would need
	// several times the memory of the section.
	sizes := make([]uint16, len(names)) // sizes by place; sorted later
	var own []analysis.Trigram          // trigrams of one name
	for i, name := range names {
		own = analysis.Trigrams(own[:0], name)
		sizes[i] = uint16(min(len(own), math.MaxUint16))
	}
	places = sortedNumbers(len(names), func(a, b uint32) int { return cmp.Compare(sizes[a], sizes[b]) })
	slices.Sort(sizes)

	numbers := map[analysis.Trigram][]column.Doc{} // as documents, since package docset stores them
	for number, place := range places {
		if err := column.ContextErr(w); err != nil {
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

// Section KindDocNames contains the names of every document:
//
//	offset   size  field
//	     0      8  number of names m of all documents together
//	     8  4*n+4  starts: where the names of each of the n documents begin, and the end of the last list
//	        to  8  zero
//	          4*m  the numbers of the names in KindNameTrigrams, ascending within a document: its labels, its
//	                 commercial name, and the names of its manufacturer
//	        to  8  zero

// DocNames contains the names of each document.
type DocNames struct{ lists column.Lists[uint32, uint32] }

func openDocNames(c *snapshot.Cursor, docs int) DocNames {
	m := c.Uint64()
	if m > math.MaxUint32 {
		c.Fail(0, fmt.Sprintf("at most 2^32-1 names, not %d", m))
	}
	return DocNames{column.ReadLists[uint32, uint32](c, uint64(docs), m)}
}

// Of returns the names of a document as numbers in NameTrigrams. The caller must not modify the slice, which
// is part of the file.
func (n *DocNames) Of(d column.Doc) []uint32 { return n.lists.At(int(d)) }

// writeDocNames writes section KindDocNames. places contains, for each name, its index in labels and then in
// manufacturers. The numbers in manufacturers are indexes of lists of documents in ofManufacturers.
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

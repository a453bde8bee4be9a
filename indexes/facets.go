package indexes

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Section KindFacets has these fields:
//
//	offset  size  field
//	     0     8  number of families, 7
//	     8   112  one row of 16 bytes for each family, in the order of the constants Family
//	   120        the families, in the same order
//
// A row has these fields:
//
//	offset  size  field
//	     0     4  number of distinct values n
//	     4     4  number of distinct lists l of a document's values; 0 except for installations
//	     8     4  total number of values in these lists
//	    12     4  zero
//
// A family consists of columns, each padded with zeros to a multiple of 8:
//
//	sets       n references of sets, 8 bytes each; for fire classes, the set of that class or safer
//	texts      a table of n texts, the values in ascending byte order; for manufacturers 3*n: slug, id and name each
//	numbers    one for each document, 1, 2 or 4 bytes wide: the index of its value plus one or, for installations, the
//	           index of its list plus one; 0 if it has no value
//	starts     l+1 numbers of 4 bytes: the start of each list in the next column; installations only
//	lists      the numbers of the values of each list, ascending, 4 bytes each; installations only
//	by id      the numbers of the values in ascending order of the lower-case id, 4 bytes each; manufacturers only
//
// The width of numbers is the smallest that can hold n, or l for installations. All seven fire classes are
// listed, even those without products, since filters may contain any of them. EPD and purchasable have the
// value "true". Categories, characters and installations have the values in the vocabulary and in products.
//
// Products have few different combinations of installations. So each distinct list is stored once, and
// documents store the number of their list.
const (
	facetRow          = 16
	manufacturerTexts = 3
)

// Yes is the only value of the families EPD and purchasable.
const Yes = "true"

// A Facet contains the values of a family, in ascending byte order (fire classes: A1 to F), and their sets.
type Facet struct {
	sets    *docset.Sets
	docs    int                           // number of documents in the catalogue
	refs    []docset.Ref                  // sets by value
	texts   column.Texts                  // for each value, one text or manufacturerTexts
	each    int                           // number of texts stored for each value
	numbers column.Narrow                 // by document: the index of its value or list plus one
	lists   *column.Lists[uint32, uint32] // nil except for installations
	byID    []uint32                      // value numbers ordered by id; nil except for manufacturers
}

func openFacets(c *snapshot.Cursor, sets *docset.Sets, docs int) (facets [NumFamilies]Facet) {
	if n := c.Uint64(); n != uint64(NumFamilies) {
		c.Fail(0, fmt.Sprintf("%d facet families, not %d", NumFamilies, n))
	}
	var rows [NumFamilies]struct{ values, lists, listed uint32 }
	for i := range rows {
		rows[i].values, rows[i].lists, rows[i].listed = c.Uint32(), c.Uint32(), c.Uint32()
		if c.Uint32() != 0 {
			c.Fail(c.Offset()-4, "zero")
		}
	}
	for i, row := range rows {
		f := Facet{sets: sets, docs: docs, each: 1}
		family, limit := Family(i), row.values
		if family == FamilyManufacturer {
			f.each = manufacturerTexts
		}
		if family == FamilyInstallation {
			limit = row.lists
		} else if row.lists != 0 || row.listed != 0 {
			c.Fail(8+i*facetRow+4, "no lists, because only installations have lists")
		}
		f.refs = column.Read[docset.Ref](c, uint64(row.values))
		f.texts = column.ReadTexts(c, uint64(row.values)*uint64(f.each))
		f.numbers = column.ReadNarrow(c, docs, limit)
		if family == FamilyInstallation {
			lists := column.ReadLists[uint32, uint32](c, uint64(row.lists), uint64(row.listed))
			f.lists = &lists
		}
		if family == FamilyManufacturer {
			f.byID = column.Read[uint32](c, uint64(row.values))
		}
		facets[i] = f
	}
	return facets
}

// Len returns the number of values.
func (f *Facet) Len() int { return len(f.refs) }

// Value returns the value with index i. The string is valid until the file is closed.
func (f *Facet) Value(i int) string { return f.text(i, 0) }

// Manufacturer returns the manufacturer with index i. Only FamilyManufacturer supports it; its values are the
// slugs. The strings are valid until the file is closed.
func (f *Facet) Manufacturer(i int) Manufacturer {
	if f.each != manufacturerTexts {
		return Manufacturer{}
	}
	return Manufacturer{Slug: f.text(i, 0), ID: f.text(i, 1), Name: f.text(i, 2)}
}

// text returns one of the f.each texts of the value with index i.
func (f *Facet) text(i, which int) string { return f.texts.At(i*f.each + which) }

// Find returns the index of a value.
func (f *Facet) Find(value string) (int, bool) {
	return sort.Find(len(f.refs), func(i int) int { return strings.Compare(value, f.Value(i)) })
}

// FindManufacturerID returns the index of the manufacturer with the given UUID. It ignores case.
func (f *Facet) FindManufacturerID(id string) (int, bool) {
	id = strings.ToLower(id)
	i, found := slices.BinarySearchFunc(f.byID, id, func(number uint32, id string) int {
		return strings.Compare(strings.ToLower(f.text(int(number), 1)), id)
	})
	if !found || int64(f.byID[i]) >= int64(len(f.refs)) {
		return 0, false
	}
	return int(f.byID[i]), true
}

// Set returns the documents with a value. For FamilyFireClass, it includes documents in safer classes.
func (f *Facet) Set(i int) docset.Set { return f.sets.Set(column.At(f.refs, i)) }

// IsPartition reports whether every document has exactly one value. It does not support FamilyFireClass,
// whose sets overlap.
func (f *Facet) IsPartition() bool {
	n := 0
	for i := range f.Len() {
		n += f.Set(i).Len()
	}
	return f.lists == nil && n == f.docs
}

// Of appends the indexes of a document's values to dst in ascending order. Only installations can have
// several. In a damaged file, they can be out of range; Value and Set verify them. For FamilyFireClass, it is
// the document's own class.
func (f *Facet) Of(dst []uint32, d column.Doc) []uint32 {
	number := f.numbers.At(d)
	switch {
	case number == 0 || f.lists == nil && int64(number) > int64(f.Len()):
		return dst
	case f.lists == nil:
		return append(dst, number-1)
	}
	return append(dst, f.lists.At(int(number)-1)...)
}

// Count adds to counts the number of docs with each value, by index of the value. It uses the numbers of the
// documents instead of the sets, so it counts fire classes individually. It overwrites scratch, and returns
// it for use in the next call.
func (f *Facet) Count(counts []int32, docs []column.Doc, scratch []int32) []int32 {
	numbers := 1 + f.Len() // possible numbers: 0, and one for each value or list
	if f.lists != nil {
		numbers = 1 + f.lists.Len()
	}
	scratch = slices.Grow(scratch[:0], numbers)[:numbers]
	clear(scratch)
	f.numbers.Count(scratch, docs)
	for number, n := range scratch[1:] {
		switch {
		case n == 0:
		case f.lists == nil:
			counts[number] += n
		default:
			for _, v := range f.lists.At(number) {
				if int64(v) < int64(len(counts)) {
					counts[v] += n
				}
			}
		}
	}
	return scratch
}

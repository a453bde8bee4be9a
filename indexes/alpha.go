package indexes

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// Section KindAlpha has these fields:
//
//	offset  size  field
//	     0     8  number of distinct values n
//	     8   168  21 references of sets, for k = 0 to 20: the documents whose alpha_w is at least k/20
//	   176   8*n  the values, float64, ascending
//	                column of n+1 4-byte numbers: the place in OrderAlphaAsc where the documents of each value begin,
//	                and where the documents without alpha_w begin
//	                column, one number for each document: the index of its value plus one, 0 if it has none; 1, 2 or 4
//	                bytes wide, the smallest width that can hold n
//
// Each column is padded with zeros to a multiple of 8. A catalogue has few distinct values, because the
// standard rounds alpha_w to multiples of 0.05. So the column needs one byte for each document. The bounds of
// a filter are usually thresholds, which have a set. For other bounds, the order is used.
const alphaThresholds = 21

// Alpha contains the alpha_w of every document that has one.
type Alpha struct {
	values []float64 // distinct values, ascending
	// For each value, a range of OrderAlphaAsc. Documents without alpha_w come after the last range.
	docs    column.Lists[uint32, column.Doc]
	numbers column.Narrow // for each document, the index of its value plus one
	sets    *docset.Sets
	least   []docset.Ref // for each threshold, the set of documents with at least that alpha_w
}

func openAlpha(c *snapshot.Cursor, sets *docset.Sets, order *Sorted) Alpha {
	n := c.Uint64()
	if n > uint64(len(order.docs)) {
		c.Fail(0, fmt.Sprintf("at most %d distinct values, not %d", len(order.docs), n))
		return Alpha{}
	}
	a := Alpha{sets: sets}
	a.least = column.Read[docset.Ref](c, alphaThresholds)
	a.values = column.Read[float64](c, n)
	a.docs = column.Lists[uint32, column.Doc]{Starts: column.Read[uint32](c, n+1), Values: order.docs}
	a.numbers = column.ReadNarrow(c, len(order.docs), uint32(n))
	return a
}

// Of returns the alpha_w of a document.
func (a *Alpha) Of(d column.Doc) (float64, bool) {
	number := a.numbers.At(d)
	if number == 0 || int64(number) > int64(len(a.values)) {
		return 0, false
	}
	return a.values[number-1], true
}

// Range adds the documents whose alpha_w is from least to most inclusive to dst, which must be empty.
func (a *Alpha) Range(dst docset.Dense, least, most float64) {
	lo, _ := slices.BinarySearch(a.values, least)
	hi, found := slices.BinarySearch(a.values, most)
	if found {
		hi++
	}
	if least <= most { // false if the bounds are reversed or NaN
		a.valuesInto(dst, lo, hi)
	}
}

// valuesInto adds to dst, which must be empty, the documents of the values from lo to hi-1. Between the first
// and the last threshold in this range, it uses the difference of their sets. It adds the documents of the
// other values one by one. It adds all documents one by one if there are fewer of them than words in a set.
func (a *Alpha) valuesInto(dst docset.Dense, lo, hi int) {
	from := sort.Search(alphaThresholds, func(k int) bool { return firstFrom(a.values, k) >= lo })
	to := sort.Search(alphaThresholds, func(k int) bool { return firstFrom(a.values, k) > hi }) - 1
	if len(a.docs.Range(lo, hi)) <= len(dst) || from > to {
		dst.AddAll(a.docs.Range(lo, hi))
		return
	}
	a.sets.Set(a.least[from]).OrInto(dst)
	if hi < len(a.values) { // otherwise all documents of the first set are in the range
		a.sets.Set(a.least[to]).AndNotInto(dst)
		dst.AddAll(a.docs.Range(firstFrom(a.values, to), hi))
	}
	dst.AddAll(a.docs.Range(lo, firstFrom(a.values, from)))
}

// firstFrom returns the index of the first value that is at least the threshold k/20, or the number of
// values.
func firstFrom(values []float64, k int) int {
	i, _ := slices.BinarySearch(values, float64(k)/(alphaThresholds-1))
	return i
}

// An alphaColumn collects the alpha_w of all documents during a build.
type alphaColumn struct {
	ofDocs []float64 // alpha_w by document; NaN if the document has none

	// The following fields are set by number, after the last document was added.
	values []float64                        // distinct values, ascending
	docs   column.Lists[uint64, column.Doc] // documents of each value, then documents without a value
}

// add adds the alpha_w of the next document, or NaN if it has none.
func (a *alphaColumn) add(alpha float64) {
	a.ofDocs = append(a.ofDocs, alpha+0) // adding 0 makes a negative zero positive
}

// number computes the distinct values and their documents. Call it before descending and write.
func (a *alphaColumn) number() {
	a.values = slices.DeleteFunc(slices.Clone(a.ofDocs), math.IsNaN)
	slices.Sort(a.values)
	a.values = slices.Clip(slices.Compact(a.values))
	a.docs = column.Collect(len(a.values)+1, func(visit func(value int, d column.Doc)) {
		for d, v := range a.ofDocs {
			i, found := slices.BinarySearch(a.values, v)
			if !found {
				i = len(a.values)
			}
			visit(i, column.Doc(d))
		}
	})
}

// descending returns all documents in descending order of alpha_w. Documents without alpha_w come last.
func (a *alphaColumn) descending() []column.Doc {
	docs := make([]column.Doc, 0, len(a.ofDocs))
	for i := range a.values {
		docs = append(docs, a.docs.At(len(a.values)-1-i)...)
	}
	return append(docs, a.docs.At(len(a.values))...)
}

// write writes section KindAlpha.
func (a *alphaColumn) write(w *snapshot.Writer, sets *docset.Builder) error {
	n := len(a.values)
	least := make([]docset.Ref, alphaThresholds)
	for k := range least {
		least[k] = sets.Add(slices.Sorted(slices.Values(a.docs.Range(firstFrom(a.values, k), n))))
	}
	numbers := make([]uint32, len(a.ofDocs))
	for i := range a.values {
		for _, d := range a.docs.At(i) {
			numbers[d] = uint32(i + 1)
		}
	}
	c := column.Begin(w, KindAlpha)
	column.Put(c, []uint64{uint64(n)})
	column.Put(c, least)
	column.Put(c, a.values)
	column.PutStarts(c, a.docs.Starts[:n+1])
	column.PutNarrow(c, numbers, uint32(n))
	return c.Err()
}

package indexes

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"sabine/indexes/snapshot"
)

// Section KindAlpha:
//
//	offset  size  field
//	     0     8  number of distinct values n
//	     8   168  21 references of sets, for k = 0 to 20: the documents whose alpha_w is at least k/20
//	   176   8*n  the values, float64, ascending
//	                column of n+1 4-byte numbers: the place in OrderAlphaAsc where the documents of each value begin,
//	                and where those without alpha_w begin
//	                column, one number for each document: that of its value plus one, 0 when it has none; 1, 2 or 4
//	                bytes wide, the least that holds n
//
// each column followed by zero up to a multiple of 8. Catalogues have few distinct values, alpha_w being a multiple of
// 0.05 where the standard was followed: the numbers of a value are exact and take one byte, the thresholds meet what
// people filter by, and the values between them are found by their places.
const (
	alphaThresholds = 21
	alphaHead       = 8 + alphaThresholds*8
)

// threshold returns the least alpha_w of the documents in a threshold's set.
func threshold(k int) float64 { return float64(k) / (alphaThresholds - 1) }

// Alpha is the alpha_w of every document that has one.
type Alpha struct {
	values  []float64 // distinct, ascending
	starts  []uint32  // places in the order
	numbers narrow    // of the values, by document
	order   *Sorted   // OrderAlphaAsc
	sets    *Sets
	least   []SetRef // by threshold
}

// openAlpha reads section KindAlpha.
func openAlpha(c *snapshot.Cursor, sets *Sets, order *Sorted) Alpha {
	n := c.Uint64()
	if n > uint64(len(order.docs)) {
		c.Fail(0, fmt.Sprintf("at most %d distinct values, not %d", len(order.docs), n))
		return Alpha{}
	}
	a := Alpha{order: order, sets: sets}
	a.least = readColumn[SetRef](c, alphaThresholds)
	a.values = readColumn[float64](c, n)
	a.starts = readColumn[uint32](c, n+1)
	a.numbers = readNarrow(c, len(order.docs), uint32(n))
	return a
}

// Of returns a document's alpha_w.
func (a *Alpha) Of(d Doc) (float64, bool) {
	number := a.numbers.at(d)
	if number == 0 || int64(number) > int64(len(a.values)) {
		return 0, false
	}
	return a.values[number-1], true
}

// Range unites dst with the documents whose alpha_w lies in [min, max].
func (a *Alpha) Range(dst Dense, min, max float64) {
	lo, _ := slices.BinarySearch(a.values, min)
	hi, found := slices.BinarySearch(a.values, max)
	if found {
		hi++
	}
	if !(min <= max) || len(a.starts) <= len(a.values) { // crossed or NaN; a damaged file
		return
	}
	a.placesInto(dst, a.starts[lo], a.starts[hi])
}

// placesInto unites dst with the documents from place lo to hi-1 of the order. What lies between two thresholds is the
// difference of their sets; what lies below the first or above the last is added one by one, and so is a range of
// fewer documents than a set has words.
func (a *Alpha) placesInto(dst Dense, lo, hi uint32) {
	from := sort.Search(alphaThresholds, func(k int) bool { return a.thresholdPlace(k) >= lo })
	to := sort.Search(alphaThresholds, func(k int) bool { return a.thresholdPlace(k) > hi }) - 1
	if lo >= hi || int64(hi-lo) <= int64(len(dst)) || from > to {
		a.walk(dst, lo, hi)
		return
	}
	least, beyond := a.atLeast(from), Set{}
	if hi < a.starts[len(a.values)] {
		a.walk(dst, a.thresholdPlace(to), hi)
		beyond = a.atLeast(to)
	}
	a.walk(dst, lo, a.thresholdPlace(from))
	least.orWithoutInto(dst, beyond)
}

// thresholdPlace returns the place of the first document of a threshold's set.
func (a *Alpha) thresholdPlace(k int) uint32 {
	i, _ := slices.BinarySearch(a.values, threshold(k))
	return a.starts[i]
}

// atLeast returns the set of a threshold.
func (a *Alpha) atLeast(k int) Set {
	if k >= len(a.least) {
		return Set{}
	}
	return a.sets.Set(a.least[k])
}

// walk adds the documents from place lo to hi-1 of the order.
func (a *Alpha) walk(dst Dense, lo, hi uint32) {
	if lo < hi && int64(hi) <= int64(len(a.order.docs)) {
		for _, d := range a.order.docs[lo:hi] {
			dst.Add(d)
		}
	}
}

// check holds the values, the order, the columns and the thresholds against each other.
func (a *Alpha) check() error {
	var faults faultList
	n := len(a.values)
	if len(a.starts) != n+1 || len(a.least) != alphaThresholds {
		faults.add(KindAlpha, 0, "a column for every value")
		return faults.err()
	}
	for i, v := range a.values {
		if math.IsNaN(v) || i > 0 && a.values[i-1] >= v || a.starts[i] >= a.starts[i+1] {
			faults.add(KindAlpha, alphaHead+int64(i)*8, "ascending values, each of some document")
		}
	}
	if a.starts[0] != 0 || !slices.IsSorted(a.starts) || int64(a.starts[n]) > int64(len(a.order.docs)) {
		faults.add(KindAlpha, alphaHead+int64(n)*8, "ascending places of the order by alpha_w")
		return faults.err() // what follows walks the order by them
	}
	for i := range a.values {
		for place := a.starts[i]; place < a.starts[i+1]; place++ {
			if a.numbers.at(a.order.docs[place]) != uint32(i+1) {
				faults.add(KindOrders, int64(OrderAlphaAsc)*2*a.order.columnBytes()+int64(place)*docSize,
					fmt.Sprintf("a document with the alpha_w %v", a.values[i]))
			}
		}
	}
	for _, d := range a.order.docs[a.starts[n]:] {
		if a.numbers.at(d) != 0 {
			faults.add(KindAlpha, alphaHead, fmt.Sprintf("no alpha_w for document %d, as in the order", d))
		}
	}
	for k := range alphaThresholds {
		want := slices.Sorted(slices.Values(a.order.docs[a.thresholdPlace(k):a.starts[n]]))
		if !slices.Equal(a.atLeast(k).Docs(nil), want) {
			faults.add(KindAlpha, 8+int64(k)*8, fmt.Sprintf("the set of the documents from %v on", threshold(k)))
		}
	}
	return faults.err()
}

// An alphaColumn is the alpha_w of documents as a build gathers it.
type alphaColumn struct {
	declared []float64 // by document, NaN when there is none
	values   []float64 // distinct, ascending
	starts   []uint32  // as in the section
	numbers  []uint32
}

// add takes the alpha_w of the next document, NaN when it has none.
func (a *alphaColumn) add(alpha float64) {
	if alpha == 0 {
		alpha = math.Abs(alpha) // a negative zero has other bits
	}
	a.declared = append(a.declared, alpha)
}

// number finds the distinct values, once every document is there.
func (a *alphaColumn) number() {
	for _, v := range a.declared {
		if !math.IsNaN(v) {
			a.values = append(a.values, v)
		}
	}
	slices.Sort(a.values)
	a.values = slices.Clip(slices.Compact(a.values))
	a.numbers = make([]uint32, len(a.declared))
	a.starts = make([]uint32, len(a.values)+1)
	for d, v := range a.declared {
		if i, found := slices.BinarySearch(a.values, v); found {
			a.numbers[d] = uint32(i + 1)
			a.starts[i+1]++
		}
	}
	for i := range a.values {
		a.starts[i+1] += a.starts[i]
	}
}

// ascending returns the documents by alpha_w, those without one last.
func (a *alphaColumn) ascending() []Doc {
	next := slices.Clone(a.starts)
	docs := make([]Doc, len(a.numbers))
	for d, number := range a.numbers {
		place := &next[(int(number)+len(a.values))%(len(a.values)+1)] // number 0 comes behind all others
		docs[*place] = Doc(d)
		*place++
	}
	return docs
}

// descending returns the documents by alpha_w, the highest first, those without one last.
func (a *alphaColumn) descending(ascending []Doc) []Doc {
	docs := make([]Doc, 0, len(ascending))
	for i := len(a.values) - 1; i >= 0; i-- {
		docs = append(docs, ascending[a.starts[i]:a.starts[i+1]]...)
	}
	return append(docs, ascending[a.starts[len(a.values)]:]...)
}

// write writes section KindAlpha.
func (a *alphaColumn) write(w *snapshot.Writer, sets *setBuilder, ascending []Doc) error {
	section, err := w.Section(KindAlpha, columnAlign)
	if err != nil {
		return err
	}
	n := len(a.values)
	least := make([]SetRef, alphaThresholds)
	for k := range least {
		i, _ := slices.BinarySearch(a.values, threshold(k))
		least[k] = sets.add(slices.Sorted(slices.Values(ascending[a.starts[i]:a.starts[n]])))
	}
	c := &columnWriter{w: section}
	put(c, []uint64{uint64(n)})
	put(c, least)
	put(c, a.values)
	put(c, a.starts)
	putNarrow(c, a.numbers, uint32(n))
	return c.err
}

package indexes

import (
	"sort"
	"strings"

	"sabine/indexes/snapshot"
)

// sortedTexts is a table of texts in ascending order of bytes, each once.
type sortedTexts struct{ textTable }

// readSorted reads a table of n texts that are sorted.
func readSorted(c *snapshot.Cursor, n uint64) sortedTexts { return sortedTexts{readTexts(c, n)} }

// find returns the number of a text.
func (t *sortedTexts) find(text string) (int, bool) {
	i := sort.Search(t.len(), func(i int) bool { return t.at(i) >= text })
	return i, i < t.len() && t.at(i) == text
}

// begin returns the texts that begin so, from lo to hi-1.
func (t *sortedTexts) begin(prefix string) (lo, hi int) {
	lo = sort.Search(t.len(), func(i int) bool { return t.at(i) >= prefix })
	hi = lo + sort.Search(t.len()-lo, func(i int) bool { return !strings.HasPrefix(t.at(lo+i), prefix) })
	return lo, hi
}

// check notes every text that is not where the format promises it; at is where the section has the table.
func (t *sortedTexts) check(faults *faultList, kind snapshot.Kind, at int64) {
	if !t.textTable.check() {
		faults.add(kind, at, "texts one behind the other")
		return
	}
	for i := 1; i < t.len(); i++ {
		if t.at(i-1) >= t.at(i) {
			faults.add(kind, at+4*int64(i), "texts in ascending order")
		}
	}
}

package indexes

import (
	"cmp"
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

// findJoined returns the number of the text that two make when they are written as one.
func (t *sortedTexts) findJoined(first, second string) (int, bool) {
	i := sort.Search(t.len(), func(i int) bool { return compareJoined(t.at(i), first, second) >= 0 })
	return i, i < t.len() && compareJoined(t.at(i), first, second) == 0
}

// compareJoined compares a text with two that are written as one.
func compareJoined(text, first, second string) int {
	if len(text) <= len(first) {
		return cmp.Or(strings.Compare(text, first), -len(second))
	}
	return cmp.Or(strings.Compare(text[:len(first)], first), strings.Compare(text[len(first):], second))
}

// beginnings calls visit with every text, shorter than the given one, that it begins with: the number of the text and
// its length, ascending.
func (t *sortedTexts) beginnings(text string, visit func(i, length int)) {
	lo, hi := 0, t.len() // the texts that agree with the given one so far
	for n := range len(text) - 1 {
		letter := text[n]
		lo += sort.Search(hi-lo, func(i int) bool { s := t.at(lo + i); return len(s) > n && s[n] >= letter })
		hi = lo + sort.Search(hi-lo, func(i int) bool { s := t.at(lo + i); return len(s) <= n || s[n] > letter })
		if lo >= hi {
			return
		}
		if len(t.at(lo)) == n+1 {
			visit(lo, n+1)
		}
	}
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

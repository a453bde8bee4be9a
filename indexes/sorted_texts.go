package indexes

import (
	"sort"
	"strings"
	"unicode/utf8"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// A sorted table of n texts contains distinct, non-empty texts in ascending byte order. They are followed by
// 2*n slots of 4 bytes and padding with zeros to a multiple of 8. The slots are a hash table as described in
// identifiers.go: a slot is the number of a text plus one, or 0 if the slot is free.

// sortedTexts is a sorted table of texts, whose numbers have type N.
type sortedTexts[N int | Term] struct {
	column.Texts
	slots hashSlots
}

func readSorted[N int | Term](c *snapshot.Cursor, n uint64) sortedTexts[N] {
	return sortedTexts[N]{column.ReadTexts(c, n), column.Read[uint32](c, 2*n)}
}

func putSorted(c *column.Writer, texts []string) {
	column.PutTexts(c, texts)
	column.Put(c, newSlots(texts))
}

// Find returns the number of a text.
func (t *sortedTexts[N]) Find(text string) (N, bool) {
	slot := t.slots.first(column.StringBytes(text))
	for range t.slots {
		i, next := t.slots.at(slot)
		if i < 0 || t.At(i) == text { // not find: a call is slower, and queries spend most of their time here
			return N(i), i >= 0
		}
		slot = next
	}
	return 0, false
}

// FindJoined returns the number of the text that is the concatenation of first and second.
func (t *sortedTexts[N]) FindJoined(first, second string) (N, bool) {
	var buf [64]byte // allocated on the stack
	return t.Find(column.String(append(append(buf[:0], first...), second...)))
}

// Beginnings calls visit for every text in the table that is a proper prefix of text, in ascending order of
// length. All texts between a prefix and text begin with that prefix. So, if text is in the table, no prefix
// is longer than what text has in common with the text before it.
func (t *sortedTexts[N]) Beginnings(text string, visit func(beginning N, length int)) {
	longest := len(text) - 1
	if i, ok := t.Find(text); ok {
		longest = min(longest, common(t.At(int(i)-1), text))
	}
	for n := 1; n <= longest; n++ {
		if utf8.RuneStart(text[n]) {
			if i, ok := t.Find(text[:n]); ok {
				visit(i, n)
			}
		}
	}
}

// common returns the length of the common prefix of a and b.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Range returns the range of the texts that begin with prefix, lo to hi-1.
func (t *sortedTexts[N]) Range(prefix string) (lo, hi N) {
	known, ok := t.Find(prefix) // faster than a binary search, most of whose steps wait for memory
	first := int(known)
	if !ok {
		first = t.search(0, t.Len(), func(text string) bool { return text >= prefix })
	}
	after := func(text string) bool { return !strings.HasPrefix(text, prefix) }
	end, step := first, 1 // start with small steps, since most ranges are short
	for ; end < t.Len() && !after(t.At(end)); end += step {
		step *= 2
	}
	return N(first), N(t.search(max(first, end-step), min(end, t.Len()), after))
}

// search returns the first number between lo and hi whose text satisfies ok, or hi if there is none. If a
// text satisfies ok, all later texts must satisfy it too.
func (t *sortedTexts[N]) search(lo, hi int, ok func(text string) bool) int {
	return lo + sort.Search(hi-lo, func(i int) bool { return ok(t.At(lo + i)) })
}

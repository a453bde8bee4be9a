package indexes

import (
	"sort"
	"strings"
	"unicode/utf8"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// A sorted table of n texts is a table of texts in ascending order of bytes, each once and none empty, and
// behind it 2*n slots of 4 bytes and zero up to a multiple of 8. The slots find a text without a search, by
// the rule of identifiers.go: a slot is the number of a text plus one, or 0 when it is free.

// sortedTexts is a sorted table of texts, whose numbers are of type N.
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
		if i < 0 || t.At(i) == text { // and no call of find: most of reading a query is this
			return N(i), i >= 0
		}
		slot = next
	}
	return 0, false
}

// FindJoined returns the number of the text that two make when they are written as one.
func (t *sortedTexts[N]) FindJoined(first, second string) (N, bool) {
	var room [64]byte // on the stack
	return t.Find(column.String(append(append(room[:0], first...), second...)))
}

// Beginnings calls visit with every text, shorter than the given one, that it begins with: the number of the
// text and its length, ascending. All texts between one that begins the given one and that itself begin so
// too.
func (t *sortedTexts[N]) Beginnings(text string, visit func(beginning N, length int)) {
	longest := len(text) - 1
	if i, ok := t.Find(text); ok {
		longest = common(t.At(int(i)-1), text)
	}
	for n := 1; n <= longest; n++ {
		if utf8.RuneStart(text[n]) {
			if i, ok := t.Find(text[:n]); ok {
				visit(i, n)
			}
		}
	}
}

// common returns how many bytes two texts have in common at their beginning, up to the last of the second.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)-1) && a[n] == b[n] {
		n++
	}
	return n
}

// Range returns the texts that begin so, from lo to hi-1.
func (t *sortedTexts[N]) Range(prefix string) (lo, hi N) {
	known, ok := t.Find(prefix) // in place of a search, of which most steps wait for memory
	first := int(known)
	if !ok {
		first = t.search(0, t.Len(), func(text string) bool { return text >= prefix })
	}
	behind := func(text string) bool { return !strings.HasPrefix(text, prefix) }
	end, step := first, 1 // most often they are few
	for ; end < t.Len() && !behind(t.At(end)); end += step {
		step *= 2
	}
	return N(first), N(t.search(max(first, end-step), min(end, t.Len()), behind))
}

// search returns the first number from lo on whose text satisfies a condition, as all behind it do, or else
// hi.
func (t *sortedTexts[N]) search(lo, hi int, ok func(text string) bool) int {
	return lo + sort.Search(hi-lo, func(i int) bool { return ok(t.At(lo + i)) })
}

package indexes

import (
	"sort"
	"strings"
	"unicode/utf8"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// A sorted table of n texts is a table of texts in ascending order of bytes, each once and none empty, and behind it 2*n
// slots of 4 bytes and zero up to a multiple of 8. The slots find a text without a search, by the rule of identifiers.go:
// a slot is the number of a text plus one, or 0 when it is free.

// sortedTexts is a sorted table of texts.
type sortedTexts struct {
	column.Texts
	slots hashSlots
}

func readSorted(c *snapshot.Cursor, n uint64) sortedTexts {
	return sortedTexts{column.ReadTexts(c, n), column.Read[uint32](c, 2*n)}
}

func putSorted(c *column.Writer, texts []string) {
	column.PutTexts(c, len(texts), func(i int) string { return texts[i] })
	column.Put(c, newSlots(len(texts), func(i int) []byte { return column.StringBytes(texts[i]) }))
}

// Find returns the number of a text.
func (t *sortedTexts) Find(text string) (int, bool) {
	return t.slots.find(column.StringBytes(text), func(i int) bool { return t.At(i) == text })
}

// FindJoined returns the number of the text that two make when they are written as one.
func (t *sortedTexts) FindJoined(first, second string) (int, bool) {
	var room [64]byte // on the stack
	return t.Find(column.String(append(append(room[:0], first...), second...)))
}

// beginnings calls visit with every text, shorter than the given one, that it begins with: the number of the text and
// its length, ascending. All texts between one that begins the given one and that itself begin so too.
func (t *sortedTexts) beginnings(text string, visit func(i, length int)) {
	longest := len(text) - 1
	if i, ok := t.Find(text); ok {
		longest = common(t.At(i-1), text)
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
func (t *sortedTexts) Range(prefix string) (lo, hi int) {
	lo, known := t.Find(prefix) // in place of a search, of which most steps wait for memory
	if !known {
		lo = t.search(0, t.Len(), func(text string) bool { return text >= prefix })
	}
	behind := func(text string) bool { return !strings.HasPrefix(text, prefix) }
	step := 1 // most often they are few
	for hi = lo; hi < t.Len() && !behind(t.At(hi)); hi += step {
		step *= 2
	}
	return lo, t.search(max(lo, hi-step), min(hi, t.Len()), behind)
}

// search returns the first number from lo on whose text satisfies a condition, as all behind it do, or else hi.
func (t *sortedTexts) search(lo, hi int, ok func(text string) bool) int {
	return lo + sort.Search(hi-lo, func(i int) bool { return ok(t.At(lo + i)) })
}

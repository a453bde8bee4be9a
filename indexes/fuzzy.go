package indexes

import (
	"cmp"
	"slices"
	"sync"
	"unicode/utf8"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindReversed is the reversed dictionary: the terms in the order of their words read backwards, in
// ascending order of letters, the last letter first.
//
//	offset  size  field
//	     0   4*n  a term for each of the n words
//	       to  8  zero

// Fuzzy finds the words of a sorted table within an edit distance. It walks over the table in two orders, the
// words by their beginnings and by their ends, as over a trie: words that begin alike lie side by side and
// are left out together once none of them can be near.
//
// The method is that of Mihov and Schulz, Fast Approximate Search in Large Dictionaries (2004): a dictionary
// and its reversed one, and the word asked for is cut into halves, so that no walk spreads over all
// beginnings, as any would that allowed two edits from the first letter on. Of two edits, or one, either at
// most half are made in the first half, or none in the second. So a walk from the beginning that allows half
// of them in the first half, and a walk from the end that allows none in the second, find every word
// together. A transposition of the two letters in the middle is for the walk from the beginning, which takes
// it for an edit of the second half. That walk visits most of the first letters and many of the second, and
// sets out on the trunk of the table, which has their places.
//
// Microseconds to find the words within distance 2 of a word with two edits, the mean of 400, and bytes a
// word:
//
//	                                       catalogue  random  German  compounds
//	words, in thousands                          3.5      60     353       1000  bytes
//	package vellum: its automaton, its FST       192     707     378        322  2 to 12
//	an automaton of ours on that FST              67    1004     278         92  2 to 12
//	the same on two FSTs, with halves             17      81      50         42  9 to 26
//	one walk over the terms                       41     674     472        275  0
//	two walks, with halves                        17      55      64         62  4
//	table of deletions from 7 letters              6      12     217       2723  86 to 134
//
// The worst of these words took two walks 0.25 ms, and the deletions, which compounds that begin alike all
// share, 54 ms. Two FSTs are as fast as the walks, which are smaller, allocate nothing, and are at no risk
// from a damaged file.
type Fuzzy struct {
	words    *column.Texts
	reversed []uint32        // their numbers in the order of their ends
	trunk    func() []branch // of the order of their beginnings
}

func newFuzzy(words *column.Texts, reversed []uint32) Fuzzy {
	return Fuzzy{words, reversed, trunkOf(words)}
}

// A Near is a word, by its number in the table, and its distance from the word asked for.
type Near struct {
	Number   uint32
	Distance int
}

// openFuzzy reads section KindReversed.
func openFuzzy(c *snapshot.Cursor, terms *Terms) Fuzzy {
	return newFuzzy(&terms.Texts, column.Read[uint32](c, uint64(terms.Len())))
}

// Near appends the words within distance (1 or 2; a transposition of neighbours counts 1) of word, by
// distance, then number. The word itself is at distance 0. Letters are counted, not bytes.
func (z *Fuzzy) Near(dst []Near, word string, distance int) []Near {
	if distance < 1 || z.words.Len() == 0 {
		return dst
	}
	edits := min(distance, MaxEdits)
	outside := [margin]rune{none, none, none, none, none, none}
	letters := append(make([]rune, 0, 64), outside[:]...)
	for _, letter := range word {
		letters = append(letters, letter)
	}
	n := len(letters) - margin
	letters = append(letters, outside[:]...)

	near := dst
	w := walk{asked{letters, n, n / 2, edits, edits / 2}, z.words, nil, &near}
	w.climb(z.trunk(), w.root())
	slices.Reverse(letters)
	w.reversed, w.half, w.halfEdits = z.reversed, n-n/2, 0
	w.visit(0, w.words.Len(), 0, w.root())

	slices.SortFunc(near[len(dst):], func(a, b Near) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Number, b.Number))
	})
	return near[:len(dst)+len(slices.Compact(near[len(dst):]))] // both walks may find a word
}

// A walk goes over the words in one of the two orders. In the order of their ends every word is read
// backwards, and what is said here of its beginning is meant of its end.
type walk struct {
	asked
	words    *column.Texts
	reversed []uint32 // the order; nil for that of the words
	near     *[]Near
}

// visit walks over the words from lo to hi-1, whose first bytes, as many as given, are the beginning that f
// is of. It takes every next letter that they have when any may lead on, or when they are few, and else looks
// for those that do.
func (w *walk) visit(lo, hi, bytes int, f front) {
	if _, size := w.letter(lo, bytes); size == 0 {
		w.take(lo, f)
		lo++
	}
	fork := w.fork(f)
	if f.free || hi-lo < rowPlaces {
		for lo < hi {
			letter, size := w.letter(lo, bytes)
			end := w.end(lo, hi, bytes, letter)
			if next := fork.behind(letter); next.alive {
				w.visit(lo, end, bytes+size, next)
			}
			lo = end
		}
		return
	}
	letters := w.letters[margin+f.n-MaxEdits:][:rowPlaces]
	for i, letter := range letters {
		if letter == none || slices.Contains(letters[:i], letter) {
			continue
		}
		next := fork.behind(letter)
		if !next.alive {
			continue
		}
		at := w.search(lo, hi, bytes, letter)
		if at == hi {
			continue
		}
		if c, size := w.letter(at, bytes); c == letter {
			w.visit(at, w.end(at, hi, bytes, letter), bytes+size, next)
		}
	}
}

// number returns the number of the word at a place of the order.
func (w *walk) number(at int) int {
	if w.reversed != nil {
		return int(w.reversed[at])
	}
	return at
}

// letter returns the letter behind the first bytes of the word at a place, and its size: none and 0 at the
// word's end.
func (w *walk) letter(at, bytes int) (letter rune, size int) {
	word := w.words.At(w.number(at))
	if bytes >= len(word) { // greater where a damaged table is out of order
		return none, 0
	}
	if w.reversed == nil {
		if first := word[bytes]; first < utf8.RuneSelf {
			return rune(first), 1
		}
		return utf8.DecodeRuneInString(word[bytes:])
	}
	word = word[:len(word)-bytes]
	if last := word[len(word)-1]; last < utf8.RuneSelf {
		return rune(last), 1
	}
	return utf8.DecodeLastRuneInString(word)
}

// end returns the first place behind lo, up to hi, whose word has another letter behind the first bytes.
func (w *walk) end(lo, hi, bytes int, letter rune) int {
	step := 1
	for lo+step < hi && w.compare(lo+step, bytes, letter) <= 0 {
		lo += step
		step *= 2
	}
	return w.search(lo+1, min(lo+step, hi), bytes, letter+1)
}

// search returns the first place from lo on, up to hi, whose word has no smaller letter behind the first
// bytes.
func (w *walk) search(lo, hi, bytes int, letter rune) int {
	for lo < hi {
		if middle := int(uint(lo+hi) >> 1); w.compare(middle, bytes, letter) < 0 {
			lo = middle + 1
		} else {
			hi = middle
		}
	}
	return lo
}

// compare compares the letter behind the first bytes of the word at a place, none at the word's end, with
// another. Of one byte it is the byte that says it: in longer letters every byte is greater.
func (w *walk) compare(at, bytes int, letter rune) int {
	if letter >= utf8.RuneSelf {
		c, _ := w.letter(at, bytes)
		return int(c - letter)
	}
	word := w.words.At(w.number(at))
	if w.reversed != nil {
		bytes = len(word) - 1 - bytes
	}
	if uint(bytes) >= uint(len(word)) {
		return -1
	}
	return int(word[bytes]) - int(letter)
}

// take takes the word at a place, which ends here, if it is near.
func (w *walk) take(at int, f front) {
	end := w.n - f.n + MaxEdits
	if end < 0 || end >= rowPlaces {
		return
	}
	for d := range w.edits + 1 {
		if f.row[d]>>end&1 != 0 {
			*w.near = append(*w.near, Near{uint32(w.number(at)), d})
			return
		}
	}
}

// A branch is the words of a sorted table that begin with certain letters. Those of one letter and of two
// make the trunk of a table: most of the places that every walk from the beginning asks for, and the farthest
// apart.
type branch struct {
	letter rune     // the last one
	bytes  int      // of the letters
	lo, hi int      // the words
	forks  []branch // of one letter alone: by the second one
}

// trunkDepth is how many letters the branches of a trunk have at most.
const trunkDepth = 2

// trunkOf returns the trunk of a table, which is found when it is first asked for.
func trunkOf(words *column.Texts) func() []branch {
	w := walk{words: words}
	return sync.OnceValue(func() []branch { return w.branches(0, words.Len(), 0, trunkDepth) })
}

// branches returns the branches of the words from lo to hi-1, behind the first bytes, which they share.
func (w *walk) branches(lo, hi, bytes, depth int) []branch {
	var all []branch
	for lo < hi && depth > 0 {
		letter, size := w.letter(lo, bytes)
		end := w.end(lo, hi, bytes, letter)
		if size > 0 { // or the word ends
			all = append(all, branch{letter, bytes + size, lo, end, w.branches(lo, end, bytes+size, depth-1)})
		}
		lo = end
	}
	return all
}

// climb is visit for branches, which f is before.
func (w *walk) climb(branches []branch, f front) {
	fork := w.fork(f)
	for i := range branches {
		b := &branches[i]
		next := fork.behind(b.letter)
		switch {
		case !next.alive:
		case b.forks == nil:
			w.visit(b.lo, b.hi, b.bytes, next)
		default:
			if _, size := w.letter(b.lo, b.bytes); size == 0 {
				w.take(b.lo, next)
			}
			w.climb(b.forks, next)
		}
	}
}

// compareReversed compares words by their letters, the last letter first.
func compareReversed(a, b string) int {
	for a != "" && b != "" {
		c, n := utf8.DecodeLastRuneInString(a)
		d, m := utf8.DecodeLastRuneInString(b)
		if c != d {
			return cmp.Compare(c, d)
		}
		a, b = a[:len(a)-n], b[:len(b)-m]
	}
	return cmp.Compare(len(a), len(b))
}

func writeFuzzy(w *snapshot.Writer, words []string) error {
	c := column.Begin(w, KindReversed)
	column.Put(c, reversedOrder(words))
	return c.Err()
}

// reversedOrder returns the numbers of words in the order of their ends.
func reversedOrder(words []string) []uint32 {
	ends := make([]uint32, len(words))
	for i := range ends {
		ends[i] = uint32(i)
	}
	slices.SortFunc(ends, func(a, b uint32) int {
		return compareReversed(words[a], words[b])
	})
	return ends
}

package indexes

import (
	"cmp"
	"slices"
	"sync"
	"unicode/utf8"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindReversed is the reversed dictionary: the terms in the order of their words read backwards,
// compared letter by letter from the last letter.
//
//	offset  size  field
//	     0   4*n  a term for each of the n words
//	       to  8  zero

// Fuzzy finds the words of a sorted table within an edit distance. It walks over the table in two orders, by
// the beginnings of words and by their ends, as over a trie. Words with the same beginning are neighbours and
// are skipped together once none of them can be near.
//
// The method is from Mihov and Schulz, Fast Approximate Search in Large Dictionaries (2004): a dictionary,
// its reversed form, and a query word that is cut into halves. A single walk with two edits from the first
// letter onwards would visit all beginnings. Of one or two edits, either at most half are in the first half,
// or none are in the second half. So two walks find every word: a walk from the beginning that allows half of
// the edits in the first half, and a walk from the end that allows none in the second half. A transposition
// of the two middle letters is found by the walk from the beginning, as an edit of the second half. That walk
// visits most first letters and many second letters, so it begins with the trunk of the table, which stores
// their positions.
//
// Microseconds to find the words within distance 2 of a word with two edits, the mean of 400 words, and bytes
// per word:
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
// The slowest of these words took two walks 0.25 ms. It took the deletions 54 ms, because compounds with the
// same beginning share them all. Two FSTs are as fast as the walks, but the walks are smaller, do not
// allocate, and cannot fail on a damaged file.
type Fuzzy struct {
	words    *column.Texts
	reversed []uint32        // numbers of the words in the order of their ends
	trunk    func() []branch // for the order of beginnings
}

func newFuzzy(words *column.Texts, reversed []uint32) Fuzzy {
	return Fuzzy{words, reversed, trunkOf(words)}
}

// A Near is a word, by its number in the table, and its distance from the query word.
type Near struct {
	Number   uint32
	Distance int
}

// openFuzzy reads section KindReversed.
func openFuzzy(c *snapshot.Cursor, terms *Terms) Fuzzy {
	return newFuzzy(&terms.Texts, column.Read[uint32](c, uint64(terms.Len())))
}

// Near appends the words within distance edits (1 or 2) of word, ordered by distance, then number. A
// transposition of neighbours counts as 1 edit. The word itself has distance 0. Edits are counted in letters,
// not bytes.
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
	w := walk{query{letters, n, n / 2, edits, edits / 2}, z.words, nil, &near}
	w.visitTrunk(z.trunk(), w.root())
	slices.Reverse(letters)
	w.reversed, w.half, w.halfEdits = z.reversed, n-n/2, 0
	w.visit(0, w.words.Len(), 0, w.root())

	slices.SortFunc(near[len(dst):], func(a, b Near) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Number, b.Number))
	})
	return near[:len(dst)+len(slices.Compact(near[len(dst):]))] // both walks may find the same word
}

// A walk goes over the words in one of the two orders. In the order of ends, words are read backwards, and
// the beginning of a word is its end.
type walk struct {
	query
	words    *column.Texts
	reversed []uint32 // the order; nil for the order of the words
	near     *[]Near
}

// visit walks over the words from lo to hi-1. They share their first bytes, which f describes. If any next
// letter can match, or if the words are few, visit takes all their next letters; otherwise it searches for
// matching letters.
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
			if next := fork.after(letter); next.alive {
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
		next := fork.after(letter)
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

// number returns the number of the word at a position of the order.
func (w *walk) number(at int) int {
	if w.reversed != nil {
		return int(w.reversed[at])
	}
	return at
}

// letter returns the letter after the first bytes of the word at a position, and its size. At the end of the
// word it returns none and 0.
func (w *walk) letter(at, bytes int) (letter rune, size int) {
	word := w.words.At(w.number(at))
	if bytes >= len(word) { // greater if a damaged table is out of order
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

// end returns the first position after lo, at most hi, whose word has another letter after the first bytes.
func (w *walk) end(lo, hi, bytes int, letter rune) int {
	step := 1
	for lo+step < hi && w.compare(lo+step, bytes, letter) <= 0 {
		lo += step
		step *= 2
	}
	return w.search(lo+1, min(lo+step, hi), bytes, letter+1)
}

// search returns the first position from lo to hi whose word does not have a smaller letter after the first
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

// compare compares the letter after the first bytes of the word at a position with another letter; none is
// the letter at the end of a word. One byte decides for one-byte letters: all bytes of longer letters are
// greater.
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

// take adds the word at a position, which ends here, if it is near.
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

// A branch is a range of words that begin with the same letters. The branches of one and two letters are the
// trunk of a table: every walk from the beginning reads most of their positions, which are far apart in
// memory.
type branch struct {
	letter rune     // the last one
	bytes  int      // length of the letters
	lo, hi int      // the range of words, lo to hi-1
	forks  []branch // by the second letter; nil for two letters
}

// trunkDepth is the maximum number of letters of a branch.
const trunkDepth = 2

// trunkOf returns a function that computes the trunk of a table once, on its first call.
func trunkOf(words *column.Texts) func() []branch {
	w := walk{words: words}
	return sync.OnceValue(func() []branch { return w.branches(0, words.Len(), 0, trunkDepth) })
}

// branches returns the branches of the words from lo to hi-1, which share their first bytes.
func (w *walk) branches(lo, hi, bytes, depth int) []branch {
	var all []branch
	for lo < hi && depth > 0 {
		letter, size := w.letter(lo, bytes)
		end := w.end(lo, hi, bytes, letter)
		if size > 0 { // otherwise the word ends
			all = append(all, branch{letter, bytes + size, lo, end, w.branches(lo, end, bytes+size, depth-1)})
		}
		lo = end
	}
	return all
}

// visitTrunk does what visit does, for branches. f describes the letters before them.
func (w *walk) visitTrunk(branches []branch, f front) {
	fork := w.fork(f)
	for i := range branches {
		b := &branches[i]
		next := fork.after(b.letter)
		switch {
		case !next.alive:
		case b.forks == nil:
			w.visit(b.lo, b.hi, b.bytes, next)
		default:
			if _, size := w.letter(b.lo, b.bytes); size == 0 {
				w.take(b.lo, next)
			}
			w.visitTrunk(b.forks, next)
		}
	}
}

// compareReversed compares words by their letters, from the last to the first.
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

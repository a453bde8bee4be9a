package indexes

import (
	"cmp"
	"slices"
	"sync"
	"unicode/utf8"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindReversed is the reversed dictionary. It contains the terms, sorted by their words read
// backwards letter by letter.
//
//	offset  size  field
//	     0   4*n  a term for each of the n words
//	       to  8  zero

// Fuzzy finds the words of a sorted table within an edit distance. It walks over the table in two orders, by
// the beginnings of words and by their ends, as over a trie. Words with the same beginning are neighbours. If
// none of them can be within the distance, they are skipped together.
//
// The method is from Mihov and Schulz, Fast Approximate Search in Large Dictionaries (2004). It uses a
// dictionary, the reversed dictionary, and a query word that is divided into halves. A single walk from the
// first letter that allows two edits everywhere would visit all beginnings. But of one or two edits, either
// at most half are in the first half of the word, or none are in the second half. So two walks find every
// word. The walk from the beginning allows half of the edits in the first half, and the walk from the end
// allows none in the second half. If the two middle letters are transposed, the walk from the beginning finds
// the word, as an edit in the second half. It visits most first letters and many second letters, so it starts
// with the trunk of the table, which stores the positions of these letters.
//
// The table shows the time in microseconds to find the words within distance 2 of a word with two edits, as
// the mean of 400 words, and the number of bytes per word:
//
//	                                       catalogue  random  German  compounds
//	words, in thousands                          3.5      60     353       1000  bytes
//	package vellum: its automaton, its FST       192     707     378        322  2 to 12
//	our own automaton on that FST                 67    1004     278         92  2 to 12
//	our own automaton on two FSTs, with halves    17      81      50         42  9 to 26
//	one walk over the terms                       41     674     472        275  0
//	two walks, with halves                        17      55      64         62  4
//	table of deletions, first 7 letters            6      12     217       2723  86 to 134
//
// For the slowest of these words, two walks took 0.25 ms. The table of deletions took 54 ms, because
// compounds with the same beginning share all its entries. Two FSTs are as fast as the walks, but the walks
// use less space, do not allocate, and cannot fail on a damaged file.
type Fuzzy struct {
	words    *column.Texts
	reversed []uint32        // word numbers, sorted by word endings
	trunk    func() []branch // trunk of the words in the order of their beginnings
}

// newFuzzy returns a Fuzzy for a table of words. The trunk is computed by the first search.
func newFuzzy(words *column.Texts, reversed []uint32) Fuzzy {
	w := walk{words: words}
	trunk := sync.OnceValue(func() []branch { return w.branches(0, words.Len(), 0, trunkDepth) })
	return Fuzzy{words, reversed, trunk}
}

// A Near is a word, given by its number in the table, and its distance from the query word.
type Near struct {
	Number   uint32
	Distance int
}

// openFuzzy reads section KindReversed.
func openFuzzy(c *snapshot.Cursor, terms *Terms) Fuzzy {
	return newFuzzy(&terms.Texts, column.Read[uint32](c, uint64(terms.Len())))
}

// Near appends the words within the given distance of word to dst, sorted by distance, then number. The
// distance is 1 or 2 edits. An edit changes a letter, not a byte. The transposition of neighbouring letters
// is one edit. The word itself has distance 0.
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
	q := query{letters: letters, n: n, half: n / 2, edits: edits, halfEdits: edits / 2}
	w := walk{query: q, words: z.words, near: &near}
	w.visitTrunk(z.trunk(), w.root())
	slices.Reverse(letters)
	w.reversed, w.half, w.halfEdits = z.reversed, n-n/2, 0
	w.visit(0, w.words.Len(), 0, w.root())

	slices.SortFunc(near[len(dst):], func(a, b Near) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Number, b.Number))
	})
	return near[:len(dst)+len(slices.Compact(near[len(dst):]))] // both walks may have found the same word
}

// A walk visits the words in one of the two orders. In the order of ends, words are read backwards, so the
// beginning of a word in the comments below is its end.
type walk struct {
	query
	words    *column.Texts
	reversed []uint32 // the order of ends; nil for the order of beginnings
	near     *[]Near
}

// visit visits the words from lo to hi-1, of which there is at least one. Their first bytes, which
// f describes, are equal. If there are few words, or if any next letter can match, it tries all their next
// letters. Otherwise it searches the words for the letters that can match.
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

// number returns the number of the word at a position in the order.
func (w *walk) number(at int) int {
	if w.reversed != nil {
		return int(w.reversed[at])
	}
	return at
}

// letter returns the letter that follows the first bytes of the word at a position, and the letter's size. At
// the end of the word, it returns none and 0.
func (w *walk) letter(at, bytes int) (letter rune, size int) {
	word := w.words.At(w.number(at))
	if bytes >= len(word) { // greater if the order in a damaged table is wrong
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

// end returns the first position after lo whose word has a different letter after the first bytes, or hi.
func (w *walk) end(lo, hi, bytes int, letter rune) int {
	step := 1
	for lo+step < hi && w.compare(lo+step, bytes, letter) <= 0 {
		lo += step
		step *= 2
	}
	return w.search(lo+1, min(lo+step, hi), bytes, letter+1)
}

// search returns the first position between lo and hi whose word does not have a smaller letter after the
// first bytes.
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

// compare compares the letter after the first bytes of the word at a position with another letter. At the end
// of a word, the letter is none. To compare with a one-byte letter, the first byte is sufficient, since the
// bytes of longer letters are all greater.
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

// take adds the word at a position, which ends after the letters of f, if it is within the distance.
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
// trunk of a table. Every walk from the beginning reads most of these branches, whose words are far apart in
// memory.
type branch struct {
	letter rune     // last of the letters
	bytes  int      // length of the letters in bytes
	lo, hi int      // range of words, lo to hi-1
	forks  []branch // branches with a second letter; nil in a branch of two letters
}

// trunkDepth is the maximum number of letters in a branch.
const trunkDepth = 2

// branches returns the branches of the words from lo to hi-1, which begin with the same bytes.
func (w *walk) branches(lo, hi, bytes, depth int) []branch {
	var all []branch
	for lo < hi && depth > 0 {
		letter, size := w.letter(lo, bytes)
		end := w.end(lo, hi, bytes, letter)
		if size > 0 { // if it is 0, the word ends here
			all = append(all, branch{letter, bytes + size, lo, end, w.branches(lo, end, bytes+size, depth-1)})
		}
		lo = end
	}
	return all
}

// visitTrunk is like visit, but for the words of branches. f describes the letters before the branches.
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

// compareReversed compares two words letter by letter, starting with the last letters.
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

// writeFuzzy writes section KindReversed.
func writeFuzzy(w *snapshot.Writer, words []string) error {
	c := column.Begin(w, KindReversed)
	column.Put(c, reversedOrder(words))
	return c.Err()
}

// reversedOrder returns the numbers of words, sorted by their ends.
func reversedOrder(words []string) []uint32 {
	return sortedNumbers(len(words), func(a, b uint32) int { return compareReversed(words[a], words[b]) })
}

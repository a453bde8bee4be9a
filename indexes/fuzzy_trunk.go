package indexes

import (
	"sync"

	"sabine/indexes/column"
)

// A branch is the words of a sorted table that begin with certain letters. Those of one letter and of two make the trunk of a
// table: most of the places that every walk from the beginning asks for, and the farthest apart.
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

package indexes

// An asked is the word asked for. In a walk in the order of ends it is read backwards, and so is all that is
// said of it here.
type asked struct {
	letters   []rune // with a margin on both sides
	n         int    // how many it has
	half      int    // how many its first half has
	edits     int    // that are allowed
	halfEdits int    // that are allowed in the first half
}

// A front is how near a beginning of words is to the beginnings of the word asked for: a row of the table
// that edit distances are reckoned in, as far as it lies close enough to the diagonal, and the row above. Its
// bits are those of Wu and Manber, Fast Text Searching Allowing Errors (1992), one word of them for each
// number of edits, and a transposition of neighbours counts as one edit.
type front struct {
	n      int    // letters
	row    row    // of the beginning
	before row    // of all its letters but the last
	last   places // of the last letter in the window of the row
	alive  bool   // a word that begins so may be near
	free   bool   // whatever its next letter is
}

// A row says by distance, from 0 on, at which places there is that distance or a smaller one between n
// letters and the first n+i-MaxEdits of the word asked for, which are place i.
type row [MaxEdits + 1]places

// places are a bit for each place of a row, the first one the lowest; of letters, as many as a window has.
type places uint8

const (
	rowPlaces = 2*MaxEdits + 1
	allPlaces = places(1)<<rowPlaces - 1
	window    = rowPlaces + 2 // letters: those that the places are for, the one before and the one behind
	margin    = window - 1    // by which windows may reach over the ends of the word asked for
	none      = rune(-1)      // no letter
)

func (a *asked) root() front {
	f := front{row: row{1 << MaxEdits, 3 << MaxEdits, 7 << MaxEdits & allPlaces}}
	a.judge(&f)
	return f
}

// A fork leads from a front to those behind one more letter. Letters that are not in its window have the same
// one.
type fork struct {
	asked  *asked
	of     front
	window *[window]rune // letter i+1 is the last that place i is for
	some   uint64        // bits for the letters in it, and for others
	other  front         // behind letters that are not in it, once it is known
	known  bool
}

func (a *asked) fork(of front) fork {
	k := fork{asked: a, of: of, window: (*[window]rune)(a.letters[margin+of.n-MaxEdits-1:])}
	for _, l := range k.window {
		k.some |= 1 << (l & 63)
	}
	return k
}

// behind returns the front behind a letter.
func (k *fork) behind(letter rune) front {
	if k.some>>(letter&63)&1 != 0 {
		last := places(0)
		for i, l := range k.window {
			if l == letter {
				last |= 1 << i
			}
		}
		return k.asked.next(&k.of, last)
	}
	if !k.known {
		k.other, k.known = k.asked.next(&k.of, 0), true
	}
	return k.other
}

// next returns the front behind one more letter, by its places in the window.
func (a *asked) next(f *front, last places) front {
	next := front{n: f.n + 1, before: f.row, last: last}
	same := next.last >> 1 & allPlaces
	swapped := next.last & (f.last >> 2) & allPlaces // the windows of a row lie one letter behind those of the row above
	next.row[0] = f.row[0] & same
	for d := 1; d <= a.edits; d++ {
		next.row[d] = (f.row[d]&same | f.row[d-1] | f.row[d-1]>>1 | next.row[d-1]<<1 | f.before[d-1]&swapped) & allPlaces
	}
	a.judge(&next)
	return next
}

// judge finds out whether a front is alive and whether it is free.
func (a *asked) judge(f *front) {
	end := a.n - f.n + MaxEdits // the place of the whole word
	half := upTo(a.half - f.n + MaxEdits)
	behind := upTo(end) &^ half
	if 0 <= end && end < rowPlaces {
		behind |= 1 << end
	}
	before := upTo(end) &^ behind
	f.alive = f.row[a.edits]&behind|f.row[a.halfEdits]&before != 0
	atHalf := before &^ upTo(a.half-f.n+MaxEdits-1)
	f.free = f.row[a.edits-1]&(behind|atHalf) != 0 || a.halfEdits > 0 && f.row[a.halfEdits-1]&before != 0
}

func upTo(i int) places {
	switch {
	case i < 0:
		return 0
	case i >= rowPlaces:
		return allPlaces
	}
	return places(2)<<i - 1
}

// MaxEdits is the largest distance that is asked for.
const MaxEdits = 2

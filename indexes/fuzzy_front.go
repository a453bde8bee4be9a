package indexes

// A query is the query word. In a walk in the order of ends, the word is reversed, and all comments below
// apply to the reversed word.
type query struct {
	letters   []rune // letters of the word, with a margin at both ends
	n         int    // number of letters
	half      int    // number of letters in the first half
	edits     int    // maximum number of edits
	halfEdits int    // maximum number of edits in the first half
}

// A front describes the distances between a prefix of a word and the prefixes of the query word. It contains
// the row of the table of edit distances for the prefix, limited to the positions near the diagonal, and the
// previous row. The bits follow Wu and Manber, Fast Text Searching Allowing Errors (1992), with one bit
// vector for each number of edits. A transposition of neighbouring letters counts as one edit.
type front struct {
	n      int    // number of letters in the prefix
	row    row    // row of the prefix
	before row    // row of the prefix without its last letter
	last   places // positions of the last letter in the window of the row
	alive  bool   // whether a word with this prefix may be within the distance
	free   bool   // whether the front remains alive after any letter
}

// A row has a bit vector for each distance, starting with 0. Bit i is set if the distance between the prefix
// of n letters and the first n+i-MaxEdits letters of the query word is at most the distance of the vector.
type row [MaxEdits + 1]places

// places has a bit for each position of a row, or for each letter of a window. The lowest bit is the first
// position.
type places uint8

const (
	rowPlaces = 2*MaxEdits + 1
	allPlaces = places(1)<<rowPlaces - 1
	window    = rowPlaces + 2 // letters at the positions, one letter before and one after
	margin    = window - 1    // number of letters that a window extends beyond each end of the query word
	none      = rune(-1)      // stands for no letter
)

// root returns the front of the empty prefix.
func (q *query) root() front {
	f := front{row: row{1 << MaxEdits, 3 << MaxEdits, 7 << MaxEdits & allPlaces}}
	q.update(&f)
	return f
}

// A fork computes the fronts after one more letter. The front is the same for all letters that are not in the
// window.
type fork struct {
	query  *query
	of     front
	window *[window]rune // letter i+1 is the last letter of position i
	some   uint64        // bits of the letters in the window; several letters can share a bit
	other  front         // front for letters that are not in the window, once it has been computed
	known  bool
}

func (q *query) fork(of front) fork {
	k := fork{query: q, of: of, window: (*[window]rune)(q.letters[margin+of.n-MaxEdits-1:])}
	for _, l := range k.window {
		k.some |= 1 << (l & 63)
	}
	return k
}

// after returns the front for the prefix followed by letter.
func (k *fork) after(letter rune) front {
	if k.some>>(letter&63)&1 != 0 {
		last := places(0)
		for i, l := range k.window {
			if l == letter {
				last |= 1 << i
			}
		}
		return k.query.next(&k.of, last)
	}
	if !k.known {
		k.other, k.known = k.query.next(&k.of, 0), true
	}
	return k.other
}

// next returns the front after a letter that occurs at the positions last of the window.
func (q *query) next(f *front, last places) front {
	next := front{n: f.n + 1, before: f.row, last: last}
	same := next.last >> 1 & allPlaces
	swapped := next.last & (f.last >> 2) & allPlaces // the window of the new row begins one letter later
	next.row[0] = f.row[0] & same
	for d := 1; d <= q.edits; d++ {
		next.row[d] = (f.row[d]&same | f.row[d-1] | f.row[d-1]>>1 | next.row[d-1]<<1 | f.before[d-1]&swapped) & allPlaces
	}
	q.update(&next)
	return next
}

// update sets the fields alive and free of f.
func (q *query) update(f *front) {
	end := q.n - f.n + MaxEdits // position that corresponds to the entire query word
	half := upTo(q.half - f.n + MaxEdits)
	after := upTo(end) &^ half       // positions in the second half, where all edits are allowed
	if 0 <= end && end < rowPlaces { // so they are for the entire word
		after |= 1 << end
	}
	before := upTo(end) &^ after // positions in the first half, where only halfEdits are allowed
	f.alive = f.row[q.edits]&after|f.row[q.halfEdits]&before != 0
	atHalf := before &^ upTo(q.half-f.n+MaxEdits-1) // the end of the first half: the next letter is in the second
	f.free = f.row[q.edits-1]&(after|atHalf) != 0 || q.halfEdits > 0 && f.row[q.halfEdits-1]&before != 0
}

// upTo returns the positions from 0 to i, as far as they exist.
func upTo(i int) places {
	switch {
	case i < 0:
		return 0
	case i >= rowPlaces:
		return allPlaces
	}
	return places(2)<<i - 1
}

// MaxEdits is the maximum distance of a search.
const MaxEdits = 2

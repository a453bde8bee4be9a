package analysis

import (
	"slices"
	"strings"
)

// A Trigram is three letters, 21 bits each, the first one in the highest. Trigrams are in the order of their texts'
// bytes.
type Trigram uint64

// TrigramLetters is how many letters a trigram has, and a key has to have for an inner one.
const TrigramLetters = 3

const (
	letterBits = 21
	letterMask = 1<<letterBits - 1
	blanks     = Trigram(' ')<<letterBits | ' ' // before a word
)

// String returns the three letters.
func (t Trigram) String() string {
	return string([]rune{rune(t >> (2 * letterBits)), rune(t >> letterBits & letterMask), rune(t & letterMask)})
}

// Trigrams appends the distinct trigrams of a key, ascending, as pg_trgm has them: each word padded by two blanks
// before and one behind, three letters each.
func Trigrams(dst []Trigram, key string) []Trigram {
	if key == "" {
		return dst
	}
	start := len(dst)
	for word := range strings.SplitSeq(key, " ") {
		letters := blanks
		for _, r := range word {
			letters = next(letters, r)
			dst = append(dst, letters)
		}
		dst = append(dst, next(letters, ' '))
	}
	return distinct(dst, start)
}

// InnerTrigrams appends those trigrams of a key, ascending, that every longer key has too in which this one stands:
// all but those that reach over its ends. A key of TrigramLetters, blanks not counted, has one at least.
func InnerTrigrams(dst []Trigram, key string) []Trigram {
	start := len(dst)
	var letters Trigram // the last three; zeros before the first
	for _, r := range key {
		beginsWord := letters&letterMask == ' '
		letters = next(letters, r)
		if beginsWord {
			dst = append(dst, next(blanks, r))
		} else if letters>>(2*letterBits) != 0 {
			dst = append(dst, letters)
		}
	}
	return distinct(dst, start)
}

// distinct sorts what lies behind start, and leaves each trigram in once.
func distinct(dst []Trigram, start int) []Trigram {
	slices.Sort(dst[start:])
	return dst[:start+len(slices.Compact(dst[start:]))]
}

// next returns the trigram of the last two letters of one and the letter behind it.
func next(t Trigram, r rune) Trigram { return (t<<letterBits | Trigram(r)) & (1<<(3*letterBits) - 1) }

package analysis

import (
	"slices"
	"strings"
)

// A Trigram is three letters of 21 bits each, the first one in the highest bits. So trigrams have the order
// of their texts, compared byte by byte.
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

// Trigrams appends the distinct trigrams of a key, ascending. They are those of PostgreSQL's pg_trgm: every
// three letters that stand side by side in a word with two blanks before it and one behind.
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

// InnerTrigrams appends, ascending, those trigrams of a key that every longer key with this one inside has
// too: all but those that reach over its ends. A key of TrigramLetters, not counting blanks, has at least
// one.
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

// distinct sorts the trigrams from start on and leaves each in once.
func distinct(dst []Trigram, start int) []Trigram {
	slices.Sort(dst[start:])
	return dst[:start+len(slices.Compact(dst[start:]))]
}

// next returns the trigram of the last two letters of another and the letter that follows them.
func next(t Trigram, r rune) Trigram { return (t<<letterBits | Trigram(r)) & (1<<(3*letterBits) - 1) }

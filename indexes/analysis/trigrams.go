package analysis

import (
	"slices"
	"strings"
)

// A Trigram is three letters of 21 bits each, with the first letter in the highest bits. So trigrams sort in
// the same order as their letters in UTF-8.
type Trigram uint64

// TrigramLetters is the number of letters in a trigram, and the minimum number in a key with inner trigrams.
const TrigramLetters = 3

const (
	letterBits = 21
	letterMask = 1<<letterBits - 1
	blanks     = Trigram(' ')<<letterBits | ' ' // precede each word
)

// String returns the three letters of the trigram.
func (t Trigram) String() string {
	return string([]rune{rune(t >> (2 * letterBits)), rune(t >> letterBits & letterMask), rune(t & letterMask)})
}

// Trigrams appends the distinct trigrams of a key in ascending order. As in PostgreSQL's pg_trgm, they are
// all sequences of three letters in a word that is preceded by two blanks and followed by one.
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

// InnerTrigrams appends, in ascending order, the trigrams that a key shares with every longer key that
// contains it. These are all trigrams that do not cross an end of the key. A key with at least TrigramLetters
// letters, not counting blanks, has at least one.
func InnerTrigrams(dst []Trigram, key string) []Trigram {
	start := len(dst)
	var letters Trigram // last three letters; zero before the first letter
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

// distinct sorts the trigrams in dst[start:] and removes duplicates.
func distinct(dst []Trigram, start int) []Trigram {
	slices.Sort(dst[start:])
	return dst[:start+len(slices.Compact(dst[start:]))]
}

// next returns the trigram that consists of the last two letters of t and the letter r.
func next(t Trigram, r rune) Trigram { return (t<<letterBits | Trigram(r)) & (1<<(3*letterBits) - 1) }

package analysis

import (
	"slices"
	"strings"
)

// A Trigram is three letters, 21 bits each, the first one in the highest. Trigrams are in the order of their texts'
// bytes.
type Trigram uint64

const letterBits = 21

// String returns the three letters.
func (t Trigram) String() string {
	const letter = 1<<letterBits - 1
	return string([]rune{rune(t >> (2 * letterBits)), rune(t >> letterBits & letter), rune(t & letter)})
}

// PackedTrigrams appends the distinct trigrams of a key, ascending, as pg_trgm has them: each word padded by two blanks
// before and one behind, three letters each.
func PackedTrigrams(dst []Trigram, key string) []Trigram {
	if key == "" {
		return dst
	}
	start := len(dst)
	for word := range strings.SplitSeq(key, " ") {
		letters := Trigram(' ')<<letterBits | ' '
		for _, r := range word {
			letters = next(letters, r)
			dst = append(dst, letters)
		}
		dst = append(dst, next(letters, ' '))
	}
	slices.Sort(dst[start:])
	return dst[:start+len(slices.Compact(dst[start:]))]
}

// next returns the trigram of the last two letters of one and the letter behind it.
func next(t Trigram, r rune) Trigram { return (t<<letterBits | Trigram(r)) & (1<<(3*letterBits) - 1) }

// Trigrams appends the distinct trigrams of a key as texts, in the order of PackedTrigrams.
func Trigrams(dst []string, key string) []string {
	for _, t := range PackedTrigrams(nil, key) {
		dst = append(dst, t.String())
	}
	return dst
}

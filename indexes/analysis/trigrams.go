package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Trigrams appends the distinct trigrams of a key, ascending in bytes, as pg_trgm has them: each word padded by two
// blanks before and one behind, three letters each.
func Trigrams(dst []string, key string) []string {
	if key == "" {
		return dst
	}
	start := len(dst)
	padded := strings.Builder{}
	padded.Grow(len(key) + 3*(strings.Count(key, " ")+1))
	for word := range strings.SplitSeq(key, " ") {
		from := padded.Len()
		padded.WriteString("  ")
		padded.WriteString(word)
		padded.WriteString(" ")
		dst = appendTriples(dst, padded.String()[from:])
	}
	slices.Sort(dst[start:])
	return dst[:start+len(slices.Compact(dst[start:]))]
}

// appendTriples appends every three letters of a text that stand next to each other.
func appendTriples(dst []string, text string) []string {
	begin, second := 0, 1 // the text begins with blanks
	for third := 2; third < len(text); {
		_, size := utf8.DecodeRuneInString(text[third:])
		dst = append(dst, text[begin:third+size])
		begin, second, third = second, third, third+size
	}
	return dst
}

// Similarity is pg_trgm's: distinct trigrams shared over those united; 0 to 1, and 0 when there are none. Both lists
// are as Trigrams returns them.
func Similarity(a, b []string) float64 {
	shared, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch strings.Compare(a[i], b[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			shared, i, j = shared+1, i+1, j+1
		}
	}
	if united := len(a) + len(b) - shared; united > 0 {
		return float64(shared) / float64(united)
	}
	return 0
}

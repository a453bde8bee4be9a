package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Key returns the folded key of a text, which is indexed and compared. It is the normalised text with ø as o,
// ł as l and å as a, and then with ae, oe and ue as a, o and u. Only one of several e is removed, and ue
// remains after a vowel or q. Single blanks separate the words. numbers.go defines the words of numbers: 600
// x 600 mm is 600x600mm, and 12,5 is 12.5.
func Key(text string) string {
	if key, ok := keyWithNumbers(text); ok {
		return key
	}
	return FoldKey(Normalize(text))
}

// NormalizeAndKey returns what Normalize and Key return.
func NormalizeAndKey(text string) (normalized, key string) {
	normalized = Normalize(text)
	key, ok := keyWithNumbers(text)
	if !ok {
		key = FoldKey(normalized)
	}
	return normalized, key
}

// FoldKey returns the key of a text without numbers that Normalize has returned. A key must not be folded
// again: aee becomes ae, and a second call would return a.
//
// The rule for ue comes from Lucene's GermanNormalizationFilter. It counts y as a vowel and does not change
// Bauelement and Quelle. But it changes aktuell to aktull, since this ue could be an ü. Builds and queries
// fold it in the same way, so it is found.
func FoldKey(normalized string) string {
	if !needsFolding(normalized) {
		return normalized
	}
	var b strings.Builder
	b.Grow(len(normalized))
	before := ' ' // the letter before, including a removed e
	umlaut := false
	for _, r := range normalized {
		switch r {
		case 'ø':
			r = 'o'
		case 'ł':
			r = 'l'
		case 'å':
			r = 'a'
		}
		if r == 'e' && umlaut {
			before, umlaut = 'e', false
			continue
		}
		umlaut = mayBeUmlaut(before, r)
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// mayBeUmlaut reports whether a letter may be an umlaut if an e follows.
func mayBeUmlaut(before, r rune) bool {
	return r == 'a' || r == 'o' || r == 'u' && !isVowelOrQ(before)
}

// Swallows reports whether folding removes an e directly after a key: in Büroeinrichtung, of Büro and
// Einrichtung, oe is read as ö and becomes o.
func Swallows(key string) bool {
	last, size := utf8.DecodeLastRuneInString(key)
	before, _ := utf8.DecodeLastRuneInString(key[:len(key)-size])
	return mayBeUmlaut(before, last)
}

// JoinedRest returns what remains of second when two words are written as one.
func JoinedRest(first, second string) string {
	if strings.HasPrefix(second, "e") && Swallows(first) {
		return second[1:]
	}
	return second
}

// needsFolding reports whether a normalised text may differ from its key. Most texts do not differ, and then
// Key does not allocate.
func needsFolding(normalized string) bool {
	var before byte
	for i := range len(normalized) {
		c := normalized[i]
		if c >= utf8.RuneSelf || c == 'e' && (before == 'a' || before == 'o' || before == 'u') {
			return true
		}
		before = c
	}
	return false
}

func isVowelOrQ(r rune) bool {
	switch r {
	case 'a', 'e', 'i', 'o', 'u', 'y', 'q':
		return true
	}
	return false
}

// Words splits a key at its blanks.
func Words(key string) []string { return AppendWords(nil, key) }

// HasDigit reports whether a text contains a digit of any script.
func HasDigit(text string) bool {
	for i := range len(text) {
		if isDigit(text[i]) {
			return true
		}
		if text[i] >= utf8.RuneSelf {
			return strings.ContainsFunc(text[i:], unicode.IsDigit)
		}
	}
	return false
}

// AppendWords appends the words of a key.
func AppendWords(dst []string, key string) []string {
	if key == "" {
		return dst
	}
	for word := range strings.SplitSeq(key, " ") {
		dst = append(dst, word)
	}
	return dst
}

// The spellings of an article number, DK-4711/B, dk 4711 b and dk4711b, share the key dk4711b. It is indexed
// as an additional text of a value if it has at most MaxJoinedLetters. Queries form it from up to
// MaxJoinedWords neighbouring words if one of them has a digit.
const (
	MaxJoinedLetters = 40
	MaxJoinedWords   = 4
)

// Joined returns the key of a key's words when they are written as one. ok is false if it has more than
// MaxJoinedLetters; then Joined stops reading.
func Joined(key string) (joined string, ok bool) {
	var b []byte
	for word := range strings.SplitSeq(key, " ") {
		b = AppendJoined(b, word)
		if utf8.RuneCount(b) > MaxJoinedLetters {
			return "", false
		}
	}
	return string(b), true
}

// AppendJoined appends words to dst as if dst and the words were written as one word.
func AppendJoined(dst []byte, words ...string) []byte {
	for _, word := range words {
		word = JoinedRest(string(dst[max(0, len(dst)-2*utf8.UTFMax):]), word) // two letters are enough for Swallows
		dst = append(dst, word...)
	}
	return dst
}

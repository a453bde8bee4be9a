package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Key returns the folded key of a text, the form that is indexed and compared. It is the normalised text with
// ø as o, ł as l and å as a, and then with ae, oe and ue as a, o and u: of several e only one goes, and ue
// stays after a vowel or q. Words are separated by single blanks. Numbers are words as numbers.go spells
// them: 600 x 600 mm is 600x600mm, and 12,5 is 12.5.
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
// again: aee becomes ae, and that would become a.
//
// The rule about ue comes from Lucene's GermanNormalizationFilter. It counts y as a vowel and leaves
// Bauelement and Quelle as they are, but not aktuell, whose key is aktull: by its letters alone, that ue may
// be an ü. Build and query fold it alike, and so it is found.
func FoldKey(normalized string) string {
	if !needsFolding(normalized) {
		return normalized
	}
	var b strings.Builder
	b.Grow(len(normalized))
	before := ' ' // the letter before, even if it is an e that was dropped
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

// mayBeUmlaut reports whether a letter may stand for an umlaut when an e follows.
func mayBeUmlaut(before, r rune) bool {
	return r == 'a' || r == 'o' || r == 'u' && !isVowelOrQ(before)
}

// Swallows reports whether a key swallows an e that is written right behind it: Büro and Einrichtung make
// Büroeinrichtung, where oe is taken for ö and so becomes o.
func Swallows(key string) bool {
	last, size := utf8.DecodeLastRuneInString(key)
	before, _ := utf8.DecodeLastRuneInString(key[:len(key)-size])
	return mayBeUmlaut(before, last)
}

// Behind returns what is left of the second of two words when they are written as one.
func Behind(first, second string) string {
	if strings.HasPrefix(second, "e") && Swallows(first) {
		return second[1:]
	}
	return second
}

// needsFolding reports whether a normalised text may differ from its key. Most do not, and cost no allocation
// then.
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

// HasDigit reports whether a text has a digit of any script.
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

// The spellings of an article number, DK-4711/B, dk 4711 b and dk4711b, meet in the last one. A value has it
// as a text of its own when it is no longer than MaxJoinedLetters; neighbouring words of a query make it when
// one of them has a digit and they are no more than MaxJoinedWords.
const (
	MaxJoinedLetters = 40
	MaxJoinedWords   = 4
)

// Joined returns the key that the words of a key make when they are written as one; ok is false when it has
// more than MaxJoinedLetters, of which it reads no more.
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

// AppendJoined appends the key that words make when they are written as one, and as one with what is there.
func AppendJoined(dst []byte, words ...string) []byte {
	for _, word := range words {
		word = Behind(string(dst[max(0, len(dst)-2*utf8.UTFMax):]), word) // two letters say what is swallowed
		dst = append(dst, word...)
	}
	return dst
}

package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Key returns the folded key of a text, which is indexed and compared. The text is normalised, and ø, ł and å
// are replaced with o, l and a. Then ae, oe and ue are replaced with a, o and u, which removes only the first
// of several e. After a vowel or q, ue is not replaced. Words are separated by single blanks. numbers.go
// defines the words for numbers: 600 x 600 mm is 600x600mm, and 12,5 is 12.5.
func Key(text string) string {
	if key, ok := keyWithNumbers(text); ok {
		return key
	}
	return FoldKey(Normalize(text))
}

// NormalizeAndKey returns the results of Normalize and Key.
func NormalizeAndKey(text string) (normalized, key string) {
	normalized = Normalize(text)
	key, ok := keyWithNumbers(text)
	if !ok {
		key = FoldKey(normalized)
	}
	return normalized, key
}

// FoldKey returns the key of a text without numbers that Normalize has returned. The text must not already be
// a key, since folding is not idempotent: aee becomes ae, which a second call would change to a.
//
// The rule for ue is from Lucene's GermanNormalizationFilter. It treats y as a vowel. Bauelement and Quelle
// do not change, but aktuell becomes aktull, since its ue could be a ü. Such words are found nevertheless,
// because builds and queries fold them in the same way.
func FoldKey(normalized string) string {
	if !needsFolding(normalized) {
		return normalized
	}
	var b strings.Builder
	b.Grow(len(normalized))
	before := ' '   // previous letter, including a removed e
	umlaut := false // whether before may be an umlaut if an e follows
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

// mayBeUmlaut reports whether r may represent an umlaut if an e follows.
func mayBeUmlaut(before, r rune) bool {
	return r == 'a' || r == 'o' || r == 'u' && !strings.ContainsRune("aeiouyq", before)
}

// Swallows reports whether folding would remove an e that directly follows key. For example, in
// Büroeinrichtung, from Büro and Einrichtung, oe is read as ö and becomes o.
func Swallows(key string) bool {
	last, size := utf8.DecodeLastRuneInString(key)
	before, _ := utf8.DecodeLastRuneInString(key[:len(key)-size])
	return mayBeUmlaut(before, last)
}

// JoinedRest returns the part of second that remains when the two words are written as one.
func JoinedRest(first, second string) string {
	if strings.HasPrefix(second, "e") && Swallows(first) {
		return second[1:]
	}
	return second
}

// needsFolding reports whether a normalised text may differ from its key. For most texts it returns false,
// and then Key does not allocate.
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

// HasDigit reports whether a text contains a digit in any script.
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

// Words splits a key into words.
func Words(key string) []string { return AppendWords(nil, key) }

// AppendWords appends the words of a key to dst.
func AppendWords(dst []string, key string) []string {
	if key == "" {
		return dst
	}
	for word := range strings.SplitSeq(key, " ") {
		dst = append(dst, word)
	}
	return dst
}

// All spellings of an article number, such as DK-4711/B, dk 4711 b and dk4711b, have the joined key dk4711b.
// A joined key of at most MaxJoinedLetters is indexed as an additional text of a value. In a query, up to
// MaxJoinedWords neighbouring words are joined if one of them contains a digit.
const (
	MaxJoinedLetters = 40
	MaxJoinedWords   = 4
)

// Joined returns the words of a key written as one word. ok is false if the result would have more than
// MaxJoinedLetters letters.
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

// AppendJoined appends words to dst, folded as if dst and the words were one word.
func AppendJoined(dst []byte, words ...string) []byte {
	for _, word := range words {
		word = JoinedRest(string(dst[max(0, len(dst)-2*utf8.UTFMax):]), word) // Swallows needs only two letters
		dst = append(dst, word...)
	}
	return dst
}

package analysis

import (
	"strings"
	"unicode/utf8"
)

// The spellings of an article number, DK-4711/B, dk 4711 b and dk4711b, meet in the last one. A value has it as a text of its
// own when it is no longer than MaxJoinedLetters; neighbouring words of a query make it when one of them has a digit and they
// are no more than MaxJoinedWords.
const (
	MaxJoinedLetters = 40
	MaxJoinedWords   = 4
)

// Joined returns the key that the words of a key make when they are written as one; ok is false when it has more than
// MaxJoinedLetters, of which it reads no more.
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

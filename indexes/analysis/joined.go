package analysis

// The spellings of an article number, DK-4711/B, dk 4711 b and dk4711b, meet in the last one. A value has it as a text of its
// own when it is no longer than MaxJoinedLetters; neighbouring words of a query make it when one of them has a digit and they
// are no more than MaxJoinedWords.
const (
	MaxJoinedLetters = 40
	MaxJoinedWords   = 4
)

// AppendJoined appends the key that words make when they are written as one.
func AppendJoined(dst []byte, words ...string) []byte {
	for i, word := range words {
		if i > 0 {
			word = Behind(string(dst), word)
		}
		dst = append(dst, word...)
	}
	return dst
}

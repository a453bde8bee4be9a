package analysis

import (
	"strings"
	"sync"
)

// IsFunctionWord reports whether a word of a key is an article, a preposition, a conjunction, an auxiliary or a pronoun, of
// German or English, by the package's list. Such a word says nothing of a product.
func IsFunctionWord(word string) bool { return functionWords()[word] }

// functionWords has the words of function_words.txt.
var functionWords = sync.OnceValue(parseFunctionWords)

func parseFunctionWords() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(functionWordList) {
		for word := range strings.FieldsSeq(entryOf(line)) {
			words[Key(word)] = true
		}
	}
	return words
}

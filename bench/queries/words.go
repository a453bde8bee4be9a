package queries

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words returns the words of a text in small letters. Their spelling stays as it is: rules compare products
// of one catalogue with each other, and not with what somebody typed.
func words(text string) []string { return wordsAsWritten(strings.ToLower(text)) }

// wordsAsWritten returns the words of a text with their capitals.
func wordsAsWritten(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// isLong reports whether a word has so many letters or more, and nothing but letters.
func isLong(word string, letters int) bool {
	return utf8.RuneCountInString(word) >= letters && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r)
	})
}

// longWords returns the words of a text, as written, of so many letters or more.
func longWords(text string, letters int) []string {
	return slices.DeleteFunc(wordsAsWritten(text), func(word string) bool { return !isLong(word, letters) })
}

// same reports whether a text is one of others but for capitals.
func same(others []string, text string) bool {
	return slices.ContainsFunc(others, func(other string) bool { return strings.EqualFold(other, text) })
}

// hold reports whether texts, taken together, hold every word, which are in small letters.
func hold(texts, wanted []string) bool {
	return holdEach(texts, wanted, func(held, wanted string) bool { return held == wanted })
}

// holdEach is hold for words that may be held in another way.
func holdEach(texts, wanted []string, by func(held, wanted string) bool) bool {
	var all []string
	for _, text := range texts {
		all = append(all, words(text)...)
	}
	for _, word := range wanted {
		if !slices.ContainsFunc(all, func(held string) bool { return by(held, word) }) {
			return false
		}
	}
	return true
}

// holdPhrase reports whether one of the texts holds the words, which are in small letters, next to each other
// and in order.
func holdPhrase(texts, wanted []string) bool {
	for _, text := range texts {
		held := words(text)
		for i := 0; i+len(wanted) <= len(held); i++ {
			if slices.Equal(held[i:i+len(wanted)], wanted) {
				return true
			}
		}
	}
	return false
}

// A lexicon is what the words of all products together tell. Its words are in small letters.
type lexicon struct {
	often    map[string]int      // how often a word occurs in names, manufacturers, categories and descriptions
	labelled map[string][]int    // word of a label to the products, by place, that have it there
	parts    map[string][]string // word to its parts, once they were asked for
}

func newLexicon(products []Product) *lexicon {
	x := &lexicon{often: map[string]int{}, labelled: map[string][]int{}, parts: map[string][]string{}}
	for place := range products {
		p := &products[place]
		for _, text := range append(p.texts(), p.Category) {
			for _, word := range words(text) {
				x.often[word]++
			}
		}
		for _, word := range p.labelWords() {
			x.labelled[word] = append(x.labelled[word], place)
		}
	}
	return x
}

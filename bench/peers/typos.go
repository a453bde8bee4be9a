package main

import (
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/runtime"
)

// maxEdits returns how many edits make a misspelt word of another: none in a word with a digit or a short
// one.
func maxEdits(word string) int {
	n := letters(word)
	switch {
	case n < runtime.MinCorrected || hasDigit(word):
		return 0
	case n < runtime.MinTwice:
		return 1
	}
	return indexes.MaxEdits
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }

// correctable returns the words of a product, and the parts of compounds, that others may be misspellings of,
// each once.
func (g glossary) correctable(p *document) []string {
	var forms []string
	for _, text := range p.texts() {
		for _, word := range analysis.Words(text) {
			forms = append(forms, g[word].forms...)
		}
	}
	slices.Sort(forms)
	return slices.DeleteFunc(slices.Compact(forms), hasDigit)
}

// shortened returns a word, and what is left of it without one letter, two, and so on up to a number, each
// once. Two words within so many edits of each other have one of these in common: that is how one finds them
// in a database.
func shortened(word string, without int) []string {
	all := []string{word}
	for from := 0; without > 0; without-- {
		to := len(all)
		for _, longer := range all[from:to] {
			runes := []rune(longer)
			for i := range runes {
				all = append(all, string(runes[:i])+string(runes[i+1:]))
			}
		}
		from = to
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// maxShortened is the number of letters that the shortened words lack which a database keeps of a word: two,
// unless nothing as long can be taken for the word by two edits.
func maxShortened(word string) int {
	if letters(word) < runtime.MinTwice-indexes.MaxEdits {
		return 1
	}
	return indexes.MaxEdits
}

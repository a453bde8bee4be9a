package main

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxEdits returns how many edits make a misspelt word of another: none in a word with a digit or of 3 letters or fewer.
func maxEdits(word string) int {
	letters := utf8.RuneCountInString(word)
	switch {
	case letters < 4 || strings.ContainsAny(word, "0123456789"):
		return 0
	case letters < 8:
		return 1
	}
	return 2
}

// A dictionary holds the words of a catalogue that have no digits, in a database.
type dictionary interface {
	known(word string) (bool, error)
	similar(word string) ([]string, error) // known words that share trigrams with a word, those with most first
}

// corrections returns for each word what may stand for it: the word itself where it is known or never wrong, else the words
// within the edits that maxEdits allows. It is nil when a word has none. This is how one corrects typing errors with a
// database that knows trigrams, and no edits.
func corrections(d dictionary, words []string) ([][]string, error) {
	var all [][]string
	for _, word := range words {
		candidates, err := candidatesFor(d, word)
		if err != nil || len(candidates) == 0 {
			return nil, err
		}
		all = append(all, candidates)
	}
	return all, nil
}

func candidatesFor(d dictionary, word string) ([]string, error) {
	most := maxEdits(word)
	known, err := most == 0, error(nil)
	if !known {
		known, err = d.known(word)
	}
	if known || err != nil {
		return []string{word}, err
	}
	similar, err := d.similar(word)
	return slices.DeleteFunc(similar, func(s string) bool { return edits([]rune(s), []rune(word)) > most }), err
}

// edits counts how many letters have to be put in, left out, changed or swapped with the next to make b of a.
func edits(a, b []rune) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1) // for the letters of a so far, by letters of b
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// trigrams returns the distinct trigrams of a text.
func trigrams(text string) []string {
	letters := []rune(text)
	var all []string
	for i := range len(letters) - 2 {
		all = append(all, string(letters[i:i+3]))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

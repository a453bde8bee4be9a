package queries

import (
	"strings"
	"unicode/utf8"

	"sabine/runtime"
)

// The letters that nonsense is made of.
const (
	consonants = "bcdfghjklmnpqrstvwxz"
	vowels     = "aeiouy"
)

// nonsense asks for one to three words that mean nothing and resemble no word of the catalogue, half of which
// can be spoken.
func nonsense(d *deriver, _ *Product) *Question {
	var text []string
	for range 1 + d.IntN(3) {
		text = append(text, d.nonsenseWord())
	}
	return &Question{Query: runtime.Query{Text: strings.Join(text, " ")}, Nothing: true}
}

func (d *deriver) nonsenseWord() string {
	second := d.one([]string{vowels, consonants})
	for {
		word := make([]byte, 5+d.IntN(8))
		for i := range word {
			letters := consonants
			if i%2 == 1 {
				letters = second
			}
			word[i] = letters[d.IntN(len(letters))]
		}
		if !d.lexicon.resembles(string(word)) {
			return string(word)
		}
	}
}

// resembles reports whether a word is a piece of one of the catalogue's, or can be made of one by two edits.
func (x *lexicon) resembles(word string) bool {
	const near = 2
	letters := []rune(word)
	for known := range x.often {
		longer := utf8.RuneCountInString(known) - len(letters)
		if strings.Contains(known, word) || -near <= longer && longer <= near && Edits([]rune(known), letters) <= near {
			return true
		}
	}
	return false
}

// Edits counts the letters that have to be put in, left out, changed or exchanged with the next one to make b
// of a.
func Edits(a, b []rune) int {
	// for the letters of a so far, by letters of b
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next[0] = i + 1
		for j := range b {
			next[j+1] = row[j]
			if a[i] != b[j] {
				next[j+1] = 1 + min(row[j], row[j+1], next[j])
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], 1+before[j-1])
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}

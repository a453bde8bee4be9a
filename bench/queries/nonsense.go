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

// nonsense asks for one to three words that mean nothing and resemble no word of the catalogue, half of which can be spoken.
func nonsense(d *deriver, _ *Product) (Question, bool) {
	var text []string
	for range 1 + d.IntN(3) {
		text = append(text, d.nonsenseWord())
	}
	return Question{Query: runtime.Query{Text: strings.Join(text, " ")}, Nothing: true}, true
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
		if strings.Contains(known, word) || -near <= longer && longer <= near && edits([]rune(known), letters) <= near {
			return true
		}
	}
	return false
}

// edits counts the letters that have to be put in, left out or changed to make b of a.
func edits(a, b []rune) int {
	row := make([]int, len(b)+1) // for the letters of a so far, by letters of b
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

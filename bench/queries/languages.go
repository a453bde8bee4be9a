package queries

import (
	"slices"
	"strings"
)

// vocabulary asks for a value of a product's category, character or installation, alone or with a word of its
// label.
func vocabulary(d *deriver, p *Product) (Question, bool) {
	value := d.one(append([]string{p.Category, p.Character}, p.Installations...))
	if value == "" {
		return Question{}, false
	}
	has := func(hit *Product) bool {
		return hit.Category == value || hit.Character == value || slices.Contains(hit.Installations, value)
	}
	word := strings.ToLower(d.one(longWords(d.label(p), 4)))
	if word == "" || d.IntN(4) == 0 {
		return about(value, has), true
	}
	return about(value+" "+word, func(hit *Product) bool { return has(hit) && hold(hit.texts(), []string{word}) }), true
}

// otherLanguage asks for the words of an English label that the German one lacks.
func otherLanguage(_ *deriver, p *Product) (Question, bool) {
	q := named(strings.Join(englishWords(p), " "))
	return q, q.Text != ""
}

// englishWords returns the words of an English label that the German one lacks.
func englishWords(p *Product) []string {
	german := words(p.Labels.In("de"))
	return slices.DeleteFunc(words(p.Labels.In("en")), func(word string) bool { return slices.Contains(german, word) })
}

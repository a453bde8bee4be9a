package queries

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sabine/runtime"
)

// Spellings of umlauts on a keyboard without umlauts, or by another program.
var spellings = []func(string) string{
	strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss").Replace,
	strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "Ä", "A", "Ö", "O", "Ü", "U", "ß", "ss").Replace,
	norm.NFD.String,
	strings.ToUpper,
	func(s string) string { return strings.ToUpper(strings.ReplaceAll(s, "ß", "ss")) },
}

// umlautSpelling searches for a label, a word in it or a manufacturer, with umlauts spelt differently.
func umlautSpelling(d *deriver, p *Product) *Question {
	label := p.Labels.In("de")
	var q *Question
	switch d.IntN(3) {
	case 0:
		q = exactly(label)
	case 1:
		plain := func(word string) bool { return !hasUmlaut(word) }
		q = named(one(d, slices.DeleteFunc(wordsAsWritten(label), plain)))
	case 2:
		q = madeBy(p.Manufacturer)
	}
	if q == nil || !hasUmlaut(q.Text) {
		return nil
	}
	q.Text = spellings[d.IntN(len(spellings))](q.Text)
	q.NoFallback = true
	return q
}

func hasUmlaut(text string) bool { return strings.ContainsAny(text, "äöüÄÖÜß") }

// oneTypo searches for a label, or a word in it, with a typo in a word of at least four letters.
func oneTypo(d *deriver, p *Product) *Question { return d.misspelt(p, 4, d.typo) }

// twoTypos searches for a label, or a word in it, with a typo in each half of a word of at least eight
// letters.
func twoTypos(d *deriver, p *Product) *Question {
	return d.misspelt(p, 8, func(word string) string {
		letters := []rune(word)
		middle := len(letters) / 2
		return d.typo(string(letters[:middle])) + d.typo(string(letters[middle:]))
	})
}

// misspelt searches for a label with one misspelt long word, or for that word without the label.
func (d *deriver) misspelt(p *Product, letters int, misspell func(string) string) *Question {
	label := d.label(p)
	word := one(d, longWords(label, letters))
	if word == "" {
		return nil
	}
	q := exactly(label)
	if d.IntN(2) == 0 {
		small := strings.ToLower(word)
		q = about(word, func(hit *Product) bool { return hold(hit.texts(), []string{small}) })
	}
	q.Text = strings.Replace(q.Text, word, misspell(word), 1)
	q.StrictEmpty = true
	return q
}

// typo swaps two letters in a word, or deletes, inserts or replaces one. It does not change umlauts and ß,
// since their other spellings are not typos. A word that consists only of umlauts and ß is unchanged.
func (d *deriver) typo(word string) string {
	letters := []rune(word)
	var places []int // indexes of letters that can change, each before a different letter
	for i := range len(letters) - 1 {
		if letters[i] <= 'z' && letters[i+1] <= 'z' && letters[i] != letters[i+1] {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return word
	}
	i := places[d.IntN(len(places))]
	before, letter, behind := string(letters[:i]), string(letters[i]), string(letters[i+1:])
	stray := string('a' + rune(d.IntN(26)))
	switch d.IntN(4) {
	case 0:
		return before + string(letters[i+1]) + letter + string(letters[i+2:])
	case 1:
		return before + behind
	case 2:
		return before + stray + letter + behind
	}
	return before + stray + behind
}

// garbledName searches for a label in which every other long word is cut to three letters or lacks every
// third letter, as after a poor scan.
func garbledName(d *deriver, p *Product) *Question {
	label := d.label(p)
	q := exactly(label)
	for i, word := range longWords(label, 7) {
		if i%2 == 0 {
			q.Text = strings.Replace(q.Text, word, d.garbled([]rune(word)), 1)
		}
	}
	q.FuzzyEmpty = true
	return q.with(q.Text != label)
}

func (d *deriver) garbled(word []rune) string {
	if d.IntN(2) == 0 {
		return string(word[:3])
	}
	i := 0
	return string(slices.DeleteFunc(word, func(rune) bool {
		i++
		return i%3 == 0
	}))
}

// nonsense searches for one to three meaningless words that do not resemble any word in the catalogue. Half
// of them can be pronounced.
func nonsense(d *deriver, _ *Product) *Question {
	var text []string
	for range 1 + d.IntN(3) {
		text = append(text, d.nonsenseWord())
	}
	return &Question{Query: runtime.Query{Text: strings.Join(text, " ")}, Nothing: true}
}

func (d *deriver) nonsenseWord() string {
	const consonants = "bcdfghjklmnpqrstvwxz"
	second := one(d, []string{"aeiouy", consonants})
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

// resembles reports whether a word is part of a word in the catalogue, or is within two edits of such a word.
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

// Edits returns the number of insertions, deletions, replacements and swaps of neighbouring letters that
// change a to b.
func Edits(a, b []rune) int {
	// Each row contains the distances between one prefix of a and all prefixes of b.
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

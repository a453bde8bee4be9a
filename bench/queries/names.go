package queries

import (
	"regexp"
	"strings"
	"unicode"

	"sabine/indexes/analysis"
)

// exact asks for a whole label, commercial name, slug, id or manufacturer's name.
func exact(d *deriver, p *Product) (Question, bool) {
	switch d.IntN(5) {
	case 0:
		return exactly(d.label(p)), true
	case 1:
		return exactly(p.CommercialName), p.CommercialName != ""
	case 2:
		return about(p.Slug, func(hit *Product) bool { return hit.Slug == p.Slug }), p.Slug != ""
	case 3:
		return about(p.ID, func(hit *Product) bool { return hit.ID == p.ID }), true
	}
	return madeBy(p.Manufacturer), true
}

// exactly asks for a product of that name.
func exactly(name string) Question {
	return about(name, func(hit *Product) bool { return same(hit.names(), name) })
}

// madeBy asks for a product of that manufacturer.
func madeBy(name string) Question {
	return about(name, func(hit *Product) bool { return hit.Manufacturer == name })
}

// named asks for a product whose names hold the words.
func named(text string) Question {
	wanted := words(text)
	return about(text, func(hit *Product) bool { return hold(hit.names(), wanted) })
}

// partOfName asks for one or two words of a label.
func partOfName(d *deriver, p *Product) (Question, bool) {
	long := longWords(d.label(p), 4)
	if len(long) == 0 {
		return Question{}, false
	}
	i := d.IntN(len(long))
	return named(strings.Join(long[i:min(i+1+d.IntN(2), len(long))], " ")), true
}

// prefix asks for the first two to five letters of a label.
func prefix(d *deriver, p *Product) (Question, bool) {
	letters := []rune(d.label(p))
	start := letters[:min(2+d.IntN(4), len(letters))]
	for _, r := range start {
		if !unicode.IsLetter(r) {
			return Question{}, false
		}
	}
	small := strings.ToLower(string(start))
	return about(small, func(hit *Product) bool {
		for _, name := range append(hit.names(), hit.Manufacturer) {
			if strings.HasPrefix(strings.ToLower(name), small) {
				return true
			}
		}
		return false
	}), true
}

// manufacturerAndWord asks for what the product is called and who makes it, in either order.
func manufacturerAndWord(d *deriver, p *Product) (Question, bool) {
	word := d.one(longWords(d.label(p), 4))
	text := p.Manufacturer + " " + word
	if d.IntN(2) == 0 {
		text = word + " " + p.Manufacturer
	}
	small := strings.ToLower(word)
	return about(text, func(hit *Product) bool {
		return hit.Manufacturer == p.Manufacturer && hold(hit.texts(), []string{small})
	}), word != "" && !analysis.IsFunctionWord(analysis.Key(word)) // which nobody need hold
}

// measure finds a size in a name: a thickness and a length, or millimetres.
var measure = regexp.MustCompile(`(\d+)(/| )(\d+|mm)\b`)

// numbers asks for a size in a name, alone or behind the word before it, with another sign between its
// numbers.
func numbers(d *deriver, p *Product) (Question, bool) {
	name := d.one(p.names())
	at := measure.FindStringSubmatchIndex(name)
	if at == nil {
		return Question{}, false
	}
	size, first, second := name[at[0]:at[1]], name[at[2]:at[3]], name[at[6]:at[7]]
	text := first + d.one([]string{"/", "-", " "}) + second
	if second == "mm" {
		text = first + d.one([]string{" ", ""}) + second
	}
	before := wordsAsWritten(name[:at[0]])
	if len(before) == 0 || d.IntN(2) == 0 {
		return about(text, func(hit *Product) bool { return holdPhrase(hit.texts(), words(size)) }), true
	}
	word := before[len(before)-1]
	return about(word+" "+text, func(hit *Product) bool { return holdPhrase(hit.texts(), words(word+" "+size)) }), true
}

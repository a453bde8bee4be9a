package queries

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sabine/indexes/analysis"
)

// exact asks for a whole label, commercial name, slug, id or manufacturer's name.
func exact(d *deriver, p *Product) *Question {
	switch d.IntN(5) {
	case 0:
		return exactly(d.label(p))
	case 1:
		return exactly(p.CommercialName)
	case 2:
		return about(p.Slug, func(hit *Product) bool { return hit.Slug == p.Slug })
	case 3:
		return about(p.ID, func(hit *Product) bool { return hit.ID == p.ID })
	}
	return madeBy(p.Manufacturer)
}

// exactly asks for a product of that name.
func exactly(name string) *Question {
	return about(name, func(hit *Product) bool { return same(hit.names(), name) })
}

// madeBy asks for a product of that manufacturer.
func madeBy(name string) *Question {
	return about(name, func(hit *Product) bool { return hit.Manufacturer == name })
}

// named asks for a product whose names hold the words.
func named(text string) *Question {
	wanted := words(text)
	return about(text, func(hit *Product) bool { return hold(hit.names(), wanted) })
}

// partOfName asks for one or two words of a label.
func partOfName(d *deriver, p *Product) *Question {
	long := longWords(d.label(p), 4)
	if len(long) == 0 {
		return nil
	}
	i := d.IntN(len(long))
	return named(strings.Join(long[i:min(i+1+d.IntN(2), len(long))], " "))
}

// prefix asks for the first two to five letters of a label.
func prefix(d *deriver, p *Product) *Question {
	letters := []rune(d.label(p))
	start := strings.ToLower(string(letters[:min(2+d.IntN(4), len(letters))]))
	if strings.ContainsFunc(start, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return nil
	}
	begins := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), start) }
	return about(start, func(hit *Product) bool {
		return begins(hit.Manufacturer) || slices.ContainsFunc(hit.names(), begins)
	})
}

// manufacturerAndWord asks for what the product is called and who makes it, in either order.
func manufacturerAndWord(d *deriver, p *Product) *Question {
	word := d.one(longWords(d.label(p), 4))
	text := p.Manufacturer + " " + word
	if d.IntN(2) == 0 {
		text = word + " " + p.Manufacturer
	}
	if word == "" || analysis.IsFunctionWord(analysis.Key(word)) { // no hit has to hold it
		return nil
	}
	small := strings.ToLower(word)
	return about(text, func(hit *Product) bool {
		return hit.Manufacturer == p.Manufacturer && hold(hit.texts(), []string{small})
	})
}

// measure finds a size in a name: a thickness and a length, or millimetres.
var measure = regexp.MustCompile(`(\d+)(/| )(\d+|mm)\b`)

// numbers asks for a size in a name, alone or behind the word before it, with another sign between its
// numbers.
func numbers(d *deriver, p *Product) *Question {
	name := d.one(p.names())
	at := measure.FindStringSubmatchIndex(name)
	if at == nil {
		return nil
	}
	size, first, second := name[at[0]:at[1]], name[at[2]:at[3]], name[at[6]:at[7]]
	text := first + d.one([]string{"/", "-", " "}) + second
	if second == "mm" {
		text = first + d.one([]string{" ", ""}) + second
	}
	before := wordsAsWritten(name[:at[0]])
	if len(before) > 0 && d.IntN(2) != 0 {
		word := before[len(before)-1] + " "
		text, size = word+text, word+size
	}
	return about(text, func(hit *Product) bool { return holdPhrase(hit.texts(), words(size)) })
}

// vocabulary asks for a value of a product's category, character or installation, alone or with a word of its
// label.
func vocabulary(d *deriver, p *Product) *Question {
	value := d.one(append([]string{p.Category, p.Character}, p.Installations...))
	if value == "" {
		return nil
	}
	has := func(hit *Product) bool {
		return hit.Category == value || hit.Character == value || slices.Contains(hit.Installations, value)
	}
	word := strings.ToLower(d.one(longWords(d.label(p), 4)))
	if word == "" || d.IntN(4) == 0 {
		return about(value, has)
	}
	return about(value+" "+word, func(hit *Product) bool { return has(hit) && hold(hit.texts(), []string{word}) })
}

// otherLanguage asks for the words of an English label that the German one lacks.
func otherLanguage(_ *deriver, p *Product) *Question {
	return named(strings.Join(englishWords(p), " "))
}

// englishWords returns the words of an English label that the German one lacks.
func englishWords(p *Product) []string {
	german := words(p.Labels.In("de"))
	return slices.DeleteFunc(words(p.Labels.In("en")), func(word string) bool { return slices.Contains(german, word) })
}

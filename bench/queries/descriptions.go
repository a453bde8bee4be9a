package queries

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// description returns one of a product's descriptions, "" when it has none.
func (d *deriver) description(p *Product) string { return d.one(textsOf(p.Descriptions)) }

// descriptionPhrase asks for two or three words that stand next to each other in a sentence of a description.
func descriptionPhrase(d *deriver, p *Product) *Question {
	row := wordsAsWritten(d.one(strings.Split(d.description(p), ". ")))
	n := 2 + d.IntN(2)
	if len(row) < n {
		return nil
	}
	i := d.IntN(len(row) - n + 1)
	text := strings.Join(row[i:i+n], " ")
	return about(text, func(hit *Product) bool { return holdPhrase(hit.texts(), words(text)) })
}

// descriptionWords asks for the three rarest words of a description, in no order.
func descriptionWords(d *deriver, p *Product) *Question {
	const rare = 3
	found := longWords(strings.ToLower(d.description(p)), 4)
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(d.lexicon.often[a], d.lexicon.often[b]), strings.Compare(a, b))
	})
	found = slices.Compact(found)
	if len(found) < rare {
		return nil
	}
	found = found[:rare]
	d.Shuffle(rare, func(i, j int) { found[i], found[j] = found[j], found[i] })
	return about(strings.Join(found, " "), func(hit *Product) bool { return hold(hit.texts(), found) })
}

// What a product is made of and where it is meant for, as a description tells it in either language.
var (
	material = regexp.MustCompile(`\b(?:aus|of) ([^,.]+)[,.]`)
	place    = regexp.MustCompile(`\b(?:[Ff]ür|for) ([^,.]+?) (?:und|and) `)
)

// sentences are what people and programs ask: for a kind, a material and a place, in each language.
var sentences = map[string][]string{
	"de": {
		"Ich suche %s aus %s für %s",
		"Gibt es %s aus %s, geeignet für %s?",
		"Wir brauchen dringend %s, am besten aus %s, und zwar für %s.",
	},
	"en": {
		"I am looking for some %s of %s for %s",
		"Do you have any %s made of %s that would suit %s?",
		"Please find me a good %s, preferably %s, that we can use in %s.",
	},
}

// sentence asks for a product by its kind, its material and its place, in a whole sentence. What ends so will
// do: an Akustikdeckensegel is a Deckensegel.
func sentence(d *deriver, p *Product) *Question {
	language := d.one([]string{"de", "en"})
	description := p.Descriptions.In(language)
	isMaterial, isPlace := material.FindStringSubmatch(description), place.FindStringSubmatch(description)
	kind := kindOf(p, language)
	if isMaterial == nil || isPlace == nil || kind == "" {
		return nil
	}
	text := fmt.Sprintf(d.one(sentences[language]), kind, isMaterial[1], isPlace[1])
	wanted := words(kind + " " + isMaterial[1] + " " + isPlace[1])
	return about(text, func(hit *Product) bool { return holdEach(hit.texts(), wanted, strings.HasSuffix) })
}

// kindOf returns what a label calls its product, as far as another language tells: the German word is the
// longest one, the English ones are those that the German label lacks.
func kindOf(p *Product, language string) string {
	if language == "en" {
		return strings.Join(englishWords(p), " ")
	}
	kinds := longWords(p.Labels.In(language), 4)
	if len(kinds) == 0 {
		return ""
	}
	return slices.MaxFunc(kinds, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
}

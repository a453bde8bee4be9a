package queries

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sabine/indexes/analysis"
)

// exact searches for a complete label, commercial name, slug, id or manufacturer's name.
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

func exactly(name string) *Question {
	same := func(other string) bool { return strings.EqualFold(other, name) }
	return about(name, func(hit *Product) bool { return slices.ContainsFunc(hit.names(), same) })
}

func madeBy(name string) *Question {
	return about(name, func(hit *Product) bool { return hit.Manufacturer == name })
}

func named(text string) *Question {
	wanted := words(text)
	return about(text, func(hit *Product) bool { return hold(hit.names(), wanted) })
}

// partOfName searches for one or two words from a label.
func partOfName(d *deriver, p *Product) *Question {
	long := longWords(d.label(p), 4)
	if len(long) == 0 {
		return nil
	}
	i := d.IntN(len(long))
	return named(strings.Join(long[i:min(i+1+d.IntN(2), len(long))], " "))
}

// prefix searches for the first two to five letters of a label.
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

// manufacturerAndWord searches for the manufacturer and a word from a label, in random order.
func manufacturerAndWord(d *deriver, p *Product) *Question {
	word := d.word(p)
	text := p.Manufacturer + " " + word
	if d.IntN(2) == 0 {
		text = word + " " + p.Manufacturer
	}
	if word == "" || analysis.IsFunctionWord(analysis.Key(word)) { // hits need not contain function words
		return nil
	}
	small := strings.ToLower(word)
	return about(text, func(hit *Product) bool {
		return hit.Manufacturer == p.Manufacturer && hold(hit.texts(), []string{small})
	})
}

// measure matches a size in a name: two numbers, or a number of millimetres.
var measure = regexp.MustCompile(`(\d+)(/| )(\d+|mm)\b`)

// numbers searches for a size in a name, with or without the preceding word. The separator between the
// numbers may be different.
func numbers(d *deriver, p *Product) *Question {
	name := one(d, p.names())
	at := measure.FindStringSubmatchIndex(name)
	if at == nil {
		return nil
	}
	size, first, second := name[at[0]:at[1]], name[at[2]:at[3]], name[at[6]:at[7]]
	text := first + one(d, []string{"/", "-", " "}) + second
	if second == "mm" {
		text = first + one(d, []string{" ", ""}) + second
	}
	before := wordsAsWritten(name[:at[0]])
	if len(before) > 0 && d.IntN(2) != 0 {
		word := before[len(before)-1] + " "
		text, size = word+text, word+size
	}
	return about(text, func(hit *Product) bool { return holdPhrase(hit.texts(), words(size)) })
}

// vocabulary searches for a product's category, character or installation, with or without a word from its
// label.
func vocabulary(d *deriver, p *Product) *Question {
	value := one(d, append([]string{p.Category, p.Character}, p.Installations...))
	if value == "" {
		return nil
	}
	has := func(hit *Product) bool {
		return hit.Category == value || hit.Character == value || slices.Contains(hit.Installations, value)
	}
	word := strings.ToLower(d.word(p))
	if word == "" || d.IntN(4) == 0 {
		return about(value, has)
	}
	return about(value+" "+word, func(hit *Product) bool { return has(hit) && hold(hit.texts(), []string{word}) })
}

// otherLanguage searches for the words in an English label that are not in the German label.
func otherLanguage(_ *deriver, p *Product) *Question { return named(kindOf(p, "en")) }

// descriptionPhrase searches for two or three consecutive words from one sentence of a description.
func descriptionPhrase(d *deriver, p *Product) *Question {
	row := wordsAsWritten(one(d, strings.Split(one(d, TextsOf(p.Descriptions)), ". ")))
	n := 2 + d.IntN(2)
	if len(row) < n {
		return nil
	}
	i := d.IntN(len(row) - n + 1)
	text := strings.Join(row[i:i+n], " ")
	return about(text, func(hit *Product) bool { return holdPhrase(hit.texts(), words(text)) })
}

// descriptionWords searches for the three rarest words of a description, in random order.
func descriptionWords(d *deriver, p *Product) *Question {
	const rare = 3
	found := longWords(strings.ToLower(one(d, TextsOf(p.Descriptions))), 4)
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

// Materials and locations that descriptions mention, in both languages.
var (
	material = regexp.MustCompile(`\b(?:aus|of) ([^,.]+)[,.]`)
	place    = regexp.MustCompile(`\b(?:[Ff]ür|for) ([^,.]+?) (?:und|and) `)
)

// sentences contains requests for a kind, a material and a location, in both languages.
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

// sentence searches for a product by its kind, material and location, in a complete sentence. A kind that
// ends in the requested word is a good answer: an Akustikdeckensegel is a Deckensegel.
func sentence(d *deriver, p *Product) *Question {
	language := one(d, []string{"de", "en"})
	description := p.Descriptions.In(language)
	isMaterial, isPlace := material.FindStringSubmatch(description), place.FindStringSubmatch(description)
	kind := kindOf(p, language)
	if isMaterial == nil || isPlace == nil || kind == "" {
		return nil
	}
	text := fmt.Sprintf(one(d, sentences[language]), kind, isMaterial[1], isPlace[1])
	wanted := words(kind + " " + isMaterial[1] + " " + isPlace[1])
	return about(text, func(hit *Product) bool { return holdEach(hit.texts(), wanted, strings.HasSuffix) })
}

// kindOf returns the product kind that a label names. In German this is the longest word. In English it is
// the words that are not in the German label.
func kindOf(p *Product, language string) string {
	if language == "en" {
		german := words(p.Labels.In("de"))
		isGerman := func(word string) bool { return slices.Contains(german, word) }
		return strings.Join(slices.DeleteFunc(words(p.Labels.In("en")), isGerman), " ")
	}
	kinds := longWords(p.Labels.In(language), 4)
	if len(kinds) == 0 {
		return ""
	}
	return slices.MaxFunc(kinds, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
}

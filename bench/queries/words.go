package queries

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words returns the words in a text in lower case. It does not normalise the spelling, since rules compare
// products in one catalogue with each other and not with what users type.
func words(text string) []string { return wordsAsWritten(strings.ToLower(text)) }

// wordsAsWritten returns the words in a text without changes to their case.
func wordsAsWritten(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// isLong reports whether a word consists only of letters and has at least the given number of them.
func isLong(word string, letters int) bool {
	return utf8.RuneCountInString(word) >= letters && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r)
	})
}

// longWords returns the words in a text, as written, that have at least the given number of letters.
func longWords(text string, letters int) []string {
	return slices.DeleteFunc(wordsAsWritten(text), func(word string) bool { return !isLong(word, letters) })
}

// hold reports whether the texts together contain every wanted lower-case word.
func hold(texts, wanted []string) bool {
	return holdEach(texts, wanted, func(held, wanted string) bool { return held == wanted })
}

// holdEach does what hold does, but compares words with the function by.
func holdEach(texts, wanted []string, by func(held, wanted string) bool) bool {
	all := words(strings.Join(texts, " "))
	return !slices.ContainsFunc(wanted, func(word string) bool {
		return !slices.ContainsFunc(all, func(held string) bool { return by(held, word) })
	})
}

// holdPhrase reports whether one of the texts contains the wanted lower-case words in sequence.
func holdPhrase(texts, wanted []string) bool {
	between := func(words []string) string { return " " + strings.Join(words, " ") + " " }
	return slices.ContainsFunc(texts, func(text string) bool {
		return strings.Contains(between(words(text)), between(wanted))
	})
}

// A lexicon contains the words of all products, in lower case.
type lexicon struct {
	often    map[string]int      // number of occurrences in names, manufacturers, categories and descriptions
	labelled map[string][]int    // from a word in labels to the indexes of its products
	parts    map[string][]string // cache of partsOf
}

func newLexicon(products []Product) *lexicon {
	x := &lexicon{often: map[string]int{}, labelled: map[string][]int{}, parts: map[string][]string{}}
	for place := range products {
		p := &products[place]
		for _, text := range append(p.texts(), p.Category) {
			for _, word := range words(text) {
				x.often[word]++
			}
		}
		for _, word := range p.labelWords() {
			x.labelled[word] = append(x.labelled[word], place)
		}
	}
	return x
}

// minPart is the smallest number of letters in a part of a compound and in the remainder of the compound.
const minPart = 4

// compoundPart searches for the first or last part of a compound in a German label. It must find all products
// with a compound of this part and a word. A hit may also combine the part with letters that are not a word.
func compoundPart(d *deriver, p *Product) *Question {
	part := one(d, d.lexicon.partsOf(strings.ToLower(one(d, longWords(p.Labels.In("de"), 2*minPart)))))
	if part == "" || d.asked[part] {
		return nil
	}
	holds := func(word string) bool { return strings.HasPrefix(word, part) || strings.HasSuffix(word, part) }
	q := about(part, func(hit *Product) bool { return slices.ContainsFunc(hit.labelWords(), holds) })
	q.NoFallback = true
	for word, places := range d.lexicon.labelled {
		if word == part || d.lexicon.begins(word, part) || d.lexicon.ends(word, part) {
			q.All = append(q.All, places...)
		}
	}
	slices.Sort(q.All)
	q.All = slices.Compact(q.All)
	return q
}

func (x *lexicon) partsOf(word string) []string {
	parts, known := x.parts[word]
	if known {
		return parts
	}
	var first, last []string
	for i := range word {
		if x.begins(word, word[:i]) {
			first = append(first, word[:i])
		}
		if x.ends(word, word[i:]) {
			last = append(last, word[i:])
		}
	}
	parts = append(x.believable(first, x.begins), x.believable(last, x.ends)...)
	x.parts[word] = parts
	return parts
}

// believable returns the parts that are words. If there are none, it returns the part that occurs in the most
// compounds, at least two. Words can split by chance, as in Tief and enabsorber, but rarely twice at a part.
func (x *lexicon) believable(parts []string, has func(word, part string) bool) []string {
	unknown := func(part string) bool { return !x.isWord(part) }
	if known := slices.DeleteFunc(slices.Clone(parts), unknown); len(known) > 0 {
		return known
	}
	best, most := []string(nil), 1
	for _, part := range parts {
		n := 0
		for word := range x.labelled {
			if has(word, part) {
				n++
			}
		}
		if n > most || n == most && n > 1 && len(part) > len(best[0]) {
			best, most = []string{part}, n
		}
	}
	return best
}

// begins reports whether a word is a compound of the given part followed by a word.
func (x *lexicon) begins(word, part string) bool {
	rest, ok := strings.CutPrefix(word, part)
	return ok && utf8.RuneCountInString(part) >= minPart && x.isWord(rest)
}

// ends reports whether a word is a compound of a word, an optional linking element and the given part.
func (x *lexicon) ends(word, part string) bool {
	rest, ok := strings.CutSuffix(word, part)
	if !ok || utf8.RuneCountInString(part) < minPart {
		return false
	}
	for _, linking := range []string{"", "s", "n", "en", "er", "es"} {
		if first, ok := strings.CutSuffix(rest, linking); ok && x.isWord(first) {
			return true
		}
	}
	return false
}

// isWord reports whether a word occurs in the catalogue outside compounds.
func (x *lexicon) isWord(word string) bool { return isLong(word, minPart) && x.often[word] > 0 }

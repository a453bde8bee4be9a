package queries

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// minPart is the number of letters that a part of a compound has here, and what is left of the compound
// without it.
const minPart = 4

// compoundPart asks for the beginning or the end of a compound in a German label. Every product has to be
// found that has it in a compound whose other half is a word; a hit may have any other half.
func compoundPart(d *deriver, p *Product) *Question {
	part := d.one(d.lexicon.partsOf(strings.ToLower(d.one(longWords(p.Labels.In("de"), 2*minPart)))))
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

// partsOf returns the believable parts that a word begins or ends with.
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

// believable returns those parts that are words, else the one that most compounds have, two at least. Words
// fall into halves by chance too, such as Tief and enabsorber, but seldom twice at the same letter.
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

// begins reports whether a word is a compound that begins with a part, what follows being a word.
func (x *lexicon) begins(word, part string) bool {
	rest, ok := strings.CutPrefix(word, part)
	return ok && utf8.RuneCountInString(part) >= minPart && x.isWord(rest)
}

// ends reports whether a word is a compound that ends with a part, what stands before being a word, perhaps
// with a linking element.
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

// isWord reports whether a word of the catalogue stands by itself somewhere.
func (x *lexicon) isWord(word string) bool { return isLong(word, minPart) && x.often[word] > 0 }

package indexes

import (
	"slices"

	"sabine/indexes/analysis"
)

// PhraseInto unites dst with the documents in which the terms stand next to each other, in order, in one text of the
// field: by the pairs where they are kept, by the streams otherwise, by the vocabulary's texts for FieldCategory.
// One term alone is its set. scratch is overwritten.
func (x *Index) PhraseInto(dst, scratch Dense, f Field, terms []Term) {
	switch {
	case len(terms) == 0:
		return
	case len(terms) == 1:
		x.Terms.Set(terms[0], f).OrInto(dst)
		return
	case f == FieldCategory:
		x.categoryPhraseInto(dst, terms)
		return
	}
	// The documents that hold the phrase are in the set of every term and of every pair of neighbours. The smallest of
	// them is read through; the others pass over most of it before a stream has to be read.
	least := x.Terms.Set(terms[0], f)
	var pairs []Set
	for i, t := range terms {
		if set := x.Terms.Set(t, f); set.Len() < least.Len() {
			least = set
		}
		if i == 0 {
			continue
		}
		set, ok := x.Pairs.Set(terms[i-1], t, f)
		if ok && len(terms) == 2 {
			set.OrInto(dst)
			return
		}
		if ok {
			pairs = append(pairs, set)
			if set.Len() < least.Len() {
				least = set
			}
		}
	}
	scratch.Clear()
	least.OrInto(scratch)
	for d, ok := scratch.Next(0); ok; d, ok = scratch.Next(d + 1) {
		if inAll(pairs, d) && x.Streams.Phrase(d, f, terms) {
			dst.Add(d)
		}
	}
}

// inAll reports whether a document is in each of the sets.
func inAll(sets []Set, d Doc) bool {
	for i := range sets {
		if !sets[i].Contains(d) {
			return false
		}
	}
	return true
}

// A categoryText is one text of FieldCategory as terms, and the facet value whose documents have it.
type categoryText struct {
	family Family
	value  int // in the facet of the family
	terms  []Term
}

// categoryTexts returns the texts of all values of the vocabulary that have documents. They are as many as the
// vocabulary says, whatever the size of the catalogue.
func (x *Index) categoryTexts() []categoryText {
	var texts []categoryText
	for _, v := range x.Meta.Vocabulary {
		if v.Family >= NumFamilies {
			continue
		}
		for i := range v.Values {
			number, ok := x.Facets[v.Family].Find(v.Values[i].Value)
			if !ok || x.Facets[v.Family].Set(number).Len() == 0 {
				continue
			}
			for _, text := range valueTexts(&v.Values[i]) {
				text := categoryText{family: v.Family, value: number, terms: x.termsOf(text)}
				if len(text.terms) > 0 {
					texts = append(texts, text)
				}
			}
		}
	}
	return texts
}

// termsOf returns the words of a key as terms, nil when one of them is not in the catalogue.
func (x *Index) termsOf(key string) []Term {
	var terms []Term
	for _, word := range analysis.Words(key) {
		t, ok := x.Terms.Find(word)
		if !ok {
			return nil
		}
		terms = append(terms, t)
	}
	return terms
}

// valueTexts returns the keys that a value gives its documents as texts of FieldCategory: of the value itself and of its
// display names in every locale. Synonyms are none: a query is widened by them instead.
func valueTexts(v *Value) []string {
	texts := []string{analysis.Key(v.Value)}
	for _, name := range v.Names {
		texts = append(texts, analysis.Key(name))
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// categoryPhraseInto is PhraseInto for FieldCategory.
func (x *Index) categoryPhraseInto(dst Dense, terms []Term) {
	for i := range x.categories {
		text := &x.categories[i]
		if holdsSequence(text.terms, terms) {
			x.Facets[text.family].Set(text.value).OrInto(dst)
		}
	}
}

// holdsSequence reports whether a sequence stands in a text.
func holdsSequence(text, sequence []Term) bool {
	for ; len(text) >= len(sequence); text = text[1:] {
		if slices.Equal(text[:len(sequence)], sequence) {
			return true
		}
	}
	return false
}

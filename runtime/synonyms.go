package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// synonyms is a table from a key of one word or several to the phrases that mean the same. It is made of groups, each
// of which is a list of keys that are synonyms of each other; a key that stands in several groups has the synonyms of
// all of them, and those of its synonyms not.
type synonyms struct {
	of       map[string][][]indexes.Term // phrases as terms; one that has a word which no product has is left out
	maxWords int                         // of the longest key
}

// add takes a group in.
func (s *synonyms) add(t *indexes.Terms, group []string) {
	if s.of == nil {
		s.of = map[string][][]indexes.Term{}
	}
	for i, meaning := range group {
		words := analysis.Words(meaning)
		s.maxWords = max(s.maxWords, len(words))
		terms, ok := termsOf(t, words)
		if !ok {
			continue
		}
		for j, key := range group {
			if i != j && !slices.ContainsFunc(s.of[key], func(known []indexes.Term) bool { return slices.Equal(known, terms) }) {
				s.of[key] = append(s.of[key], terms)
			}
		}
	}
}

// termsOf returns words as terms; ok is false when there are none, or one of them is no word of the catalogue.
func termsOf(t *indexes.Terms, words []string) (terms []indexes.Term, ok bool) {
	terms = make([]indexes.Term, len(words))
	for i, word := range words {
		if terms[i], ok = t.Find(word); !ok {
			return nil, false
		}
	}
	return terms, ok
}

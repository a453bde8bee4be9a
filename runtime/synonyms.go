package runtime

import (
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// synonyms is the vocabulary's: a table from a key of one word or several to the phrases that mean the same. It is made of groups, each
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

// readSynonyms finds the synonyms of every stretch of the query's words. A synonym holds all words of its stretch.
func (w *work) readSynonyms() {
	t := &w.text
	most := max(w.engine.synonyms.maxWords, analysis.MaxSynonymWords)
	begin := 0
	for i := range t.sequence {
		end := begin - 1
		for n := 1; n <= most && i+n <= len(t.sequence); n++ {
			end += 1 + len(t.sequence[i+n-1])
			places := t.places[i : i+n]
			for _, terms := range w.engine.synonyms.of[t.key[begin:end]] {
				t.addPhrase(places, bySynonym, terms)
			}
			w.readCurated(places, analysis.Synonyms(t.key[begin:end]))
		}
		begin += len(t.sequence[i]) + 1
	}
}

// readCurated gives words their curated synonyms. One of a single word is held by its inflected forms too, and by the
// compounds that it is a part of: German writes ceiling baffle as Deckenbaffel, and who asks for a ceiling wants it. One
// of several words is held as a phrase, of which the last word may be inflected.
func (w *work) readCurated(places []int, synonyms []analysis.Synonym) {
	x := w.index
	var single []uint32
	for _, s := range synonyms {
		words := analysis.Words(s.Key)
		last := len(words) - 1
		forms := w.formsOf(words[last])
		if last == 0 {
			single = append(single, forms...)
			if n, ok := x.Parts.Find(s.Key); ok && !s.Whole {
				single = append(single, x.Parts.Numbers(n)...)
			}
		} else if before, ok := termsOf(&x.Terms, words[:last]); ok {
			for _, form := range forms {
				w.text.addPhrase(places, byCurated, append(slices.Clip(before), indexes.Term(form)))
			}
		}
	}
	if len(single) == 0 {
		return
	}
	slices.Sort(single)
	any := source{kind: byCurated, terms: slices.Compact(single)}
	for _, i := range places {
		w.text.add(i, any)
	}
}

// formsOf returns a word and its inflected forms, as analysis.IsInflected tells them, as far as they are terms.
func (w *work) formsOf(word string) []uint32 {
	x := w.index
	var forms []uint32
	if own, ok := x.Terms.Find(word); ok {
		forms = append(forms, uint32(own))
	}
	german, english := analysis.Stems(word)
	for _, stem := range [...]string{indexes.StemGerman + german, indexes.StemEnglish + english} {
		n, ok := x.Stems.Find(stem)
		if !ok {
			continue
		}
		for _, t := range x.Stems.Numbers(n) {
			if strings.HasPrefix(x.Terms.Word(indexes.Term(t)), word) && !slices.Contains(forms, t) {
				forms = append(forms, t)
			}
		}
	}
	return forms
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

package runtime

import (
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// synonyms is the vocabulary's: a table from a key of one word or several to the phrases that stand for it. A value and
// its display names stand for each other, and for each of its synonyms and the reverse. Two synonyms of one value do not
// stand for each other: Glaswolle is mineral wool, and so is Steinwolle. A key that several values have leads to all of
// them.
type synonyms struct {
	of       map[string][][]indexes.Term // phrases as terms; one that has a word which no product has is left out
	maxWords int                         // of the longest key
}

// add takes in the keys of a value: those of its synonyms too, and which of them are the value's own and display names.
func (s *synonyms) add(x *indexes.Index, keys, shown []string) {
	if s.of == nil {
		s.of = map[string][][]indexes.Term{}
	}
	for i, meaning := range keys {
		s.maxWords = max(s.maxWords, len(analysis.Words(meaning)))
		terms, ok := x.AppendTerms(nil, meaning)
		if !ok {
			continue
		}
		isShown := slices.Contains(shown, meaning)
		for j, key := range keys {
			known := func() bool {
				return slices.ContainsFunc(s.of[key], func(other []indexes.Term) bool { return slices.Equal(other, terms) })
			}
			if i != j && (isShown || slices.Contains(shown, key)) && !known() {
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
				t.addPhrase(places, MatchSynonym, terms...)
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
	t, x := &w.text, w.index
	single := len(t.forms) // where the terms of single words begin
	for i := range synonyms {
		s := &synonyms[i]
		start := len(t.forms)
		w.addForms(s)
		if s.Last == s.Key {
			if n, ok := x.Parts.Find(s.Key); ok && !s.Whole {
				for _, i := range places {
					w.addPart(i, MatchCurated, n)
				}
			}
			continue
		}
		var room [analysis.MaxSynonymWords]indexes.Term
		if terms, ok := x.AppendTerms(room[:0], s.Key[:len(s.Key)-len(s.Last)-1]); ok {
			for _, form := range t.forms[start:] {
				t.addPhrase(places, MatchCurated, append(terms, indexes.Term(form))...)
			}
		}
		t.forms = t.forms[:start]
	}
	if single == len(t.forms) {
		return
	}
	slices.Sort(t.forms[single:])
	t.forms = t.forms[:single+len(slices.Compact(t.forms[single:]))]
	for _, i := range places {
		t.add(i, source{kind: MatchCurated, terms: t.forms[single:len(t.forms):len(t.forms)]})
	}
}

// addForms appends the last word of a synonym and its inflected forms, which begin with it and share a stem with it, to
// the forms, as far as they are terms.
func (w *work) addForms(s *analysis.Synonym) {
	t, x := &w.text, w.index
	start := len(t.forms)
	for _, stem := range [...]struct{ language, stem string }{{indexes.StemGerman, s.German}, {indexes.StemEnglish, s.English}} {
		n, ok := x.Stems.FindJoined(stem.language, stem.stem)
		if !ok {
			continue
		}
		for _, form := range x.Stems.Numbers(n) {
			if strings.HasPrefix(x.Terms.Word(indexes.Term(form)), s.Last) && !slices.Contains(t.forms[start:], form) {
				t.forms = append(t.forms, form)
			}
		}
	}
}

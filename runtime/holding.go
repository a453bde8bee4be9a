package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/docset"
)

// noDocs is a set that was asked for, and has no document.
var noDocs = docset.Dense{}

// wordInto unites dst with the documents that hold a word in one of the fields from first to last by a match no worse
// than worst. In a listed scope most often the word as it is stands in all documents, so that nothing else need be asked.
func (a *arena) wordInto(dst docset.Dense, v *word, first, last indexes.Field, worst MatchKind) {
	if first == 0 && last == indexes.NumFields-1 { // all of them: one set has what each of theirs has
		first, last = indexes.FieldAny, indexes.FieldAny
	}
	or := func(set docset.Set) { a.scope.Or(dst, set) }
	orTerms := func(terms []oneTerm, f indexes.Field) {
		for _, t := range terms {
			if t.kind <= worst {
				a.index.Terms.EachSet(t.term, t.term+1, f, or) // most terms are in one field only
			}
		}
	}
	for f := first; f <= last; f++ {
		orTerms(v.terms, f)
	}
	if !a.scope.All() && dst.Len() == a.scope.Len() {
		return
	}
	for f := first; f <= last; f++ {
		for i := range v.groups {
			if g := &v.groups[i]; g.kind <= worst {
				or(g.sets.Set(g.number, f))
			}
		}
		if MatchBeginning <= worst {
			v.beginning.eachSet(f, or)
		}
		orTerms(v.synonyms, f)
		for _, p := range v.phrases {
			if p.kind <= worst {
				a.phraseInto(dst, p.number, f)
			}
		}
	}
	if v.parts.len() > 0 && MatchAllParts <= worst {
		a.compoundInto(dst, v.parts, first, last, worst)
	}
}

// phraseInto unites dst with the documents that hold one of the phrases in a field, or in FieldAny.
func (a *arena) phraseInto(dst docset.Dense, number int, f indexes.Field) {
	if f == indexes.FieldAny {
		for f := range indexes.NumFields {
			a.phraseInto(dst, number, f)
		}
	} else if set := a.phrase(number, f); len(set) > 0 {
		dst.Or(set)
	}
}

// phrase returns the documents that hold one of the phrases in a field, which are found when they are first asked for.
func (a *arena) phrase(number int, f indexes.Field) docset.Dense {
	if known, n := len(a.phrases), len(a.query.phrases); known < n {
		a.phrases = slices.Grow(a.phrases, n-known)[:n]
		clear(a.phrases[known:])
	}
	known := &a.phrases[number][f]
	if *known == nil {
		*known = a.findPhrase(a.query.phrases[number], f)
	}
	return *known
}

func (a *arena) findPhrase(terms []indexes.Term, f indexes.Field) docset.Dense {
	if !a.mayHold(terms, f) {
		return noDocs
	}
	set, scratch := a.take(), a.takeDirty()
	a.index.PhraseInto(set, scratch, a.scope, f, terms)
	if a.give(scratch); set.Empty() {
		a.give(set)
		return noDocs
	}
	return set
}

// holding returns the documents that hold a word, by its number, as the bucket fts asks: in any field, in any way.
func (a *arena) holding(i int) docset.Dense {
	if a.words[i] == nil {
		a.words[i] = a.take()
		a.wordInto(a.words[i], &a.query.words[i], 0, indexes.NumFields-1, worstMatch)
	}
	return a.words[i]
}

// allInto makes dst, which is empty, the documents that hold every word: the bucket fts.
func (a *arena) allInto(dst docset.Dense) {
	words := a.query.words
	for i := range words {
		if !words[i].isKnown() {
			return
		}
	}
	dst.Copy(a.holding(0))
	for i := 1; i < len(words) && !dst.Empty(); i++ {
		dst.And(a.holding(i))
	}
}

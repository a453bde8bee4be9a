package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/docset"
)

// noDocs is a set that was asked for, and has no document.
var noDocs = docset.Dense{}

// waysInto unites dst with the documents that hold one of the ways in one of the fields from first to last,
// or in FieldAny, by a match no worse than worst. In a listed scope most often the word as it is stands in
// all documents, so that nothing else need be asked.
func (a *arena) waysInto(dst docset.Dense, ws ways, first, last indexes.Field, worst MatchKind) {
	if first == 0 && last == indexes.NumFields-1 { // all of them: one set has what each of theirs has
		first, last = indexes.FieldAny, indexes.FieldAny
	}
	or := func(set docset.Set) { a.scope.Or(dst, set) }
	for i := range ws {
		w := &ws[i]
		if w.kind > worst {
			continue
		}
		if i > 0 && !a.scope.All() && dst.Len() == a.scope.Len() {
			return
		}
		switch w.form {
		case formTerms, formGroup:
			for f := first; f <= last; f++ {
				w.eachSet(f, or)
			}
		case formPhrase:
			for f := first; f <= last; f++ {
				a.phraseInto(dst, w.lo, f)
			}
		case formParts:
			for f := range indexes.NumFields {
				if first == indexes.FieldAny || first <= f && f <= last {
					a.partsInto(dst, w, f, f, worst)
				}
			}
		case formSpread:
			a.partsInto(dst, w, first, last, worst)
		}
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

// phrase returns the documents that hold one of the phrases in a field, which are found when they are first
// asked for.
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
	if !a.mayContain(terms, f) {
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

// holding returns the documents that hold a word, by its number, as the bucket fts asks: in any field, in any
// way.
func (a *arena) docsWith(i int) docset.Dense {
	if a.words[i] == nil {
		a.words[i] = a.take()
		a.waysInto(a.words[i], a.query.words[i].ways, 0, indexes.NumFields-1, worstMatch)
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
	dst.Copy(a.docsWith(0))
	for i := 1; i < len(words) && !dst.Empty(); i++ {
		dst.And(a.docsWith(i))
	}
}

// hasPhrase reports whether a document of the scope holds a phrase of a word in any field.
func (a *arena) hasPhrase(ws ways) bool {
	return slices.ContainsFunc(ws, func(w way) bool {
		for f := indexes.Field(0); f < indexes.NumFields && w.form == formPhrase; f++ {
			if !a.phrase(w.lo, f).Empty() {
				return true
			}
		}
		return false
	})
}

// partsInto unites dst with the documents that hold all parts of a way in the fields from first to last, or in
// FieldAny, each by a match no worse than worst.
func (a *arena) partsInto(dst docset.Dense, w *way, first, last indexes.Field, worst MatchKind) {
	parts := a.query.partsOf(w)
	all, held := a.take(), a.takeDirty()
	a.waysInto(all, parts[0].ways, first, last, worst)
	for i := 1; i < len(parts) && !all.Empty(); i++ {
		held.Clear()
		a.waysInto(held, parts[i].ways, first, last, worst)
		all.And(held)
	}
	dst.Or(all)
	a.give(all)
	a.give(held)
}

package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/docset"
)

// noDocs is an empty set that was computed; nil is a set that was not.
var noDocs = docset.Dense{}

// waysInto adds to dst the documents that match one of the ways in the fields first to last, or in FieldAny,
// with kinds up to worst. In a listed scope all documents usually contain the word itself; the other ways are
// then skipped.
func (a *arena) waysInto(dst docset.Dense, ws ways, first, last indexes.Field, worst MatchKind) {
	if first == 0 && last == indexes.NumFields-1 { // FieldAny has one set for all fields
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

// phraseInto adds to dst the documents that contain a phrase in a field, or in FieldAny.
func (a *arena) phraseInto(dst docset.Dense, number int, f indexes.Field) {
	if f == indexes.FieldAny {
		for f := range indexes.NumFields {
			a.phraseInto(dst, number, f)
		}
	} else if set := a.phrase(number, f); len(set) > 0 {
		dst.Or(set)
	}
}

// phrase returns the documents that contain a phrase in a field. It caches the result.
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

// docsWith returns the documents that match word i in any field and any way. The bucket fts is the
// intersection of these sets. The result stays in the cache and must not be modified.
func (a *arena) docsWith(i int) docset.Dense {
	if a.words[i] == nil {
		a.words[i] = a.take()
		a.waysInto(a.words[i], a.query.words[i].ways, 0, indexes.NumFields-1, worstMatch)
	}
	return a.words[i]
}

// allInto sets dst, which must be empty, to the documents that match every word: the bucket fts.
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

// hasPhrase reports whether a document of the scope contains one of the phrases in ws.
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

// partsInto adds to dst the documents that match all parts of a way in the fields first to last, or in
// FieldAny, with kinds up to worst.
func (a *arena) partsInto(dst docset.Dense, w *way, first, last indexes.Field, worst MatchKind) {
	parts := a.query.partsOf(w)
	all, matched := a.take(), a.takeDirty()
	a.waysInto(all, parts[0].ways, first, last, worst)
	for i := 1; i < len(parts) && !all.Empty(); i++ {
		matched.Clear()
		a.waysInto(matched, parts[i].ways, first, last, worst)
		all.And(matched)
	}
	dst.Or(all)
	a.give(all)
	a.give(matched)
}

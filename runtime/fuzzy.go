package runtime

import "sabine/indexes"

// maxDistance is the largest edit distance that is corrected.
const maxDistance = 2

// corrections are the words of the catalogue that a word of the query may be a misspelling of, and the documents that
// hold one. A document that holds the word itself needs no correction, and one that holds a nearer word has that.
type corrections struct {
	wanted bool                        // they count as ways to hold the word: there are fuzzy matches
	terms  [maxDistance][]indexes.Term // at distance 1 and 2
	docs   [maxDistance]indexes.Dense  // that may match and hold one of terms, neither the word nor a nearer term; nil: none
}

// emptied returns no corrections, with the memory of an earlier query's.
func (c corrections) emptied() corrections {
	for i := range c.terms {
		c.terms[i] = c.terms[i][:0]
	}
	return corrections{terms: c.terms}
}

// A misspelling counts for every document what it takes to hold all words of the query.
type misspelling struct {
	corrected counter // words that are corrected
	far       counter // those of them at distance 2
}

// fuzzyInto unites dst, which is empty, with the documents that hold every word, corrected where it may be and must.
// Words that no document holds as they are come first: most often they leave few documents to the others, or none.
func (w *work) fuzzyInto(dst indexes.Dense) {
	words := w.text.words
	for i := range words {
		if len(words[i].sources) == 0 && words[i].tolerance() == 0 {
			return
		}
	}
	dst.Fill(w.scope.Len())
	for _, known := range [...]bool{false, true} {
		for i := range words {
			if known != (len(words[i].sources) > 0) {
				continue
			}
			if w.keepNear(dst, &words[i]); dst.Empty() {
				return
			}
		}
	}
	w.text.kinds |= 1 << asItIs
	w.misspelling.corrected = w.newCounter(len(words))
	w.misspelling.far = w.newCounter(len(words))
	for i := range words {
		for distance, near := range words[i].near.docs {
			if near == nil {
				continue
			}
			words[i].near.wanted = true
			w.misspelling.corrected.add(near)
			if distance > 0 {
				w.misspelling.far.add(near)
			}
		}
	}
}

// keepNear takes from a set the documents that hold neither a word nor a correction of it. It looks for corrections
// when a document needs one, and keeps those that help.
func (w *work) keepNear(set indexes.Dense, v *word) {
	lacking := w.takeCopy(set)
	if len(v.sources) > 0 {
		lacking.AndNot(w.found(v))
	}
	if tolerance := v.tolerance(); tolerance > 0 && !lacking.Empty() {
		w.correct(v, tolerance, lacking)
	}
	set.AndNot(lacking)
	w.give(lacking)
}

// correct finds the corrections of a word within a distance and takes from lacking the documents that hold one.
func (w *work) correct(v *word, tolerance int, lacking indexes.Dense) {
	w.nears = w.index.Fuzzy.Near(w.nears[:0], v.text, tolerance)
	for _, n := range w.nears {
		if n.Distance > 0 {
			v.near.terms[n.Distance-1] = append(v.near.terms[n.Distance-1], n.Term)
		}
	}
	for i, terms := range v.near.terms {
		if len(terms) == 0 {
			continue
		}
		docs := w.take()
		w.termsInto(docs, terms, indexes.FieldAny)
		docs.And(lacking)
		if docs.Empty() {
			w.give(docs)
			continue
		}
		lacking.AndNot(docs)
		v.near.docs[i] = docs
	}
}

// correctionsInto unites dst with the documents that hold a correction of a word in one of the fields from first to
// last. It stands for the word as it is.
func (w *work) correctionsInto(dst indexes.Dense, v *word, first, last indexes.Field) {
	held := w.takeDirty()
	for i, docs := range v.near.docs {
		if docs == nil {
			continue
		}
		held.Clear()
		for f := first; f <= last; f++ {
			w.termsInto(held, v.near.terms[i], f)
		}
		held.And(docs)
		dst.Or(held)
	}
	w.give(held)
}

// termsInto unites dst with the documents that hold one of the terms in a field.
func (w *work) termsInto(dst indexes.Dense, terms []indexes.Term, f indexes.Field) {
	for _, t := range terms {
		w.scope.Or(dst, w.index.Terms.Set(t, f))
	}
}

// rankFuzzy gives fuzzy matches out: the fewer words are corrected the earlier, then the smaller the distance, which
// among as many corrections is the fewer corrections at distance 2, then as fts.
func (w *work) rankFuzzy(l *ladder) {
	w.misspelling.corrected.ascend(w, w.takeCopy(l.rest), func(group indexes.Dense) bool {
		return w.misspelling.far.ascend(w, group, func(group indexes.Dense) bool {
			w.rankByField(l, w.takeCopy(group), StrategyFuzzy)
			return !l.done()
		})
	})
}

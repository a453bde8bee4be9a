package runtime

import (
	"cmp"
	"slices"

	"sabine/indexes"
)

// maxDistance is the largest edit distance that is corrected.
const maxDistance = 2

// corrections are the words of the catalogue that a word of the query may be a misspelling of, and the documents that
// hold one. A document that holds the word itself needs no correction, and one that holds a nearer word has that.
type corrections struct {
	sought bool                        // terms are there
	wanted bool                        // docs count as ways to hold the word: there are fuzzy matches
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

// nearShare bounds a narrow scope like narrowShare. It is greater: not every document there will match. Of 99,051 products
// 512 and 1,024 are as good, 200 takes two typos 1.01 times and 64 1.16 times as long.
const nearShare = 512

// narrowNear makes the scope the documents that can match fuzzily, when these are few: those that hold every word, or a
// correction of it. Like narrow it begins with the rarest word, but a word that is known and may be corrected comes after
// all others, and only as long as documents are many: most often it needs no correction in those that are left. No set may
// be in use.
func (w *work) narrowNear() {
	most := narrowLeast
	if len(w.text.words) > 1 {
		most = max(most, min(w.index.Docs/nearShare, narrowMost))
	}
	words := w.rarest[:0]
	for i := range w.text.words {
		v := &w.text.words[i]
		words = append(words, v)
		if v.reach = w.nearReach(v, max(most, w.index.Docs/narrowShare)+1); v.reach == 0 && !v.optional() {
			w.scope = indexes.ListedDocs(nil)
			w.forget()
			return
		}
	}
	slices.SortFunc(words, func(a, b *word) int {
		switch {
		case a.optional() == b.optional():
			return cmp.Compare(a.reach, b.reach)
		case a.optional():
			return 1
		}
		return -1
	})
	w.rarest = words
	if len(words) == 1 && words[0].reach > most {
		return
	}
	held := w.takeCopy(w.foundNear(words[0]))
	for words = words[1:]; len(words) > 0 && held.Len() > most; words = words[1:] {
		held.And(w.foundNear(words[0]))
	}
	if held.Len() > most {
		w.forget()
		return
	}
	docs := appendDocs(w.candidates[:0], w.scope, held, 0, w.index.Docs)
	w.forget()
	for _, v := range words {
		if v.optional() {
			break
		}
		w.scope = indexes.ListedDocs(docs)
		docs = keep(docs, w.foundNear(v))
		w.forget()
	}
	w.candidates = docs
	w.scope = indexes.ListedDocs(docs)
}

// optional reports whether a word is known, and may be corrected all the same.
func (v *word) optional() bool { return len(v.sources) > 0 && v.tolerance() > 0 }

// nearReach returns a number, limit at most, that the documents which hold a word do not exceed unless they exceed limit;
// of a word that is not known, those which hold a correction of it.
func (w *work) nearReach(v *word, limit int) int {
	if len(v.sources) > 0 {
		return w.reach(v, limit)
	}
	w.seek(v)
	n := 0
	for _, terms := range v.near.terms {
		for _, t := range terms {
			if n += w.index.Terms.Set(t, indexes.FieldAny).Len(); n >= limit {
				return limit
			}
		}
	}
	return n
}

// foundNear returns the documents that hold a word or a correction of it.
func (w *work) foundNear(v *word) indexes.Dense {
	if len(v.sources) > 0 && v.tolerance() == 0 {
		return w.found(v)
	}
	set := w.take()
	if len(v.sources) > 0 {
		set.Copy(w.found(v))
	}
	w.seek(v)
	for _, terms := range v.near.terms {
		w.termsInto(set, terms, indexes.FieldAny)
	}
	return set
}

// fuzzyInto unites dst, which is empty, with the documents that hold every word, corrected where it may be and must.
// Words that no document holds as they are come first: most often they leave few documents to the others, or none.
func (w *work) fuzzyInto(dst indexes.Dense) {
	words := w.text.words
	for i := range words { // explain asks a second time, in the whole catalogue
		words[i].near.wanted, words[i].near.docs = false, [maxDistance]indexes.Dense{}
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
	w.text.kinds.add(MatchCorrected)
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
	if !lacking.Empty() {
		w.correct(v, lacking)
	}
	set.AndNot(lacking)
	w.give(lacking)
}

// seek finds the terms that a word may be corrected to, once.
func (w *work) seek(v *word) {
	if v.near.sought {
		return
	}
	v.near.sought = true
	w.nears = w.index.Fuzzy.Near(w.nears[:0], v.text, v.tolerance())
	for _, n := range w.nears {
		if n.Distance > 0 {
			v.near.terms[n.Distance-1] = append(v.near.terms[n.Distance-1], n.Term)
		}
	}
}

// correct finds the corrections of a word and takes from lacking the documents that hold one.
func (w *work) correct(v *word, lacking indexes.Dense) {
	w.seek(v)
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

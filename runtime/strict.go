package runtime

import (
	"math"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// strictInto unites dst, which is empty, with the five strict buckets. Every document of prefix and phrase holds all
// words, the last perhaps as a beginning, and so stands in fts already; and so does one of a curated synonym's value.
func (w *work) strictInto(dst docset.Dense) {
	if w.foundAll(dst); w.allHold {
		return
	}
	w.exactInto(dst)
	w.categoryInto(dst)
}

// exactInto unites dst with the documents one of whose names, whose maker's name, slug or id has the query's key. Like
// those of the other buckets, it reports whether there may be any.
func (w *work) exactInto(dst docset.Dense) (some bool) {
	key := w.text.key
	if i, ok := w.index.Names.Find(key); ok {
		w.addAll(dst, w.index.Names.Numbers(i))
		some = true
	}
	if i, ok := w.index.Makers.Find(key); ok {
		w.makersInto(dst, w.index.Makers.Numbers(i))
		some = true
	}
	if i, ok := w.index.SlugKeys.Find(key); ok {
		w.addAll(dst, w.index.SlugKeys.Numbers(i))
		some = true
	}
	if w.text.isID {
		w.scope.Add(dst, w.text.id)
		some = true
	}
	return some
}

// prefixInto unites dst with the documents one of whose names, or whose maker's name, begins with the query's key.
func (w *work) prefixInto(dst docset.Dense) (some bool) {
	if lo, hi := w.index.Names.Range(w.text.key); lo < hi {
		w.addAll(dst, w.index.Names.NumbersOf(lo, hi))
		some = true
	}
	if lo, hi := w.index.Makers.Range(w.text.key); lo < hi {
		w.makersInto(dst, w.index.Makers.NumbersOf(lo, hi))
		some = true
	}
	return some
}

// categoryInto unites dst with the documents that have a value which the query's key names.
func (w *work) categoryInto(dst docset.Dense) (some bool) {
	for _, v := range w.engine.named[w.text.key] {
		w.scope.Or(dst, w.index.Facets[v.family].Set(v.number))
		some = true
	}
	return some
}

// curatedCategoryInto unites dst with the documents that have a value whose key, or a display name's, is a curated
// synonym of the query's key. The vocabulary's synonyms are not asked: those of a synonym are none of the query.
func (w *work) curatedCategoryInto(dst docset.Dense) (some bool) {
	for _, s := range analysis.Synonyms(w.text.key) {
		for _, v := range w.engine.named[s.Key] {
			if v.shown {
				w.scope.Or(dst, w.index.Facets[v.family].Set(v.number))
				some = true
			}
		}
	}
	return some
}

// phraseInto unites dst with the documents that hold the query's words, two or more, next to each other and in order.
func (w *work) phraseInto(dst docset.Dense) (some bool) {
	return w.firstPhrasesInto(dst, nil, math.MaxInt)
}

// firstPhrasesInto is phraseInto for as many documents of a set, nil meaning all, as are wanted, the first ones; and
// perhaps for more.
func (w *work) firstPhrasesInto(dst, of docset.Dense, wanted int) (some bool) {
	if len(w.text.sequence) < 2 {
		return false
	}
	var room [16]indexes.Term // on the stack
	terms, ok := w.index.AppendTerms(room[:0], w.text.key)
	if !ok {
		return false
	}
	scratch := w.takeDirty()
	for f := range indexes.NumFields {
		w.index.FirstPhrasesInto(dst, scratch, w.scope, f, terms, of, wanted)
	}
	w.give(scratch)
	return true
}

// addAll adds documents to a set.
func (w *work) addAll(dst docset.Dense, docs []uint32) {
	for _, d := range docs {
		w.scope.Add(dst, column.Doc(d))
	}
}

// makersInto unites dst with the documents of manufacturers.
func (w *work) makersInto(dst docset.Dense, makers []uint32) {
	facet := &w.index.Facets[indexes.FamilyManufacturer]
	for _, m := range makers {
		w.scope.Or(dst, facet.Set(int(m)))
	}
}

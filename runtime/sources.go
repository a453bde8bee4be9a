package runtime

import "sabine/indexes"

// wordInto unites dst with the documents that hold a word in one of the fields from first to last in a way no worse
// than worst. In a narrow scope it asks no further once all documents do, which most often the word as it is sees to.
func (w *work) wordInto(dst indexes.Dense, v *word, first, last indexes.Field, worst MatchKind) {
	if first == 0 && last == indexes.NumFields-1 { // all of them: one set has what each of theirs has
		first, last = indexes.FieldAny, indexes.FieldAny
	}
	for i := range v.sources {
		s := &v.sources[i]
		if s.kind > worst {
			continue
		}
		for f := first; f <= last; f++ {
			w.sourceInto(dst, s, f)
		}
		if !w.scope.All() && dst.Len() == w.scope.Len() {
			return
		}
	}
	if v.near.wanted {
		w.correctionsInto(dst, v, first, last)
	}
}

// sourceInto unites dst with the documents that hold a source in a field, or in FieldAny.
func (w *work) sourceInto(dst indexes.Dense, s *source, f indexes.Field) {
	if s.many {
		if set := w.unionIn(s, f); set != nil {
			dst.Or(set)
		}
		return
	}
	w.eachSet(s, f, func(set indexes.Set) { w.scope.Or(dst, set) })
	if s.phrased {
		w.phraseOf(dst, s, f)
	}
}

// eachSet calls visit with every stored set of a source in a field, or in FieldAny. A phrase has none.
func (w *work) eachSet(s *source, f indexes.Field, visit func(indexes.Set)) {
	if s.united != nil {
		visit(s.united.Set(s.group, f))
		return
	}
	terms := &w.index.Terms
	for _, t := range s.terms {
		visit(terms.Set(indexes.Term(t), f))
	}
	terms.EachSet(s.lo, s.hi, f, visit)
	if s.short {
		visit(w.index.Prefixes.Set(s.prefix, f))
	}
}

// phraseOf unites dst with the documents that hold a source's phrase in a field, or in FieldAny.
func (w *work) phraseOf(dst indexes.Dense, s *source, f indexes.Field) {
	if f == indexes.FieldAny {
		for f := range indexes.NumFields {
			w.phraseOf(dst, s, f)
		}
	} else if set := w.phraseIn(&w.text.phrases[s.phrase], f); set != nil {
		dst.Or(set)
	}
}

// unionIn returns the documents that hold one of a source's many terms in a field, nil when there are none. They are
// found once.
func (w *work) unionIn(s *source, f indexes.Field) indexes.Dense {
	u := &w.text.unions[s.union]
	if u.asked[f] {
		return u.sets[f]
	}
	u.asked[f] = true
	set := w.take()
	w.eachSet(s, f, func(of indexes.Set) { w.scope.Or(set, of) })
	if set.Empty() {
		w.give(set)
		return nil
	}
	u.sets[f] = set
	return set
}

// phraseIn returns the documents that hold a phrase in a field, nil when there are none. They are found once.
func (w *work) phraseIn(p *phrase, f indexes.Field) indexes.Dense {
	if p.asked[f] {
		return p.sets[f]
	}
	p.asked[f] = true
	for _, t := range p.terms {
		if w.index.Terms.Set(t, f).Len() == 0 {
			return nil
		}
	}
	set, scratch := w.take(), w.takeDirty()
	w.index.PhraseInto(set, scratch, w.scope, f, p.terms)
	w.give(scratch)
	if set.Empty() {
		w.give(set)
		return nil
	}
	p.sets[f] = set
	return set
}

// found returns the documents that hold a word as the bucket fts asks: in any field, in any way.
func (w *work) found(v *word) indexes.Dense {
	if v.found == nil {
		v.found = w.take()
		w.wordInto(v.found, v, 0, indexes.NumFields-1, worstMatch)
	}
	return v.found
}

// foundAll unites dst, which is empty, with the documents that hold every word: the bucket fts.
func (w *work) foundAll(dst indexes.Dense) {
	if w.allHold {
		dst.Fill(w.scope.Len())
		return
	}
	words := w.text.words
	for i := range words {
		if len(words[i].sources) == 0 {
			return
		}
	}
	dst.Copy(w.found(&words[0]))
	for i := 1; i < len(words) && !dst.Empty(); i++ {
		dst.And(w.found(&words[i]))
	}
}

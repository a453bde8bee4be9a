package runtime

import (
	"cmp"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A text of several words is worked on in a narrow scope when its rarest word is found in no more than one in
// narrowShare documents, and in narrowMost at most; any text when that is in narrowLeast at most. On 99,051 products it
// takes a query for a whole name from 83 to 45 microseconds of processor time; one word gains nothing, since its
// documents are the matches already. On 989,926 products three rare words took 1.09 ms with 2,048 at most, and 0.17 so.
const (
	narrowLeast = 64
	narrowShare = 64
	narrowMost  = 1 << 14
)

// narrow makes the scope the documents that can match strictly, when these are few: those that hold every word of the
// text, found from the rarest word on, and those whose slug, id or vocabulary value it names. No set may be in use.
func (w *work) narrow() {
	most := narrowLeast
	if len(w.text.words) > 1 {
		most = max(most, min(w.index.Docs/narrowShare, narrowMost))
	}
	words := w.byReach(most + 1)
	named := w.engine.named[w.text.key]
	reach := words[0].reach
	for _, v := range named {
		reach += w.index.Facets[v.family].Set(v.number).Len()
	}
	if reach > most {
		return
	}
	docs := w.gather(w.candidates[:0], words[0])
	for _, v := range words[1:] {
		w.scope = docset.Listed(docs)
		docs = keep(docs, w.found(v))
		w.forget()
	}
	holding := len(docs)
	for _, v := range named {
		docs = w.index.Facets[v.family].Set(v.number).Docs(docs)
	}
	if i, ok := w.index.SlugKeys.Find(w.text.key); ok {
		for _, d := range w.index.SlugKeys.Numbers(i) {
			docs = append(docs, column.Doc(d))
		}
	}
	if w.text.isID {
		docs = append(docs, w.text.id)
	}
	w.candidates = ascending(docs)
	w.scope = docset.Listed(w.candidates)
	w.allHold = len(docs) == holding
}

// rankShare is the share of the documents, one in so many, that a text of several words may match at most for its matches
// to be ranked in a scope of their own: on 99,051 products this takes 0.72 of the time for words of another language.
// A single word has fewer rungs, and took 1.2 times as long.
const rankShare = 128

// narrowTo makes the scope n matches when they are few, and returns them as a set of it.
func (w *work) narrowTo(matches docset.Dense, n int) docset.Dense {
	if !w.scope.All() || len(w.text.words) == 1 || n > w.index.Docs/rankShare {
		return matches
	}
	w.candidates = appendDocs(w.candidates[:0], w.scope, matches, 0, n)
	w.forget()
	w.scope = docset.Listed(w.candidates)
	matches = w.take()
	matches.Fill(n)
	return matches
}

// listMost is the number of documents up to which those of a word are gathered set by set, and sorted; more are faster
// united in a set of the whole catalogue, and read off that.
const listMost = 512

// gather appends the documents that hold a word, which its reach says are few, in order.
func (w *work) gather(dst []column.Doc, v *word) []column.Doc {
	isPhrased := func(s source) bool { return s.phrased }
	if v.reach > listMost || slices.ContainsFunc(v.sources, isPhrased) {
		dst = appendDocs(dst, w.scope, w.found(v), 0, w.index.Docs)
		w.forget()
		return dst
	}
	sets := 0
	for i := range v.sources {
		w.eachSet(&v.sources[i], indexes.FieldAny, func(set docset.Set) {
			dst = set.Docs(dst)
			sets++
		})
	}
	if sets == 1 {
		return dst
	}
	return ascending(dst)
}

// byReach returns the words by the number of documents that they may be found in, the rarest first. All that reach limit
// count alike.
func (w *work) byReach(limit int) []*word {
	words := w.rarest[:0]
	for i := range w.text.words {
		v := &w.text.words[i]
		v.reach = w.reach(v, limit)
		words = append(words, v)
	}
	slices.SortFunc(words, func(a, b *word) int { return cmp.Compare(a.reach, b.reach) })
	w.rarest = words
	return words
}

// ascending sorts documents and takes out doubles.
func ascending(docs []column.Doc) []column.Doc {
	slices.Sort(docs)
	return slices.Compact(docs)
}

// keep returns the listed documents whose places are in a set.
func keep(docs []column.Doc, places docset.Dense) []column.Doc {
	kept := docs[:0]
	for i, ok := places.Next(0); ok; i, ok = places.Next(i + 1) {
		kept = append(kept, docs[i])
	}
	return kept
}

// widen makes the scope the whole catalogue again, and forgets all sets.
func (w *work) widen() {
	if w.scope.All() {
		return
	}
	w.scope, w.allHold = docset.All(w.index.Docs), false
	w.forget()
}

// forget gives all sets back.
func (w *work) forget() {
	w.free = append(w.free[:0], w.sets...)
	for i := range w.text.words {
		w.text.words[i].found = nil
	}
	for i := range w.text.phrases {
		w.text.phrases[i] = phrase{terms: w.text.phrases[i].terms}
	}
	clear(w.text.unions)
}

// reach returns a number, limit at most, that the documents which hold a word do not exceed unless they exceed limit.
func (w *work) reach(v *word, limit int) int {
	n := 0
	for i := range v.sources {
		s := &v.sources[i]
		if s.united == nil && len(s.terms)+int(s.hi-s.lo) >= limit { // each of them has a document
			return limit
		}
		if n += w.sourceReach(s); n >= limit {
			return limit
		}
	}
	return n
}

// sourceReach returns a number that the documents which hold a source do not exceed.
func (w *work) sourceReach(s *source) int {
	n := 0
	w.eachSet(s, indexes.FieldAny, func(set docset.Set) { n += set.Len() })
	if s.phrased {
		least := w.index.Docs
		for _, t := range w.text.phrases[s.phrase].terms {
			least = min(least, w.index.Terms.Set(t, indexes.FieldAny).Len())
		}
		n += least
	}
	return n
}

package runtime

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// A nameTally says how similar the names are to the query's key. Names are numbered as in Index.Trigrams: those of as
// many trigrams stand together.
type nameTally struct {
	query    []analysis.Trigram
	shared   indexes.Tally // those of query that each name has
	steps    uint32        // a bit for each step of similarity that a name similar to the query has
	inner    []analysis.Trigram
	holding  indexes.Dense // names, and not documents
	byShared [][]uint32    // names of one step, by how many trigrams they share
	runs     []run
}

// A similarity is how similar a name is to the query by their trigrams, shared over united.
type similarity struct{ shared, united int }

// compare orders by similarity, the greater first. It is 0 for names that are equally similar.
func (s similarity) compare(t similarity) int {
	return cmp.Compare(t.shared*s.united, s.shared*t.united)
}

// Similarities fall into steps of a twentieth, so that names are looked at, and ordered, only as far down as a page
// needs. A name is similar to the query when its similarity is at least 0.3.
const (
	steps       = 20
	similarStep = 6
)

func (s similarity) step() int { return steps * s.shared / s.united }

// A run is names of one similarity.
type run struct {
	similarity
	names []uint32
}

// tally counts the trigrams that names share with the query.
func (w *work) tally() {
	n := &w.names
	n.query = analysis.Trigrams(n.query[:0], w.text.key)
	n.shared.Count(&w.index.Trigrams, n.query)
	n.steps = 0
}

// similarTo is the similarity of a name of so many trigrams that shares some of them.
func (n *nameTally) similarTo(size, shared int) similarity {
	return similarity{shared, max(len(n.query)+size-shared, 1)}
}

// namesFrom calls visit with every name, in the order of their numbers, that shares a trigram and whose similarity is of
// the given step or above.
func (w *work) namesFrom(step int, visit func(name int, s similarity)) {
	n, index := &w.names, &w.index.Trigrams
	size, least := -1, 0
	for i := range indexes.DenseWords(index.Len()) {
		// Shared over united reaches step twentieths from this number of shared trigrams on. It is that of the first of
		// 64 names, whose size is the smallest: no less will do for the others.
		if s := index.Size(i * 64); s != size {
			size = s
			least = max(1, (step*(len(n.query)+size)+steps+step-1)/(steps+step))
		}
		for names := n.shared.AtLeast(i, least); names != 0; names &= names - 1 {
			name := i*64 + bits.TrailingZeros64(names)
			if s := n.similarTo(index.Size(name), n.shared.Of(name)); s.step() >= step {
				visit(name, s)
			}
		}
	}
}

// trigramInto unites dst with the documents that have a name, or a maker's name, which is similar to the query or has
// it, when it has three letters, as a substring.
func (w *work) trigramInto(dst indexes.Dense) {
	w.tally()
	w.namesFrom(similarStep, func(name int, s similarity) {
		w.names.steps |= 1 << s.step()
		w.namedInto(dst, name)
	})
	if w.text.letters() >= minPart {
		w.substringInto(dst)
	}
}

// substringInto unites dst with the documents that have a name in which the query's key stands.
func (w *work) substringInto(dst indexes.Dense) {
	n, index := &w.names, &w.index.Trigrams
	n.inner = analysis.InnerTrigrams(n.inner[:0], w.text.key)
	if n.holding == nil {
		n.holding = make(indexes.Dense, indexes.DenseWords(index.Len()))
	}
	n.holding.Clear()
	index.RarestInto(n.holding, n.inner)
	for i, names := range n.holding {
		if names == 0 {
			continue
		}
		for names &= n.shared.AtLeast(i, len(n.inner)); names != 0; names &= names - 1 {
			if name := i*64 + bits.TrailingZeros64(names); strings.Contains(w.nameKey(name), w.text.key) {
				w.namedInto(dst, name)
			}
		}
	}
}

// nameKey returns the key of a name.
func (w *work) nameKey(name int) string {
	place := w.index.Trigrams.Place(name)
	if labels := w.index.Names.Len(); place >= labels {
		return w.index.Makers.Key(place - labels)
	}
	return w.index.Names.Key(place)
}

// namedInto unites dst with the documents that have a name.
func (w *work) namedInto(dst indexes.Dense, name int) {
	place := w.index.Trigrams.Place(name)
	if labels := w.index.Names.Len(); place >= labels {
		w.makersInto(dst, w.index.Makers.Numbers(place-labels))
		return
	}
	w.addAll(dst, w.index.Names.Numbers(place))
}

// namesAny reports whether a document of the set has a name.
func (w *work) namesAny(set indexes.Dense, name int) bool {
	place, labels := w.index.Trigrams.Place(name), w.index.Names.Len()
	if place < labels {
		return slices.ContainsFunc(w.index.Names.Numbers(place), func(d uint32) bool { return set.Has(indexes.Doc(d)) })
	}
	facet := &w.index.Facets[indexes.FamilyManufacturer]
	return slices.ContainsFunc(w.index.Makers.Numbers(place-labels), func(m uint32) bool {
		return facet.Set(int(m)).AndLen(set) > 0
	})
}

// mostWordsInto unites dst, which is empty, with the documents that hold the most distinct words of the query: the last
// resort. One of those words has to be of four letters or more.
func (w *work) mostWordsInto(dst indexes.Dense) {
	const longLetters = 4
	words := w.text.words
	for i := range words {
		if words[i].letters >= longLetters && len(words[i].sources) > 0 {
			dst.Or(w.found(&words[i]))
		}
	}
	if dst.Empty() {
		return
	}
	held := w.newCounter(len(words))
	for i := range words {
		held.add(w.found(&words[i]))
	}
	held.keepHighest(w, dst)
}

// rankTrigram gives matches out by the similarity of their most similar name, step by step as far as the page needs.
func (w *work) rankTrigram(l *ladder) {
	rung := w.take()
	for step := steps; step >= 0 && l.need > 0; step-- {
		if step < similarStep || w.names.steps>>step&1 != 0 {
			w.gather(step)
			w.rankRuns(l, rung)
		}
	}
	w.give(rung)
	if !l.done() {
		l.give(w.takeCopy(l.rest), StrategyTrigram) // the page is not here, or no name shares a trigram
	}
}

// gather collects the names of a step as runs, the most similar first.
func (w *work) gather(step int) {
	n := &w.names
	for i := range n.byShared {
		n.byShared[i] = n.byShared[i][:0]
	}
	w.namesFrom(step, func(name int, s similarity) {
		if s.step() > step {
			return
		}
		for len(n.byShared) <= s.shared {
			n.byShared = append(n.byShared, nil)
		}
		n.byShared[s.shared] = append(n.byShared[s.shared], uint32(name))
	})
	n.runs = n.runs[:0]
	for shared, names := range n.byShared {
		for len(names) > 0 { // names of one size stand together
			size, end := w.index.Trigrams.Size(int(names[0])), 1
			for end < len(names) && w.index.Trigrams.Size(int(names[end])) == size {
				end++
			}
			n.runs = append(n.runs, run{n.similarTo(size, shared), names[:end]})
			names = names[end:]
		}
	}
	slices.SortFunc(n.runs, func(a, b run) int { return a.compare(b.similarity) })
}

// rankRuns gives the matches of the gathered names out. It borrows rung, which is empty and is left so.
func (w *work) rankRuns(l *ladder, rung indexes.Dense) {
	for runs := w.names.runs; len(runs) > 0 && l.need > 0; {
		some := false
		for first := runs[0].similarity; len(runs) > 0 && runs[0].compare(first) == 0; runs = runs[1:] {
			for _, name := range runs[0].names {
				if w.namesAny(l.rest, int(name)) {
					w.namedInto(rung, int(name))
					some = true
				}
			}
		}
		if some {
			rung.And(l.rest)
			l.give(rung, StrategyTrigram)
			rung.Clear()
		}
	}
}

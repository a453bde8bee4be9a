package runtime

import (
	"cmp"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A score is the similarity of a name, or of a document by its most similar name.
type score struct {
	similarity
	of uint32
}

// raise makes the similarity another one if that is greater.
func (s *score) raise(t similarity) {
	if t.compare(s.similarity) < 0 {
		s.similarity = t
	}
}

// rankTrigram gives matches out by the similarity of their most similar name.
//
// Scoring names costs the more names the fewer of them are of matches, scoring matches 0.1 µs a match: as much, on
// 99,051 products, for about 440 matches, whose number grows with the root of the catalogue.
func (w *work) rankTrigram(l *ladder) {
	if l.need > 0 {
		if n := l.rest.Len(); n*n <= 2*w.index.Docs {
			w.rankFew(l)
		} else {
			w.rankMany(l)
		}
	}
	if !l.done() {
		l.give(w.takeCopy(l.rest), StrategyTrigram) // the page is not here, or no name shares a trigram
	}
}

// rankMany gives matches out from the most similar name downwards, as far as the page needs.
func (w *work) rankMany(l *ladder) {
	below := similarity{2, 1} // more than any
	for _, least := range [...]similarity{similar, {1, 5}, {1, 10}, {1, 20}, anyNames} {
		for more := true; more && l.need > 0; {
			more = w.scoreNames(l, least, below)
			w.rankNames(l)
			if n := len(w.names.scores); n > 0 {
				below = w.names.scores[n-1].similarity
			}
		}
		below = least
	}
}

// scoreNames finds the names of matches that are at least as similar as least, and less than below: the most similar
// ones, as many as the page may need, and all that are as similar as the last of these. It reports whether there are
// more.
func (w *work) scoreNames(l *ladder, least, below similarity) (more bool) {
	n := &w.names
	n.scores = n.scores[:0]
	need := 2 * (l.skip + l.need) // a document has a name in two languages
	full := 2 * need
	w.namesFrom(least, func(name int, s similarity) similarity {
		if s.atLeast(below) || !w.namesAny(l.rest, name) {
			return least
		}
		n.scores = append(n.scores, score{s, uint32(name)})
		if len(n.scores) >= full {
			n.sortScores()
			least, more = n.scores[need-1].similarity, true
			end := need
			for end < len(n.scores) && n.scores[end].compare(least) == 0 {
				end++
			}
			n.scores = n.scores[:end]
			full = end + need
		}
		return least
	})
	n.sortScores()
	return more
}

// namesAny reports whether a document of the set has a name.
func (w *work) namesAny(set docset.Dense, name int) bool {
	names, place, ofMaker := w.nameAt(name)
	return slices.ContainsFunc(names.Numbers(place), func(n uint32) bool {
		if ofMaker {
			return w.index.Facets[indexes.FamilyManufacturer].Set(int(n)).AndLen(set) > 0
		}
		return set.Has(column.Doc(n))
	})
}

// sortScores orders by similarity, then by number.
func (n *nameTally) sortScores() {
	slices.SortFunc(n.scores, func(a, b score) int {
		if c := a.compare(b.similarity); c != 0 {
			return c
		}
		return cmp.Compare(a.of, b.of)
	})
}

// rankNames gives the matches of the scored names out.
func (w *work) rankNames(l *ladder) {
	rung := w.takeDirty()
	for scores := w.names.scores; len(scores) > 0 && l.need > 0; {
		rung.Clear()
		for first := scores[0].similarity; len(scores) > 0 && scores[0].compare(first) == 0; scores = scores[1:] {
			w.namedInto(rung, int(scores[0].of))
		}
		rung.And(l.rest)
		l.give(rung, StrategyTrigram)
	}
	w.give(rung)
}

// rankFew gives matches out, of which there are few, by the names of each: as many as the page needs.
func (w *work) rankFew(l *ladder) {
	n, index := &w.names, &w.index.Trigrams
	w.countNames(anyNames)
	n.scores = n.scores[:0]
	need, least := l.skip+l.need, similarity{-1, 1}
	for d, ok := l.rest.Next(0); ok; d, ok = l.rest.Next(d + 1) {
		best := score{similarity{0, 1}, uint32(d)}
		for _, name := range w.index.DocNames.Of(d) {
			best.raise(n.similarTo(index.Size(int(name)), n.shared.Of(int(name))))
		}
		if best.compare(least) >= 0 { // no more similar than as many as are needed, all with a lower number
			continue
		}
		if n.scores = append(n.scores, best); len(n.scores) >= 2*need {
			n.sortScores()
			n.scores = n.scores[:need]
			least = n.scores[need-1].similarity
		}
	}
	n.sortScores()
	n.row = n.row[:0]
	for _, s := range n.scores[:min(need, len(n.scores))] {
		n.row = append(n.row, column.Doc(s.of))
	}
	l.giveRow(n.row, StrategyTrigram)
}

package runtime

import (
	"cmp"
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// A nameTally says how many trigrams of the query's key each name has. Names are numbered as in the index: labels and
// commercial names, and the makers' names behind them.
type nameTally struct {
	query   []string // distinct trigrams of the query
	shared  []uint16 // by name; all zero between queries
	touched []uint32 // names that share one
	scores  []score
}

// A score is the trigram similarity of a name, shared over united.
type score struct{ name, shared, united uint32 }

// similar reports whether the similarity is at least 0.3.
func (s score) similar() bool { return 10*uint64(s.shared) >= 3*uint64(s.united) }

// compare orders by similarity, the greater first. It is 0 for names that are equally similar.
func (s score) compare(t score) int {
	return cmp.Compare(uint64(t.shared)*uint64(s.united), uint64(s.shared)*uint64(t.united))
}

// tally counts the trigrams that names share with the query.
func (w *work) tally() {
	n := &w.names
	if names := w.index.Names.Len() + w.index.Makers.Len(); len(n.shared) != names {
		n.shared = make([]uint16, names)
	}
	for _, name := range n.touched { // of the query before
		n.shared[name] = 0
	}
	n.touched = n.touched[:0]
	n.query = analysis.Trigrams(n.query[:0], w.text.key)
	for _, trigram := range n.query {
		for _, name := range w.index.Trigrams.Names(trigram) {
			if int(name) >= len(n.shared) {
				continue // a damaged file
			}
			if n.shared[name] == 0 {
				n.touched = append(n.touched, name)
			}
			n.shared[name]++
		}
	}
}

// score is the similarity of a name that was touched.
func (w *work) score(name uint32) score {
	shared := int(w.names.shared[name])
	return score{name, uint32(shared), uint32(max(len(w.names.query)+w.index.Trigrams.Size(name)-shared, 1))}
}

// trigramInto unites dst with the documents that have a name, or a maker's name, which is similar to the query or has
// it, when it has three letters, as a substring.
func (w *work) trigramInto(dst indexes.Dense) {
	w.tally()
	// A name that has the key as a substring has all its trigrams but the three, at most, that reach over its ends; it
	// has one at least, since three letters have one that lies inside.
	inside := max(len(w.names.query)-3, 1)
	substrings := w.text.letters() >= minPart
	for _, name := range w.names.touched {
		held := substrings && int(w.names.shared[name]) >= inside && strings.Contains(w.nameKey(name), w.text.key)
		if held || w.score(name).similar() {
			w.namedInto(dst, name)
		}
	}
}

// nameKey returns the key of a name.
func (w *work) nameKey(name uint32) string {
	if labels := w.index.Names.Len(); int(name) >= labels {
		return w.index.Makers.Key(int(name) - labels)
	}
	return w.index.Names.Key(int(name))
}

// namedInto unites dst with the documents that have a name.
func (w *work) namedInto(dst indexes.Dense, name uint32) {
	if labels := w.index.Names.Len(); int(name) >= labels {
		w.makersInto(dst, w.index.Makers.Numbers(int(name)-labels))
		return
	}
	w.addAll(dst, w.index.Names.Numbers(int(name)))
}

// namesAny reports whether a document of the set has a name.
func (w *work) namesAny(set indexes.Dense, name uint32) bool {
	labels := w.index.Names.Len()
	if int(name) < labels {
		return slices.ContainsFunc(w.index.Names.Numbers(int(name)), func(d uint32) bool { return set.Has(indexes.Doc(d)) })
	}
	facet := &w.index.Facets[indexes.FamilyManufacturer]
	return slices.ContainsFunc(w.index.Makers.Numbers(int(name)-labels), func(m uint32) bool {
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

// rankTrigram gives matches out by the similarity of their most similar name, in two steps: most have one that is
// similar enough to have matched, and only for the others the less similar names need to be ordered.
func (w *work) rankTrigram(l *ladder) {
	w.rankBySimilarity(l, true)
	if !l.done() {
		w.rankBySimilarity(l, false)
	}
	if !l.done() {
		l.give(w.takeCopy(l.rest), StrategyTrigram) // no name shares a trigram
	}
}

func (w *work) rankBySimilarity(l *ladder, similar bool) {
	scores := w.names.scores[:0]
	for _, name := range w.names.touched {
		if s := w.score(name); s.similar() == similar && w.namesAny(l.rest, name) {
			scores = append(scores, s)
		}
	}
	w.names.scores = scores
	slices.SortFunc(scores, score.compare)
	rung := w.takeDirty()
	for len(scores) > 0 && !l.done() {
		rung.Clear()
		for first := scores[0]; len(scores) > 0 && first.compare(scores[0]) == 0; {
			w.namedInto(rung, scores[0].name)
			scores = scores[1:]
		}
		rung.And(l.rest)
		l.give(rung, StrategyTrigram)
	}
	w.give(rung)
}

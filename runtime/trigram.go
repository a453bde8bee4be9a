package runtime

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// A nameTally says how similar the names are to the query's key. Names are numbered as in Index.Trigrams: those of as
// many trigrams stand together.
type nameTally struct {
	query   []analysis.Trigram
	shared  indexes.Tally // those of query that each name has
	inner   []analysis.Trigram
	holding indexes.Dense // names, and not documents
	scores  []score
	row     []indexes.Doc
	name    []byte // a name's key
	own     []analysis.Trigram
	makers  []similarity
	values  []uint32 // of a document: its maker
}

// A similarity is how similar a name is to the query by their trigrams, shared over united.
type similarity struct{ shared, united int }

// similar is the similarity from which on a name matches.
var similar = similarity{3, 10}

// compare orders by similarity, the greater first. It is 0 for equal ones.
func (s similarity) compare(t similarity) int {
	return cmp.Compare(t.shared*s.united, s.shared*t.united)
}

func (s similarity) atLeast(t similarity) bool { return s.compare(t) <= 0 }

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

// tally counts the trigrams that names share with the query.
func (w *work) tally() {
	n := &w.names
	n.query = analysis.Trigrams(n.query[:0], w.text.key)
	n.shared.Count(&w.index.Trigrams, n.query)
}

// similarTo is the similarity of a name of so many trigrams that shares some of them.
func (n *nameTally) similarTo(size, shared int) similarity {
	return similarity{shared, max(len(n.query)+size-shared, 1)}
}

// namesFrom calls visit with every name, in the order of their numbers, that shares a trigram and is at least as similar
// as least; from then on, as what visit returns.
func (w *work) namesFrom(least similarity, visit func(name int, s similarity) similarity) {
	n, index := &w.names, &w.index.Trigrams
	known, size, shared := similarity{-1, 0}, 0, 0
	for i := range indexes.DenseWords(index.Len()) {
		// Shared over united reaches least from this number of shared trigrams on. It is that of the first of 64 names,
		// which has the fewest trigrams: the others need as many, or more.
		if s := index.Size(i * 64); s != size || least != known {
			known, size = least, s
			shared = max(1, (least.shared*(len(n.query)+size)+least.shared+least.united-1)/(least.shared+least.united))
		}
		for names := n.shared.AtLeast(i, shared); names != 0; names &= names - 1 {
			name := i*64 + bits.TrailingZeros64(names)
			if s := n.similarTo(index.Size(name), n.shared.Of(name)); s.atLeast(least) {
				least = visit(name, s)
			}
		}
	}
}

// trigramInto unites dst with the documents that have a name, or a maker's name, which is similar to the query or has
// it, when it has three letters, as a substring.
func (w *work) trigramInto(dst indexes.Dense) {
	w.tally()
	w.namesFrom(similar, func(name int, _ similarity) similarity {
		w.namedInto(dst, name)
		return similar
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

// rankTrigram gives matches out by the similarity of their most similar name.
//
// Scoring names costs the more names the fewer of them are of matches, reading the names of matches 2 µs a match: as
// much, on 99,051 products, for about 100 matches, whose number grows with the root of the catalogue.
func (w *work) rankTrigram(l *ladder) {
	if l.need > 0 {
		if n := l.rest.Len(); 16*n*n <= w.index.Docs {
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
	for _, least := range [...]similarity{similar, {1, 5}, {1, 10}, {1, 20}, {0, 1}} {
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
	n := &w.names
	for scores := n.scores; len(scores) > 0 && l.need > 0; {
		n.row = n.row[:0]
		for first := scores[0].similarity; len(scores) > 0 && scores[0].compare(first) == 0; scores = scores[1:] {
			n.row = w.appendNamed(n.row, l.rest, int(scores[0].of))
		}
		slices.Sort(n.row)
		n.row = slices.Compact(n.row)
		l.giveRow(n.row, StrategyTrigram)
	}
}

// appendNamed appends the documents of a set that have a name.
func (w *work) appendNamed(dst []indexes.Doc, set indexes.Dense, name int) []indexes.Doc {
	place := w.index.Trigrams.Place(name)
	if labels := w.index.Names.Len(); place >= labels {
		makers := w.take()
		w.makersInto(makers, w.index.Makers.Numbers(place-labels))
		makers.And(set)
		dst = appendDocs(dst, w.scope, makers, 0, makers.Len())
		w.give(makers)
		return dst
	}
	for _, d := range w.index.Names.Numbers(place) {
		if set.Has(indexes.Doc(d)) {
			dst = append(dst, indexes.Doc(d))
		}
	}
	return dst
}

// rankFew gives all matches out, of which there are few: the names of each are read by themselves.
func (w *work) rankFew(l *ladder) {
	n := &w.names
	w.scoreMakers()
	n.scores = n.scores[:0]
	for d, ok := l.rest.Next(0); ok; d, ok = l.rest.Next(d + 1) {
		best := score{similarity{0, 1}, uint32(d)}
		n.name = w.index.EachName(n.name, d, func(key string) { best.raise(w.similarityOf(key)) })
		n.values = w.index.Facets[indexes.FamilyManufacturer].Of(n.values[:0], d)
		for _, m := range n.values {
			if int64(m) < int64(len(n.makers)) {
				best.raise(n.makers[m])
			}
		}
		n.scores = append(n.scores, best)
	}
	n.sortScores()
	n.row = n.row[:0]
	for _, s := range n.scores {
		n.row = append(n.row, indexes.Doc(s.of))
	}
	l.giveRow(n.row, StrategyTrigram)
}

// scoreMakers works out how similar the names of every maker are.
func (w *work) scoreMakers() {
	n := &w.names
	n.makers = n.makers[:0]
	for range w.index.Facets[indexes.FamilyManufacturer].Len() {
		n.makers = append(n.makers, similarity{0, 1})
	}
	for i := range w.index.Makers.Len() {
		s := w.similarityOf(w.index.Makers.Key(i))
		for _, m := range w.index.Makers.Numbers(i) {
			if int64(m) < int64(len(n.makers)) && s.compare(n.makers[m]) < 0 {
				n.makers[m] = s
			}
		}
	}
}

// similarityOf is the similarity of a key, worked out from its letters.
func (w *work) similarityOf(key string) similarity {
	n := &w.names
	n.own = analysis.Trigrams(n.own[:0], key)
	shared, query := 0, n.query
	for _, t := range n.own {
		for len(query) > 0 && query[0] < t {
			query = query[1:]
		}
		if len(query) > 0 && query[0] == t {
			shared++
		}
	}
	return n.similarTo(min(len(n.own), math.MaxUint16), shared)
}

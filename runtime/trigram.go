package runtime

import (
	"cmp"
	"math"
	"math/bits"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A nameTally says how similar the names are to the query's key. Names are numbered as in Index.Trigrams: those of as
// many trigrams stand together.
type nameTally struct {
	query   []analysis.Trigram
	known   []docset.Bitmap // the names of each of query that any name has
	shared  docset.Counter  // those of query that names have, of which those from lo to hi-1 are counted
	lo, hi  int
	inner   []analysis.Trigram
	holding docset.Dense // names, and not documents
	scores  []score
	row     []column.Doc
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

// tally finds the trigrams that names may share with the query, and counts none yet.
func (w *work) tally() {
	n := &w.names
	n.query = analysis.Trigrams(n.query[:0], w.text.key)
	n.known = w.index.Trigrams.Bitmaps(n.known[:0], n.query)
	n.shared.ResetTo(w.index.Trigrams.Len(), n.known)
	n.lo, n.hi = 0, 0
}

// anyNames is a similarity that every name reaches.
var anyNames = similarity{0, 1}

// countNames counts the trigrams that names share with the query, of all names that can be as similar as least. Nonsense has
// too few that any name has, and a sentence too many for short names.
func (w *work) countNames(least similarity) {
	n := &w.names
	lo, hi := w.within(least)
	if lo == hi {
		return
	}
	if n.lo == n.hi {
		n.lo, n.hi = lo, lo
	}
	n.shared.Count(lo, n.lo)
	n.shared.Count(n.hi, hi)
	n.lo, n.hi = min(n.lo, lo), max(n.hi, hi)
}

// within returns the names, from lo to hi-1, that share a trigram with the query and are as similar as least, as far as
// the number of their trigrams tells: a name shares all of them at most, and no more than are known.
func (w *work) within(least similarity) (lo, hi int) {
	n := &w.names
	if len(n.known) == 0 && least.shared > 0 {
		return 0, 0
	}
	fewest := (least.shared*len(n.query) + least.united - 1) / least.united
	most := math.MaxInt
	if least.shared > 0 {
		most = len(n.known)*(least.shared+least.united)/least.shared - len(n.query)
	}
	if fewest > most {
		return 0, 0
	}
	if lo, hi = w.index.Trigrams.Sized(fewest, most); lo == hi {
		return 0, 0
	}
	return lo, hi
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
	w.countNames(least)
	lo, hi := w.within(least)
	for i := lo / 64; i*64 < hi; i++ {
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
func (w *work) trigramInto(dst docset.Dense) {
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
func (w *work) substringInto(dst docset.Dense) {
	n, index := &w.names, &w.index.Trigrams
	n.inner = analysis.InnerTrigrams(n.inner[:0], w.text.key)
	if n.holding == nil {
		n.holding = make(docset.Dense, docset.Words(index.Len()))
	}
	n.holding.Clear()
	index.RarestInto(n.holding, n.inner)
	if n.holding.Empty() {
		return
	}
	w.countNames(anyNames)
	for i, names := range n.holding {
		if names == 0 {
			continue
		}
		for names &= n.shared.AtLeast(i, len(n.inner)); names != 0; names &= names - 1 {
			name := i*64 + bits.TrailingZeros64(names)
			if own, place, _ := w.nameAt(name); strings.Contains(own.Key(place), w.text.key) {
				w.namedInto(dst, name)
			}
		}
	}
}

// nameAt returns where a name stands: its place among the names of products, or among those of makers.
func (w *work) nameAt(name int) (names *indexes.Groups, place int, ofMaker bool) {
	place = w.index.Trigrams.Place(name)
	if labels := w.index.Names.Len(); place >= labels {
		return &w.index.Makers, place - labels, true
	}
	return &w.index.Names, place, false
}

// namedInto unites dst with the documents that have a name.
func (w *work) namedInto(dst docset.Dense, name int) {
	if names, place, ofMaker := w.nameAt(name); ofMaker {
		w.makersInto(dst, names.Numbers(place))
	} else {
		w.addAll(dst, names.Numbers(place))
	}
}

// mostWordsInto unites dst, which is empty, with the documents that hold the most distinct words of the query: the last
// resort. One of those words has to be of four letters or more.
func (w *work) mostWordsInto(dst docset.Dense) {
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
	w.held.Reset(w.scope.Len(), len(words))
	for i := range words {
		w.held.Add(w.found(&words[i]))
	}
	w.held.KeepHighest(dst)
}

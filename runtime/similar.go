package runtime

import (
	"cmp"
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/docset"
)

// A nameTally counts the trigrams that names share with the query's key. Names are numbered as in
// NameTrigrams, in ascending order of their number of trigrams. Only requested names are counted.
type nameTally struct {
	names  *indexes.NameTrigrams
	query  []analysis.Trigram
	known  []docset.Bitmap // for each known trigram of the query, the names that contain it
	shared docset.Counter  // number of shared trigrams of each name, counted for names lo to hi-1
	lo, hi int
}

// A similarity is the Jaccard coefficient of the trigrams of a name and the query, shared divided by union,
// as in PostgreSQL's pg_trgm.
type similarity struct{ shared, union int }

// similar is the minimum similarity of a match.
var similar = similarity{3, 10}

// compare orders by similarity, descending: it is negative if s is more similar than t.
func (s similarity) compare(t similarity) int {
	return cmp.Compare(t.shared*s.union, s.shared*t.union)
}

func (s similarity) float() float64 { return float64(s.shared) / float64(s.union) }

func (s similarity) atLeast(t similarity) bool { return s.compare(t) <= 0 }

// tally finds the trigrams that names can share with the query. It does not count them.
func (m *matcher) tally() *nameTally {
	n := &m.names
	n.names = &m.index.Trigrams
	n.query = analysis.Trigrams(n.query[:0], m.query.key)
	n.known = n.names.Bitmaps(n.known[:0], n.query)
	n.shared.ResetTo(n.names.Len(), n.known)
	n.lo, n.hi = 0, 0
	return n
}

// anySimilarity is the smallest similarity, which every name reaches.
var anySimilarity = similarity{0, 1}

// count counts the shared trigrams of all names that can reach the similarity least. A random text has too
// few known trigrams to reach least, and a sentence has too many trigrams for short names.
func (n *nameTally) count(least similarity) {
	lo, hi := n.within(least)
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

// within returns the range of names, lo to hi-1, whose number of trigrams allows a shared trigram and the
// similarity least. A name shares at most all its trigrams, and at most the known ones.
func (n *nameTally) within(least similarity) (lo, hi int) {
	fewest := (least.shared*len(n.query) + least.union - 1) / least.union
	most := math.MaxInt
	if least.shared > 0 {
		most = len(n.known)*(least.shared+least.union)/least.shared - len(n.query)
	}
	if lo, hi = n.names.Sized(fewest, most); lo == hi { // also if most is less than fewest, or negative
		return 0, 0
	}
	return lo, hi
}

// of returns the similarity of a name, which must have been counted or must contain no known trigram.
func (n *nameTally) of(name int) similarity {
	shared := n.shared.Of(name)
	return similarity{shared, max(len(n.query)+n.names.Size(name)-shared, 1)}
}

// from calls visit, in order of number, with every name that shares a trigram and has at least the similarity
// least. visit returns the new value of least.
func (n *nameTally) from(least similarity, visit func(name int, s similarity) similarity) {
	names, known, size, shared := n.names, similarity{-1, 0}, 0, 0
	n.count(least)
	lo, hi := n.within(least)
	for i := lo / docset.WordBits; i*docset.WordBits < hi; i++ {
		// The minimum number of shared trigrams for the similarity least. It is computed for the first name of word
		// i, which has the fewest trigrams; the other names need at least as many.
		if s := names.Size(i * docset.WordBits); s != size || least != known {
			known, size = least, s
			shared = max(1, (least.shared*(len(n.query)+size)+least.shared+least.union-1)/(least.shared+least.union))
		}
		for some := n.shared.AtLeast(i, shared); some != 0; some &= some - 1 {
			name := i*docset.WordBits + bits.TrailingZeros64(some)
			if s := n.of(name); s.atLeast(least) {
				least = visit(name, s)
			}
		}
	}
}

// similar finds the documents with a similar name or manufacturer's name. For a long enough query it also
// finds names that contain the query.
func (m *matcher) similar() match {
	a, names := m.whole, m.tally()
	docs := a.take()
	names.from(similar, func(name int, _ similarity) similarity {
		a.namedInto(docs, name)
		return similar
	})
	if m.query.mayBeSubstring() {
		m.substringInto(docs, names)
	}
	f := found(stageSimilar, a, docs)
	f.names = names
	return f
}

// mayBeSubstring reports whether the query is also searched as a substring of names. This is possible only if
// the query has an inner trigram.
func (p *parsedQuery) mayBeSubstring() bool {
	return utf8.RuneCountInString(p.key)-strings.Count(p.key, " ") >= analysis.TrigramLetters
}

// edgeTrigrams is the number of trigrams that extend beyond the ends of a key: two at the beginning, one at
// the end. A name that contains the key only inside lacks them.
const edgeTrigrams = 3

// substringInto adds to dst the documents with a name that contains the query's key.
func (m *matcher) substringInto(dst docset.Dense, names *nameTally) {
	if len(names.query)-len(names.known) > edgeTrigrams {
		return // no name contains one of the inner trigrams
	}
	index := &m.index.Trigrams
	m.inner = analysis.InnerTrigrams(m.inner[:0], m.query.key)
	m.substring = zeros(m.substring, docset.Words(index.Len()))
	index.RarestInto(m.substring, m.inner)
	if m.substring.Empty() {
		return
	}
	names.count(anySimilarity)
	for i, some := range m.substring {
		if some == 0 {
			continue
		}
		for some &= names.shared.AtLeast(i, len(m.inner)); some != 0; some &= some - 1 {
			name := i*docset.WordBits + bits.TrailingZeros64(some)
			if own, place, _ := nameAt(m.index, name); strings.Contains(own.Key(place), m.query.key) {
				m.whole.namedInto(dst, name)
			}
		}
	}
}

// nameAt returns the index of a name among product names or among manufacturers' names.
func nameAt(x *indexes.Index, name int) (names *indexes.Groups, place int, ofManufacturer bool) {
	place = x.Trigrams.Place(name)
	if labels := x.Names.Len(); place >= labels {
		return &x.Manufacturers, place - labels, true
	}
	return &x.Names, place, false
}

// namedInto adds to dst the documents with a name.
func (a *arena) namedInto(dst docset.Dense, name int) {
	if names, place, ofManufacturer := nameAt(a.index, name); ofManufacturer {
		a.manufacturersInto(dst, names.Numbers(place))
	} else {
		a.addAll(dst, names.Numbers(place))
	}
}

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

// A nameTally says how similar the names are to the query's key. It numbers names as NameTrigrams does, by
// how many trigrams they have, and counts those that it is asked for, and no others.
type nameTally struct {
	names  *indexes.NameTrigrams
	query  []analysis.Trigram
	known  []docset.Bitmap // the names of each of query that any name has
	shared docset.Counter  // those of query that names have, of which those from lo to hi-1 are counted
	lo, hi int
}

// A similarity is how similar a name is to the query: the Jaccard coefficient of their trigrams, shared over
// united, as PostgreSQL's pg_trgm has it.
type similarity struct{ shared, union int }

// similar is the similarity from which on a name matches.
var similar = similarity{3, 10}

// compare orders by similarity, the greater first. It is 0 for equal ones.
func (s similarity) compare(t similarity) int {
	return cmp.Compare(t.shared*s.union, s.shared*t.union)
}

func (s similarity) float() float64 { return float64(s.shared) / float64(s.union) }

func (s similarity) atLeast(t similarity) bool { return s.compare(t) <= 0 }

// tally finds the trigrams that names may share with the query, and counts none yet.
func (m *matcher) tally() *nameTally {
	n := &m.names
	n.names = &m.index.Trigrams
	n.query = analysis.Trigrams(n.query[:0], m.query.key)
	n.known = n.names.Bitmaps(n.known[:0], n.query)
	n.shared.ResetTo(n.names.Len(), n.known)
	n.lo, n.hi = 0, 0
	return n
}

// anySimilarity is a similarity that every name reaches.
var anySimilarity = similarity{0, 1}

// count counts the trigrams that names share with the query, of all names that can be as similar as least.
// Nonsense has too few that any name has, and a sentence too many for short names.
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

// within returns the names, from lo to hi-1, that share a trigram with the query and are as similar as least,
// as far as the number of their trigrams tells: a name shares all of them at most, and no more than are
// known.
func (n *nameTally) within(least similarity) (lo, hi int) {
	if len(n.known) == 0 && least.shared > 0 {
		return 0, 0
	}
	fewest := (least.shared*len(n.query) + least.union - 1) / least.union
	most := math.MaxInt
	if least.shared > 0 {
		most = len(n.known)*(least.shared+least.union)/least.shared - len(n.query)
	}
	if fewest > most {
		return 0, 0
	}
	if lo, hi = n.names.Sized(fewest, most); lo == hi {
		return 0, 0
	}
	return lo, hi
}

// of returns the similarity of a name that is counted, or of which no trigram is known.
func (n *nameTally) of(name int) similarity {
	shared := n.shared.Of(name)
	return similarity{shared, max(len(n.query)+n.names.Size(name)-shared, 1)}
}

// from calls visit with every name, in the order of their numbers, that shares a trigram and is at least as
// similar as least; from then on, as what visit returns.
func (n *nameTally) from(least similarity, visit func(name int, s similarity) similarity) {
	names, known, size, shared := n.names, similarity{-1, 0}, 0, 0
	n.count(least)
	lo, hi := n.within(least)
	for i := lo / docset.WordBits; i*docset.WordBits < hi; i++ {
		// Shared over united reaches least from this number of shared trigrams on. It is that of the first name of
		// the word, which has the fewest trigrams: the others need as many, or more.
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

// similar finds the documents that have a name, or a manufacturer's name, which is similar to the query, or
// which has the query as a substring when that is long enough.
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

// mayBeSubstring reports whether the query is asked for as a substring of names, which takes an inner trigram.
func (p *parsedQuery) mayBeSubstring() bool {
	return utf8.RuneCountInString(p.key)-strings.Count(p.key, " ") >= analysis.TrigramLetters
}

// edgeTrigrams is how many trigrams of a key reach over its ends: two before the first letter, one after the
// last.
const edgeTrigrams = 3

// substringInto unites dst with the documents that have a name in which the query's key stands.
func (m *matcher) substringInto(dst docset.Dense, names *nameTally) {
	if len(names.query)-len(names.known) > edgeTrigrams {
		return // some inner trigram is in no name
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

// nameAt returns where a name stands: its place among the names of products, or among those of manufacturers.
func nameAt(x *indexes.Index, name int) (names *indexes.Groups, place int, ofManufacturer bool) {
	place = x.Trigrams.Place(name)
	if labels := x.Names.Len(); place >= labels {
		return &x.Manufacturers, place - labels, true
	}
	return &x.Names, place, false
}

// namedInto unites dst with the documents that have a name.
func (a *arena) namedInto(dst docset.Dense, name int) {
	if names, place, ofManufacturer := nameAt(a.index, name); ofManufacturer {
		a.manufacturersInto(dst, names.Numbers(place))
	} else {
		a.addAll(dst, names.Numbers(place))
	}
}

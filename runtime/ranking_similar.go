package runtime

import (
	"cmp"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
)

// A score is the similarity of a name or of a match. A match is as similar as its most similar name.
type score struct {
	similarity
	of uint32 // number of the name, or of the match in the scope
}

// Matches are scored individually if their number is at most the square root of fewShare times the number of
// documents. Otherwise names are scored. Scoring a match takes 0.1 µs. Scoring names takes longer if few
// names belong to matches. For 99,051 products both take the same time at about 440 matches; this number
// grows with the square root of the catalogue.
const fewShare = 2

// rankBySimilarity emits matches by the similarity of their most similar name.
func (r *ranking) rankBySimilarity() {
	switch n := r.rest.Len(); {
	case r.need == 0:
	case n*n <= fewShare*r.index.Docs || r.report != nil:
		r.rankFew()
	default:
		r.rankMany()
	}
	if !r.isDone() {
		r.emit(r.takeCopy(r.rest), &tier{strategy: StrategyTrigram}) // the matches after the page
	}
}

// nameSteps lists the minimum similarities that rankMany searches for, in this order. A lower similarity
// allows more names. Usually the page is full before the last step.
var nameSteps = [...]similarity{similar, {1, 5}, {1, 10}, {1, 20}, anySimilarity}

// rankMany emits the most similar matches until the page is full.
func (r *ranking) rankMany() {
	below := similarity{2, 1} // greater than every similarity
	for _, least := range nameSteps {
		for more := true; more && r.need > 0; {
			more = r.scoreNames(least, below)
			r.rankNames()
			if n := len(r.scores); n > 0 {
				below = r.scores[n-1].similarity
			}
		}
		below = least
	}
}

// The search assumes that each match has namesEach names, its labels in two languages. It collects up to
// scoreCapacity times the number of needed scores before it sorts them and drops the worst.
const (
	namesEach     = 2
	scoreCapacity = 2
)

// scoreNames finds the most similar names of matches, with a similarity from least to less than below: as
// many as the page may need, plus all names as similar as the last of them. It reports whether there are
// more.
func (r *ranking) scoreNames(least, below similarity) (more bool) {
	r.scores = r.scores[:0]
	need := namesEach * (r.skip + r.need)
	full := scoreCapacity * need
	r.names.from(least, func(name int, s similarity) similarity {
		if s.atLeast(below) || !r.isMatched(name) {
			return least
		}
		r.scores = append(r.scores, score{s, uint32(name)})
		if len(r.scores) >= full {
			r.sortScores()
			least, more = r.scores[need-1].similarity, true
			end := need
			for end < len(r.scores) && r.scores[end].compare(least) == 0 {
				end++
			}
			r.scores = r.scores[:end]
			full = end + need
		}
		return least
	})
	r.sortScores()
	return more
}

// isMatched reports whether a name belongs to a match that has not been emitted yet. The scope is always the
// whole catalogue, so a document is its own number in the scope.
func (r *ranking) isMatched(name int) bool {
	names, place, ofManufacturer := nameAt(r.index, name)
	return slices.ContainsFunc(names.Numbers(place), func(n uint32) bool {
		if ofManufacturer {
			return r.index.Facets[indexes.FamilyManufacturer].Set(int(n)).AndLen(r.rest) > 0
		}
		return r.rest.Has(column.Doc(n))
	})
}

// sortScores orders by similarity, then by number.
func (r *ranking) sortScores() {
	slices.SortFunc(r.scores, func(a, b score) int {
		if c := a.compare(b.similarity); c != 0 { // cmp.Or takes 1.4 times as long
			return c
		}
		return cmp.Compare(a.of, b.of)
	})
}

// rankNames emits the matches of the scored names.
func (r *ranking) rankNames() {
	docs := r.takeDirty()
	for scores := r.scores; len(scores) > 0 && r.need > 0; {
		docs.Clear()
		first := scores[0].similarity
		for ; len(scores) > 0 && scores[0].compare(first) == 0; scores = scores[1:] {
			r.namedInto(docs, int(scores[0].of))
		}
		docs.And(r.rest)
		r.emit(docs, &tier{strategy: StrategyTrigram, similarity: first})
	}
	r.give(docs)
}

// rankFew emits matches, which are few, by scoring the names of each match.
func (r *ranking) rankFew() {
	r.names.count(anySimilarity)
	r.scores = r.scores[:0]
	for place, ok := r.rest.Next(0); ok; place, ok = r.rest.Next(place + 1) {
		best := similarity{0, 1}
		for _, name := range r.index.DocNames.Of(r.scope.At(place)) {
			if s := r.names.of(int(name)); s.compare(best) < 0 {
				best = s
			}
		}
		r.scores = append(r.scores, score{best, uint32(place)})
	}
	r.sortScores()
	for _, s := range r.scores[:min(r.skip+r.need, len(r.scores))] {
		r.emitOne(column.Doc(s.of), &tier{strategy: StrategyTrigram, similarity: s.similarity})
	}
}

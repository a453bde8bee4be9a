package runtime

import (
	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// Search answers a query. The same query on the same generation has the same answer, and any page size cuts the same
// order. Its time is bounded by the length of the text and the size of the catalogue, whatever the text is.
func (g *Generation) Search(q *Query) *Result { return g.engine.search(q) }

func (e *engine) search(q *Query) *Result {
	w := e.begin()
	r := &Result{NormalizedQuery: analysis.Normalize(q.Text)}
	w.read(r.NormalizedQuery)
	matches, tier := w.match()
	w.readFilters(&q.Filters)
	hits := w.restrict(matches, indexes.NumFamilies)

	r.UsedFallback = tier == tierFuzzy || tier == tierTrigram
	r.Total = hits.n
	skip := q.offset(r.Total)
	r.HasMore = r.Total-skip > max(q.Limit, 0)
	w.fill(r, q, tier, hits, skip)
	if q.Facets {
		r.Facets = w.facets(matches, hits)
	}
	w.end()
	return r
}

// A tier says which part of the search found the matches.
type tier uint8

const (
	tierAll     tier = iota // no text was given: everything matches
	tierNone                // nothing matches
	tierStrict              // the buckets exact to fts
	tierFuzzy               // the first fallback
	tierTrigram             // the second
)

// match returns the documents that match the text alone. A fallback runs only when all before it found nothing.
func (w *work) match() (selection, tier) {
	if w.text.key == "" {
		return w.all(), tierAll
	}
	for _, attempt := range [...]struct {
		tier   tier
		narrow func(*work) // nil: the scope stays the whole catalogue
		into   func(*work, docset.Dense)
	}{
		{tierStrict, (*work).narrow, (*work).strictInto},
		{tierFuzzy, (*work).narrowNear, (*work).fuzzyInto},
		{tierTrigram, nil, (*work).trigramInto},
		{tierTrigram, nil, (*work).mostWordsInto},
	} {
		if attempt.narrow != nil {
			attempt.narrow(w)
		}
		matches := w.take()
		attempt.into(w, matches)
		if n := matches.Len(); n > 0 {
			if attempt.tier == tierStrict {
				matches = w.narrowTo(matches, n)
			}
			return selection{matches, n}, attempt.tier
		}
		w.give(matches)
		w.widen()
	}
	return selection{w.take(), 0}, tierNone
}

// fill puts the page and the strategy of the top hit into the result.
func (w *work) fill(r *Result, q *Query, t tier, hits selection, skip int) {
	need := max(min(q.Limit, hits.n-skip), 0)
	if need > 0 {
		r.Docs = make([]column.Doc, 0, need)
	}
	if hits.n == 0 {
		return
	}
	order, ordered := w.sorted(q.Sort, q.Locale)
	byRelevance := q.Sort == SortRelevance && t != tierAll
	switch {
	case byRelevance:
		r.Docs, r.Strategy = w.rank(r.Docs, t, hits, skip, need)
		return
	case ordered:
		r.Docs = w.sortedPage(r.Docs, order, hits, skip, need)
	default:
		r.Docs = w.page(r.Docs, hits, skip, need)
	}
	_, r.Strategy = w.rank(nil, t, hits, 0, 0)
}

// rank appends the hits from place skip on, need of them at most, in order of relevance, and returns the bucket of the
// first of all hits. Without a text there is none.
func (w *work) rank(dst []column.Doc, t tier, hits selection, skip, need int) ([]column.Doc, Strategy) {
	l := ladder{scope: w.scope, skip: skip, need: need, docs: dst}
	if t == tierAll {
		return dst, StrategyNone
	}
	l.rest = w.takeCopy(hits.docs)
	switch t {
	case tierStrict:
		w.rankStrict(&l)
	case tierFuzzy:
		w.rankFuzzy(&l)
	case tierTrigram:
		w.rankTrigram(&l)
	}
	return l.docs, l.top
}

package runtime

import (
	"sabine/indexes"
	"sabine/indexes/column"
)

// Search answers a query. The same query on the same generation has the same answer, and any page size cuts
// the same order. Its time is bounded by the length of the text and the size of the catalogue, whatever the
// text is.
func (g *Generation) Search(q *Query) *Result {
	w, text, m := g.engine.begin(q.Text)
	r := w.answer(q, text, &m)
	w.end()
	return r
}

// answer answers a query of which the text is matched.
func (w *workspace) answer(q *Query, text string, m *match) *Result {
	w.filters.read(m, &q.Filters)
	hits := w.filters.restrict(m.selection, indexes.NumFamilies)
	skip := q.offset(hits.n)
	r := &Result{
		Total: hits.n, HasMore: hits.n-skip > max(q.Limit, 0),
		NormalizedQuery: text, UsedFallback: m.stage.isFallback(),
	}
	w.fill(r, q, m, hits, skip)
	if q.Facets {
		r.Facets = w.facets.facets(&w.filters, m.selection, hits)
	}
	return r
}

// fill puts the page and the strategy of the top hit into the result.
func (w *workspace) fill(r *Result, q *Query, m *match, hits selection, skip int) {
	need := max(min(q.Limit, hits.n-skip), 0)
	if need > 0 {
		r.Docs = make([]column.Doc, 0, need)
	}
	if hits.n == 0 {
		return
	}
	sort := q.sort(m.stage != stageAll)
	if sort == SortRelevance && m.stage != stageAll {
		r.Docs, r.Strategy = w.rank(r.Docs, m, hits, skip, need)
	} else {
		if need > 0 { // else no order is worked out, which takes longest for what lies behind all hits
			r.Docs = w.page(r.Docs, m.arena, sort, q.Locale, hits, skip, need)
		}
		if m.stage != stageAll {
			_, r.Strategy = w.rank(nil, m, hits, 0, 0)
		}
	}
	if w.filters.needed != nil {
		r.Matches = make([]Match, len(r.Docs))
		for i, d := range r.Docs {
			r.Matches[i] = w.filters.needs.match(d, sort == SortMargin)
		}
	}
}

// rank appends the hits of a text from place skip on, need of them at most, in order of relevance, and
// returns the bucket of the first of all hits.
func (w *workspace) rank(dst []column.Doc, m *match, hits selection, skip, need int) ([]column.Doc, Strategy) {
	r := ranking{match: *m, rest: m.takeCopy(hits.docs), skip: skip, need: need, page: dst, scores: w.scores}
	r.rank()
	w.scores = r.scores
	return r.page, r.top
}

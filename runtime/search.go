package runtime

import (
	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
)

// Search answers a query. The same query on the same generation always has the same result, and pages of any
// size follow the same order. The time is bounded by the length of the text and the size of the catalogue.
func (g *Generation) Search(q *Query) *Result {
	normalized, key := analysis.NormalizeAndKey(q.Text)
	w, m := g.engine.begin(key)
	r := w.answer(q, &m)
	r.NormalizedQuery = normalized
	w.end()
	return r
}

// answer computes the result of a query from the match of its text, without NormalizedQuery.
func (w *workspace) answer(q *Query, m *match) *Result {
	w.filters.read(m, &q.Filters)
	hits := w.filters.passing(noFamily)
	skip := q.offset(hits.n)
	r := &Result{
		Total: hits.n, HasMore: hits.n-skip > max(q.Limit, 0), UsedFallback: m.stage.isFallback(),
		FoundStrictly: m.stage == stageAll || m.stage == stageStrict,
	}
	if q.NeedFacets { // before building the page, which drops entries
		r.NeedFacets = w.needCounts.facets(&w.filters, &q.Filters.Needs, hits)
	}
	w.fill(r, q, m, hits, skip)
	if q.Facets {
		r.Facets = w.facets.facets(&w.filters, hits)
	}
	if q.Near && hits.n == 0 && q.Page <= 0 && len(q.Filters.Needs.AbsorptionMin) > 0 {
		w.fillNear(r, q)
	}
	return r
}

// fillNear adds the nearest misses to the result of a query that has no hits.
func (w *workspace) fillNear(r *Result, q *Query) {
	f := &w.filters
	f.needs.read(f.index, &q.Filters.Needs, true)
	f.needed = f.needs.find(f.arena, f.matched)
	misses := f.passing(noFamily) // pass all filters, and all needs but AbsorptionMin
	if need := min(q.Limit, misses.n); need > 0 {
		r.Docs = f.needs.page(make([]column.Doc, 0, need), f.arena, misses, 0, need, byShortfall)
	}
	r.Matches = f.matches(r.Docs, byShortfall)
}

// fill adds the page, its matches and the top hit's strategy to the result.
func (w *workspace) fill(r *Result, q *Query, m *match, hits selection, skip int) {
	need := max(min(q.Limit, hits.n-skip), 0)
	if need > 0 {
		r.Docs = make([]column.Doc, 0, need)
	}
	if hits.n == 0 {
		return
	}
	hasText := m.stage != stageAll
	sort := q.sort(hasText)
	if hasText && sort == SortRelevance {
		r.Docs, r.Strategy = w.rank(r.Docs, m, hits, skip, need)
	} else {
		if need > 0 { // otherwise skip the computation of the order, which is slowest after the last hit
			r.Docs = w.page(r.Docs, m.arena, sort, q.Locale, hits, skip, need)
		}
		if hasText {
			_, r.Strategy = w.rank(nil, m, hits, 0, 0)
		}
	}
	if w.filters.needed != nil || q.Match {
		_, order := needOrderOf(sort)
		r.Matches = w.filters.matches(r.Docs, order)
	}
}

// matches returns the best match of each document in an order, or its most absorptive entry if there are no
// needs.
func (s *filterSets) matches(docs []column.Doc, order needOrder) []Match {
	matches := make([]Match, len(docs))
	for i, d := range docs {
		if s.needed != nil {
			matches[i] = s.needs.match(d, order)
		} else {
			matches[i].entry = mostAbsorptive(&s.index.Entries[indexes.NormAbsorption], d)
		}
	}
	return matches
}

// rank appends at most need hits for a text, starting at hit skip, in order of relevance. It returns the
// bucket of the first hit of page 0.
func (w *workspace) rank(dst []column.Doc, m *match, hits selection, skip, need int) ([]column.Doc, Strategy) {
	r := ranking{match: *m, rest: m.takeCopy(hits.docs), skip: skip, need: need, page: dst, scores: w.scores}
	r.rank()
	w.scores = r.scores
	return r.page, r.top
}

package quality

import (
	"maps"
	"slices"

	"github.com/google/uuid"
)

// PageSize is how many hits are looked at: the k of the measures.
const PageSize = 10

// An Answer is what an engine answered to a query, measured.
type Answer struct {
	Query     *Query
	Hits      []uuid.UUID // best first
	Success1  bool
	Success10 bool
	NDCG10    float64

	// Of an engine that tells all its hits.
	Fallback bool
	Missing  []uuid.UUID // judged products that are not among the hits, of a query that has to be complete
	Wrong    []uuid.UUID // hits that only a mistake explains
}

// Measure measures an engine's first hits, best first, of so many in all. It succeeds when a product of the
// query's best grade is in the first place, or on the first page; where nothing was judged good, when nothing
// comes.
func (q *Query) Measure(hits []uuid.UUID, total int) *Answer {
	a := &Answer{Query: q, Hits: hits}
	var grades []int
	for _, id := range hits[:min(PageSize, len(hits))] {
		grades = append(grades, q.Grades[id])
	}
	a.NDCG10 = ndcg(grades, slices.Collect(maps.Values(q.Grades)), PageSize)
	if len(q.Grades) == 0 {
		a.Success1, a.Success10 = total == 0, total == 0
		return a
	}
	a.Success1 = success(grades, 1, q.best())
	a.Success10 = success(grades, PageSize, q.best())
	return a
}

// MeasureAll is Measure for all the hits of a query.
func (q *Query) MeasureAll(hits []uuid.UUID) *Answer {
	a := q.Measure(hits, len(hits))
	for _, id := range hits {
		if q.Never[id] {
			a.Wrong = append(a.Wrong, id)
		}
	}
	if q.Complete {
		for id := range q.Grades {
			if !slices.Contains(hits, id) {
				a.Missing = append(a.Missing, id)
			}
		}
	}
	return a
}

// recall is the share of the judged products that came.
func (a *Answer) recall() float64 {
	return 1 - float64(len(a.Missing))/float64(max(1, len(a.Query.Grades)))
}

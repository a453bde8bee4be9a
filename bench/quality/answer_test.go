package quality

import (
	"maps"
	"slices"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/runtime"
)

// pageSize is how many hits are looked at: the k of the measures.
const pageSize = 10

// An engine is a snapshot of the sample catalogue, with the products that it was built from.
type engine struct {
	generation *runtime.Generation
	products   []*dataset.Product // by document number
}

// newEngine returns an engine. The generation holds exactly the products.
func newEngine(g *runtime.Generation, products []*dataset.Product) *engine {
	e := &engine{g, make([]*dataset.Product, g.Products())}
	for _, p := range products {
		if d, ok := g.Lookup(p.ID.String()); ok {
			e.products[d] = p
		}
	}
	return e
}

// An answer is the first page for a query, measured.
type answer struct {
	Query     *query
	Page      []*dataset.Product
	Total     int
	Strategy  runtime.Strategy
	Fallback  bool
	Missing   []*dataset.Product // that should be in the result and are not, of a query that has to be complete
	Success1  bool
	Success10 bool
	NDCG10    float64
}

// ask puts a query to the engine. It succeeds when a product of the query's best grade is in the first place, or on the first
// page, and nothing is missing; one that nothing was judged good for, when nothing comes.
func (e *engine) ask(q *query) *answer {
	r := e.generation.Search(&runtime.Query{Text: q.Text, Limit: pageSize})
	a := &answer{Query: q, Total: r.Total, Strategy: r.Strategy, Fallback: r.UsedFallback}
	var grades []int
	for _, d := range r.Docs {
		a.Page = append(a.Page, e.products[d])
		grades = append(grades, q.Grades[e.products[d].ID])
	}
	if q.Complete {
		a.Missing = e.missing(q)
	}
	a.NDCG10 = ndcg(grades, slices.Collect(maps.Values(q.Grades)), pageSize)
	if len(q.Grades) == 0 {
		a.Success1, a.Success10 = a.Total == 0, a.Total == 0
		return a
	}
	a.Success1 = success(grades, 1, q.best()) && len(a.Missing) == 0
	a.Success10 = success(grades, pageSize, q.best()) && len(a.Missing) == 0
	return a
}

// missing returns the judged products that no page of the result has, in document order.
func (e *engine) missing(q *query) []*dataset.Product {
	found := map[uuid.UUID]bool{}
	for page := 0; ; page++ {
		r := e.generation.Search(&runtime.Query{Text: q.Text, Page: page, Limit: pageSize})
		for _, d := range r.Docs {
			found[e.products[d].ID] = true
		}
		if !r.HasMore {
			break
		}
	}
	var missing []*dataset.Product
	for _, p := range e.products {
		if q.Grades[p.ID] > 0 && !found[p.ID] {
			missing = append(missing, p)
		}
	}
	return missing
}

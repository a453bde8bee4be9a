package runtime

import (
	"iter"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A Selection contains the products on all pages of a query. It is valid while the generation is acquired.
type Selection struct {
	Len  int
	docs docset.Dense // document numbers, even if the match had a narrow scope; nil if all documents are selected
	g    *Generation
}

// Select returns the products that match the text of a query and pass all its filters, including needs and
// their target. It ignores the page and the sort.
func (g *Generation) Select(q *Query) *Selection {
	w, m := g.engine.begin(analysis.Key(q.Text))
	w.filters.read(&m, &q.Filters)
	hits := w.filters.passing(noFamily)
	s := &Selection{Len: hits.n, g: g}
	if hits.docs != nil { // copy them, because end reuses the memory
		s.docs = make(docset.Dense, docset.Words(g.index.Docs))
		for place, ok := hits.docs.Next(0); ok; place, ok = hits.docs.Next(place + 1) {
			s.docs.Add(m.scope.At(place))
		}
	}
	w.end()
	return s
}

// Generation returns the generation that contains the products.
func (s *Selection) Generation() *Generation { return s.g }

// ByID yields the products ordered by id.
func (s *Selection) ByID() iter.Seq[column.Doc] {
	return func(yield func(column.Doc) bool) {
		order := &s.g.index.Orders[indexes.OrderID]
		for i := range s.g.index.Docs {
			if d := order.At(i); (s.docs == nil || s.docs.Has(d)) && !yield(d) {
				return
			}
		}
	}
}

// fetchedAtOnce is the number of records to prefetch together: few enough that they are still in the
// processor's cache when they are read.
const fetchedAtOnce = 16

// ByIDFetched is like ByID for callers that read the body of each product. It prefetches the beginnings of a
// few records together.
func (s *Selection) ByIDFetched() iter.Seq[column.Doc] {
	return func(yield func(column.Doc) bool) {
		few := make([]column.Doc, 0, fetchedAtOnce)
		yieldFew := func() bool {
			s.g.index.Bodies.Fetch(few)
			for _, d := range few {
				if !yield(d) {
					return false
				}
			}
			few = few[:0]
			return true
		}
		for d := range s.ByID() {
			if few = append(few, d); len(few) == cap(few) && !yieldFew() {
				return
			}
		}
		yieldFew()
	}
}

// ByCategory yields the products in ascending order of category, then of id. It treats a product without a
// category as if its category were none.
func (s *Selection) ByCategory(none string) iter.Seq[column.Doc] {
	return func(yield func(column.Doc) bool) {
		// The products of category i are in lists[2*i+1], and those of a category that sorts before it in lists[2*i].
		categories := &s.g.index.Facets[indexes.FamilyCategory]
		lists := make([][]column.Doc, 2*categories.Len()+1)
		i, isCategory := categories.Find(none)
		ofNone := 2 * i
		if isCategory {
			ofNone++
		}
		var room [1]uint32 // for the category of a product, without an allocation
		for d := range s.ByID() {
			i := ofNone
			if category := categories.Of(room[:0], d); len(category) > 0 {
				i = min(2*int(category[0])+1, len(lists)-1) // the last list only in a damaged file
			}
			lists[i] = append(lists[i], d)
		}
		for _, docs := range lists {
			for _, d := range docs {
				if !yield(d) {
					return
				}
			}
		}
	}
}

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
		// The list of category i is lists[2*i+1]. If none is not a category, its list is between those of the
		// categories before and after it.
		categories := &s.g.index.Facets[indexes.FamilyCategory]
		lists := make([][]column.Doc, 2*categories.Len()+1)
		i, isCategory := categories.Find(none) // if it is not a category, i is the next one
		listOfNone := 2 * i
		if isCategory {
			listOfNone++
		}
		var room [1]uint32 // for the category of a product, without an allocation
		for d := range s.ByID() {
			list := &lists[listOfNone]
			if category := categories.Of(room[:0], d); len(category) > 0 {
				list = &lists[min(2*int(category[0])+1, len(lists)-1)] // the last list only in a damaged file
			}
			*list = append(*list, d)
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

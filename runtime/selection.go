package runtime

import (
	"iter"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A Selection contains the products on all pages of a query. It is valid while the generation is acquired.
type Selection struct {
	Len  int
	docs docset.Dense // nil if all documents are selected
	g    *Generation
}

// Select returns the products that match the text of a query and its filters. It ignores the page and the
// sort.
func (g *Generation) Select(q *Query) *Selection {
	w, _, m := g.engine.begin(q.Text)
	w.filters.read(&m, &q.Filters)
	hits := w.filters.restrict(m.selection, indexes.NumFamilies)
	s := &Selection{Len: hits.n, g: g}
	if hits.docs != nil {
		s.docs = make(docset.Dense, docset.Words(g.index.Docs))
		for d, ok := hits.docs.Next(0); ok; d, ok = hits.docs.Next(d + 1) {
			s.docs.Add(m.scope.At(d))
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
		for place := range s.g.index.Docs {
			if d := order.At(place); (s.docs == nil || s.docs.Has(d)) && !yield(d) {
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
		each := func() bool {
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
			if few = append(few, d); len(few) == cap(few) && !each() {
				return
			}
		}
		each()
	}
}

// ByCategory yields the products in ascending order of category, then of id. It treats a product without a
// category as if its category were none.
func (s *Selection) ByCategory(none string) iter.Seq[column.Doc] {
	return func(yield func(column.Doc) bool) {
		categories := &s.g.index.Facets[indexes.FamilyCategory]
		place, named := slices.BinarySearch(s.g.Values(indexes.FamilyCategory), none)
		lists := make([][]column.Doc, categories.Len()+1) // at place: no category, or the category none
		var one [1]uint32
		for d := range s.ByID() {
			i := place
			if number := categories.Of(one[:0], d); len(number) > 0 {
				if i = int(number[0]); !named && i >= place {
					i++
				}
			}
			i = min(i, categories.Len()) // the index is out of range only in a damaged file
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

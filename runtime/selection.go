package runtime

import (
	"iter"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A Selection is the products that a query finds, on all pages. It is valid while the generation is held.
type Selection struct {
	Len  int
	docs docset.Dense // nil: all
	g    *Generation
}

// Select returns the products that match the text of a query and pass its filters. Pages and sorts mean nothing here.
func (g *Generation) Select(q *Query) *Selection {
	w := g.engine.begin()
	_, key := analysis.NormalizeAndKey(q.Text)
	m := w.matcher.match(w.reader.read(key))
	w.filters.read(m.arena, &q.Filters)
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

// ByID yields the products in the order of their ids.
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

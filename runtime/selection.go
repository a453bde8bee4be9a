package runtime

import (
	"cmp"
	"iter"
	"slices"
	"sort"

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

// Generation returns what the products are of.
func (s *Selection) Generation() *Generation { return s.g }

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

// fetchedAtOnce is how many records are fetched together: few enough to be in the processor's cache still when they are read.
const fetchedAtOnce = 16

// ByIDFetched is ByID for those who read the body of each product: the beginnings of a few records come from memory together.
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

// ByCategory yields the products category by category, in ascending order, and within one in the order of
// their ids. Products without a category have the category none. It holds 16 bytes of
// each meanwhile.
func (s *Selection) ByCategory(none string) iter.Seq[column.Doc] {
	return func(yield func(column.Doc) bool) {
		categories := &s.g.index.Facets[indexes.FamilyCategory]
		place := sort.Search(categories.Len(), func(i int) bool { return categories.Value(i) >= none })
		named := place < categories.Len() && categories.Value(place) == none // by a product
		type placed struct {
			category int
			doc      column.Doc
		}
		var docs []placed
		var one [1]uint32
		for d := range s.ByID() {
			of := placed{place, d}
			if number := categories.Of(one[:0], d); len(number) > 0 {
				if of.category = int(number[0]); !named && of.category >= place {
					of.category++
				}
			}
			docs = append(docs, of)
		}
		slices.SortStableFunc(docs, func(a, b placed) int { return cmp.Compare(a.category, b.category) })
		for _, of := range docs {
			if !yield(of.doc) {
				return
			}
		}
	}
}

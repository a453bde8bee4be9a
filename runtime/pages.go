package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
)

// sorted returns the order of documents of a sort; ok is false for the order of documents itself.
func sorted(x *indexes.Index, s Sort, l Locale) (o *indexes.Sorted, ok bool) {
	switch s {
	case SortAlphaDesc:
		return &x.Orders[indexes.OrderAlphaDesc], true
	case SortAlphaAsc:
		return &x.Orders[indexes.OrderAlphaAsc], true
	case SortName:
		if l == English {
			return &x.Orders[indexes.OrderNameEN], true
		}
		return &x.Orders[indexes.OrderNameDE], true
	}
	return nil, false
}

// page appends the hits from place skip on, need of them at most, in an order that is not that of relevance.
func (w *workspace) page(dst []column.Doc, a *arena, s Sort, l Locale, hits selection, skip, need int) []column.Doc {
	if order, ok := sorted(w.engine.index, s, l); ok {
		return w.sortedPage(dst, a, order, hits, skip, need)
	}
	if (s == SortMargin || s == SortDistance) && w.filters.needed != nil {
		return w.filters.needs.page(dst, a, hits, skip, need, s == SortMargin)
	}
	return a.page(dst, hits, skip, need)
}

// page appends the hits from place skip on, need of them at most, in document order.
func (a *arena) page(dst []column.Doc, hits selection, skip, need int) []column.Doc {
	if hits.docs != nil {
		return a.scope.Append(dst, hits.docs, skip, need)
	}
	for d := skip; d < hits.n && need > 0; d++ {
		dst = append(dst, column.Doc(d))
		need--
	}
	return dst
}

// placeCost is how many places of an order may be walked, each a look into the hits at random, in the time in which one
// hit's place is read and sorted: 2 to 3 ns against 35 to 70 ns, on 99,051 products.
const placeCost = 16

// sortedPage is page in an order. It walks the order until the page is full; where that would take longer, it sorts the
// places of the hits.
func (w *workspace) sortedPage(dst []column.Doc, a *arena, o *indexes.Sorted, hits selection, skip, need int) []column.Doc {
	end := min(skip+need, hits.n)
	if skip >= end {
		return dst
	}
	if hits.docs == nil {
		for place := skip; place < end; place++ {
			dst = append(dst, o.At(place))
		}
		return dst
	}
	docs := a.index.Docs
	walk := uint64(end) * uint64(docs) / uint64(hits.n)
	if a.scope.All() && walk <= placeCost*uint64(hits.n) {
		for place := 0; place < docs && end > 0; place++ {
			if d := o.At(place); hits.docs.Has(d) {
				if end--; skip > 0 {
					skip--
				} else {
					dst = append(dst, d)
				}
			}
		}
		return dst
	}
	w.places = w.places[:0]
	for d, ok := hits.docs.Next(0); ok; d, ok = hits.docs.Next(d + 1) {
		w.places = append(w.places, uint32(o.Place(a.scope.At(d))))
	}
	slices.Sort(w.places)
	for _, place := range w.places[skip:end] {
		dst = append(dst, o.At(int(place)))
	}
	return dst
}

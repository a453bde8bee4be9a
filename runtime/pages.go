package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
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
	case SortThickness:
		return &x.Orders[indexes.OrderThickness], true
	case SortDepth:
		return &x.Orders[indexes.OrderDepth], true
	}
	return nil, false
}

// page appends the hits from place skip on, need of them at most, in an order that is not that of relevance.
func (w *workspace) page(dst []column.Doc, a *arena, s Sort, l Locale, hits selection, skip, need int) []column.Doc {
	// By a length only the entries that meet the needs count, all of them where no ISO 354 entry is asked for.
	needs := &w.filters.needs
	byNeeds := s >= SortMargin && w.filters.needed != nil && (s <= SortDistance || needs.hasConditions(indexes.NormAbsorption))
	if order, ok := sorted(w.engine.index, s, l); ok && !byNeeds {
		return w.sortedPage(dst, a, order, hits, skip, need)
	}
	if byNeeds {
		order, _ := needOrderOf(s)
		return needs.page(dst, a, hits, skip, need, order)
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

// markCost is how many places of an order may be walked, each a look into the hits, in the time in which the
// place of one hit is marked in a set; and a hit in as few words of such a set as wordsEach is faster found
// by sorting the places.
const (
	markCost  = 4
	wordsEach = 64
)

// sortedPage is page in an order. It walks the order up to the page, from the end that is nearer; where that
// would take longer, it brings the places of the hits into order.
func (w *workspace) sortedPage(dst []column.Doc, a *arena, o *indexes.Sorted, hits selection, skip,
	need int) []column.Doc {
	end := min(skip+need, hits.n)
	if skip >= end {
		return dst
	}
	if hits.docs == nil {
		return append(dst, o.Docs()[skip:end]...)
	}
	docs := a.index.Docs
	walk := uint64(min(end, hits.n-skip)) * uint64(docs) / uint64(hits.n)
	switch {
	case a.scope.All() && walk <= markCost*uint64(hits.n):
		return appendWalked(dst, o.Docs(), hits, skip, end-skip)
	case hits.n*wordsEach > docset.Words(docs) && a.scope.All():
		places := a.take()
		for d, ok := hits.docs.Next(0); ok; d, ok = hits.docs.Next(d + 1) {
			places.Add(column.Doc(o.Place(d)))
		}
		from := len(dst)
		dst = a.scope.Append(dst, places, skip, end-skip)
		for i, place := range dst[from:] {
			dst[from+i] = o.At(int(place))
		}
		a.give(places)
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

// walkedBlock is how many documents of an order are counted together on the way to a page.
const walkedBlock = 256

// appendWalked appends the hits from place skip on, need of them, in the order of a list of all documents.
func appendWalked(dst, docs []column.Doc, hits selection, skip, need int) []column.Doc {
	at := 0 // the block in which the page begins; skip of the hits there stand before it
	if after := hits.n - skip; after < skip {
		for at = len(docs); at > 0 && after > 0; {
			before := max(at-walkedBlock, 0)
			after -= hits.docs.Count(docs[before:at])
			at = before
		}
		skip = -after
	} else {
		for at < len(docs) {
			n := hits.docs.Count(docs[at:min(at+walkedBlock, len(docs))])
			if n > skip {
				break
			}
			skip -= n
			at += walkedBlock
		}
	}
	for _, d := range docs[min(at, len(docs)):] {
		if !hits.docs.Has(d) {
			continue
		}
		if skip--; skip < 0 {
			dst = append(dst, d)
			if need--; need == 0 {
				break
			}
		}
	}
	return dst
}

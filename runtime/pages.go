package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// sorted returns the stored order of a sort. ok is false for the document order, which is not stored, and for
// relevance and the orders by needs.
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

// page appends at most need hits, starting at hit skip, in any order except relevance.
func (w *workspace) page(dst []column.Doc, a *arena, s Sort, l Locale, hits selection, skip, need int) []column.Doc {
	needs, byNeeds := &w.filters.needs, false
	switch s {
	case SortMargin, SortDistance:
		byNeeds = w.filters.needed != nil
	case SortThickness, SortDepth: // only absorption needs limit which entries count
		byNeeds = w.filters.needed != nil && needs.hasConditions(indexes.NormAbsorption)
	}
	if byNeeds {
		order, _ := needOrderOf(s)
		return needs.page(dst, a, hits, skip, need, order)
	}
	if order, ok := sorted(w.engine.index, s, l); ok {
		return w.sortedPage(dst, a, order, hits, skip, need)
	}
	return a.page(dst, hits, skip, need)
}

// page appends at most need hits, starting at hit skip, in document order.
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

// markCost is the number of positions of an order that can be walked, with a set lookup for each, in the time
// it takes to mark one hit's position in a set. If such a set contains less than one hit in wordsEach words,
// sorting the positions is faster.
const (
	markCost  = 4
	wordsEach = 64
)

// sortedPage is like page for a stored order. It walks the order to the page from the nearer end, or sorts
// the positions of the hits if that is faster.
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

// walkedBlock is the number of documents of an order that are counted together while searching for the page.
const walkedBlock = 256

// appendWalked appends need hits, starting at hit skip, in the order of docs, which lists all documents.
func appendWalked(dst, docs []column.Doc, hits selection, skip, need int) []column.Doc {
	at := 0 // first block of the page; skip of its hits precede the page
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

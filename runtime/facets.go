package runtime

import (
	"cmp"
	"slices"

	"sabine/indexes"
)

// facets counts every family among the documents that match a text (nil: all) under the filters. A family in which
// nothing is chosen counts among the hits themselves; one with a choice among what the hits would be without it.
func (w *work) facets(matches indexes.Dense, hits selection) *Facets {
	base := func(f indexes.Family) selection {
		if w.filters.families[f].docs == nil {
			return hits
		}
		return w.restrict(matches, f)
	}
	return &Facets{
		Categories:    w.rankedBuckets(indexes.FamilyCategory, base(indexes.FamilyCategory)),
		Characters:    w.rankedBuckets(indexes.FamilyCharacter, base(indexes.FamilyCharacter)),
		Installations: w.rankedBuckets(indexes.FamilyInstallation, base(indexes.FamilyInstallation)),
		Manufacturers: w.makerBuckets(base(indexes.FamilyManufacturer)),
		FireClasses:   w.buckets(indexes.FamilyFireClass, base(indexes.FamilyFireClass)),
		HasEPD:        w.split(indexes.FamilyEPD, base(indexes.FamilyEPD)),
		Purchasable:   w.split(indexes.FamilyPurchasable, base(indexes.FamilyPurchasable)),
	}
}

// buckets returns the values of a family that documents of the base have, or that are chosen, in the order of values.
func (w *work) buckets(f indexes.Family, base selection) []Bucket {
	facet, chosen := &w.index.Facets[f], &w.filters.families[f]
	counts := w.count(f, base)
	buckets := make([]Bucket, 0, chosen.shown(counts))
	for i, n := range counts {
		if n > 0 || slices.Contains(chosen.numbers, i) {
			buckets = append(buckets, Bucket{facet.Value(i), int(n)})
		}
	}
	return buckets
}

// rankedBuckets is buckets by count descending, then by value.
func (w *work) rankedBuckets(f indexes.Family, base selection) []Bucket {
	buckets := w.buckets(f, base)
	slices.SortStableFunc(buckets, func(a, b Bucket) int { return cmp.Compare(b.Count, a.Count) })
	return buckets
}

// makerBuckets is rankedBuckets for the manufacturers, whose values are their slugs.
func (w *work) makerBuckets(base selection) []MakerBucket {
	const f = indexes.FamilyManufacturer
	facet, chosen := &w.index.Facets[f], &w.filters.families[f]
	counts := w.count(f, base)
	buckets := make([]MakerBucket, 0, chosen.shown(counts))
	for i, n := range counts {
		if n > 0 || slices.Contains(chosen.numbers, i) {
			buckets = append(buckets, MakerBucket{facet.Maker(i), int(n)})
		}
	}
	slices.SortStableFunc(buckets, func(a, b MakerBucket) int { return cmp.Compare(b.Count, a.Count) })
	return buckets
}

// shown returns how many values of a family a count or a choice brings into the facets.
func (c *choice) shown(counts []int32) int {
	shown := len(c.numbers)
	for _, n := range counts {
		if n > 0 {
			shown++
		}
	}
	return shown
}

// split counts the documents of the base with and without the property of a family whose one value is yes.
func (w *work) split(f indexes.Family, base selection) Split {
	with := 0
	if i, ok := w.index.Facets[f].Find(yes); ok {
		with = int(w.count(f, base)[i])
	}
	return Split{True: with, False: base.n - with}
}

// count returns how many documents of the selection are in a stored set.
func (s selection) count(set indexes.Set) int {
	if s.docs == nil {
		return set.Len()
	}
	return set.AndLen(s.docs)
}

// columnCost is how many words of a set may be intersected in the time in which one document's values are read and
// counted: 6 to 12 ns against 0.8 to 1.1 ns, on 99,051 products.
const columnCost = 8

// count returns how many documents of the base have each value of a family, by the value's number: by its set for each
// value, or by walking the documents where those are fewer than the words of all the sets.
func (w *work) count(f indexes.Family, base selection) []int32 {
	facet := &w.index.Facets[f]
	values := facet.Len()
	w.counts = slices.Grow(w.counts[:0], values)[:values]
	clear(w.counts)
	switch words := min(values*indexes.DenseWords(w.index.Docs), w.index.Docs); {
	case base.n == 0:
	case !w.scope.All() || base.docs != nil && base.n*columnCost < words:
		w.countColumns(facet, base.docs)
		if f == indexes.FamilyFireClass { // the column has the class itself, the sets every safer one too
			for i := 1; i < values; i++ {
				w.counts[i] += w.counts[i-1]
			}
		}
	default:
		for i := range values {
			w.counts[i] = int32(base.count(facet.Set(i)))
		}
	}
	return w.counts
}

// countColumns counts values document by document.
func (w *work) countColumns(facet *indexes.Facet, docs indexes.Dense) {
	for d, ok := docs.Next(0); ok; d, ok = docs.Next(d + 1) {
		w.values = facet.Of(w.values[:0], w.scope.At(d))
		for _, v := range w.values {
			if int(v) < len(w.counts) {
				w.counts[v]++
			}
		}
	}
}

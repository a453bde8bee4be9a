package runtime

import (
	"math"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// facets counts every family among the documents that match a text under the filters. A family in which
// nothing is chosen counts among the hits themselves; one with a choice among what the hits would be without it.
func (w *work) facets(matches, hits selection) *Facets {
	w.listed.of = nil
	facets, shown := &Facets{}, &w.shown
	shown.values = shown.values[:0]
	for f := range indexes.NumFamilies {
		base := hits
		if w.filters.families[f].docs != nil {
			base = w.restrict(matches, f)
		}
		counts := w.count(f, base)
		switch f {
		case indexes.FamilyEPD:
			facets.HasEPD = split(counts, base)
		case indexes.FamilyPurchasable:
			facets.Purchasable = split(counts, base)
		default:
			shown.add(f, counts, w.filters.families[f].numbers)
		}
	}
	buckets := make([]Bucket, 0, len(shown.values))
	list := func(f indexes.Family) []Bucket {
		start := len(buckets)
		for _, v := range shown.of(f) {
			buckets = append(buckets, Bucket{w.index.Facets[f].Value(v.number()), v.count()})
		}
		return buckets[start:len(buckets):len(buckets)]
	}
	facets.Categories = list(indexes.FamilyCategory)
	facets.Characters = list(indexes.FamilyCharacter)
	facets.Installations = list(indexes.FamilyInstallation)
	facets.FireClasses = list(indexes.FamilyFireClass)
	makers := shown.of(indexes.FamilyManufacturer)
	facets.Manufacturers = make([]MakerBucket, len(makers))
	for i, v := range makers {
		facets.Manufacturers[i] = MakerBucket{w.index.Facets[indexes.FamilyManufacturer].Maker(v.number()), v.count()}
	}
	return facets
}

// shownValues are the values that facets show, family by family.
type shownValues struct {
	values []shownValue
	ends   [indexes.NumFamilies]int
}

// A shownValue is a value with its count, as one number whose ascending order is that of the facets: by count
// descending, then by value.
type shownValue uint64

func (v shownValue) number() int { return int(uint32(v)) }
func (v shownValue) count() int  { return math.MaxUint32 - int(v>>32) }

// add appends the values of a family that have a count or are chosen. Fire classes keep their order.
func (s *shownValues) add(f indexes.Family, counts []int32, chosen []int) {
	start := len(s.values)
	for i, n := range counts {
		if n > 0 || slices.Contains(chosen, i) {
			s.values = append(s.values, shownValue(math.MaxUint32-uint32(n))<<32|shownValue(i))
		}
	}
	if s.ends[f] = len(s.values); f != indexes.FamilyFireClass {
		slices.Sort(s.values[start:])
	}
}

// of returns the values of a family.
func (s *shownValues) of(f indexes.Family) []shownValue {
	start := 0
	if f > 0 {
		start = s.ends[f-1]
	}
	return s.values[start:s.ends[f]]
}

// split counts the documents of the base with and without the property of a family whose one value is yes.
func split(counts []int32, base selection) Split {
	with := 0
	if len(counts) > 0 { // in a catalogue some products have it
		with = int(counts[0])
	}
	return Split{True: with, False: base.n - with}
}

// count returns how many documents of the selection are in a stored set.
func (s selection) count(set docset.Set) int {
	if s.docs == nil {
		return set.Len()
	}
	return set.AndLen(s.docs)
}

// columnCost is how many words of a set may be intersected in the time in which one document is counted by the column.
const columnCost = 2

// count returns how many documents of the base have each value of a family, by the value's number: by its set for each
// value, or by the documents' column where those are fewer than the words of all the sets.
func (w *work) count(f indexes.Family, base selection) []int32 {
	facet := &w.index.Facets[f]
	values := facet.Len()
	w.counts = slices.Grow(w.counts[:0], values)[:values]
	clear(w.counts)
	switch words := min(values*docset.Words(w.index.Docs), w.index.Docs); {
	case base.n == 0:
	case !w.scope.All() || base.docs != nil && base.n*columnCost < words:
		w.columnCounts = facet.Count(w.counts, w.list(base), w.columnCounts)
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

// A listing is the documents of a set, which several families are counted by.
type listing struct {
	of   *uint64 // the set's first word
	docs []column.Doc
}

// list returns the documents of a selection, which is not all nor empty.
func (w *work) list(base selection) []column.Doc {
	if w.listed.of != &base.docs[0] {
		w.listed = listing{&base.docs[0], appendDocs(w.listed.docs[:0], w.scope, base.docs, 0, base.n)}
	}
	return w.listed.docs
}

package runtime

import (
	"math"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A facetCounter counts facets. It is the memory of that.
type facetCounter struct {
	counts       []int32
	columnCounts []int32
	listed       listing
	shown        shownValues
}

// facets counts every family among the documents that match a text under the filters. A family in which
// nothing is chosen counts among the hits themselves; one with a choice among what the hits would be without it.
func (c *facetCounter) facets(filters *filterSets, matches, hits selection) *Facets {
	x := filters.index
	c.listed.of = nil
	facets, shown := &Facets{}, &c.shown
	shown.values = shown.values[:0]
	for f := range indexes.NumFamilies {
		base := hits
		if filters.families[f].docs != nil {
			base = filters.restrict(matches, f)
		}
		counts := c.count(filters.arena, f, base)
		switch f {
		case indexes.FamilyEPD:
			facets.HasEPD = split(counts, base)
		case indexes.FamilyPurchasable:
			facets.Purchasable = split(counts, base)
		default:
			shown.add(f, counts, filters.families[f].numbers)
		}
	}
	all := make([]ValueCount, 0, len(shown.values))
	list := func(f indexes.Family) []ValueCount {
		start := len(all)
		for _, v := range shown.of(f) {
			all = append(all, ValueCount{x.Facets[f].Value(v.number()), v.count()})
		}
		return all[start:len(all):len(all)]
	}
	facets.Categories = list(indexes.FamilyCategory)
	facets.Characters = list(indexes.FamilyCharacter)
	facets.Installations = list(indexes.FamilyInstallation)
	facets.FireClasses = list(indexes.FamilyFireClass)
	manufacturers := shown.of(indexes.FamilyManufacturer)
	facets.Manufacturers = make([]ManufacturerCount, len(manufacturers))
	for i, v := range manufacturers {
		facets.Manufacturers[i] = ManufacturerCount{x.Facets[indexes.FamilyManufacturer].Manufacturer(v.number()), v.count()}
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

// split counts the documents of the base with and without the property of a family whose one value is Yes.
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
func (c *facetCounter) count(a *arena, f indexes.Family, base selection) []int32 {
	facet := &a.index.Facets[f]
	values := facet.Len()
	c.counts = zeros(c.counts, values)
	switch words := min(values*docset.Words(a.index.Docs), a.index.Docs); {
	case base.n == 0:
	case !a.scope.All() || base.docs != nil && base.n*columnCost < words:
		c.columnCounts = facet.Count(c.counts, c.list(a, base), c.columnCounts)
		if f == indexes.FamilyFireClass { // the column has the class itself, the sets every safer one too
			for i := 1; i < values; i++ {
				c.counts[i] += c.counts[i-1]
			}
		}
	default:
		for i := range values {
			c.counts[i] = int32(base.count(facet.Set(i)))
		}
	}
	return c.counts
}

// A listing is the documents of a set, which several families are counted by.
type listing struct {
	of   *uint64 // the set's first word
	docs []column.Doc
}

// list returns the documents of a selection, which is not all nor empty.
func (c *facetCounter) list(a *arena, base selection) []column.Doc {
	if c.listed.of != &base.docs[0] {
		c.listed = listing{&base.docs[0], appendDocs(c.listed.docs[:0], a.scope, base.docs, 0, base.n)}
	}
	return c.listed.docs
}

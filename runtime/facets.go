package runtime

import (
	"math"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A facetCounter counts facets and reuses its memory.
type facetCounter struct {
	counts       []int32
	columnCounts []int32
	listed       []column.Doc // documents whose column values are counted
	hitsListed   bool         // whether listed contains the hits, on which most counts are based
	shown        []shownValue
}

// facets counts the values of every family among the hits. If a value of a family is chosen, the family is
// counted as if none of its values were chosen, among more documents than the hits.
func (c *facetCounter) facets(filters *filterSets, hits selection) *Facets {
	x := filters.index
	c.hitsListed = false
	facets := &Facets{}
	room := 0
	lists := [indexes.NumFamilies]*[]ValueCount{
		indexes.FamilyCategory: &facets.Categories, indexes.FamilyCharacter: &facets.Characters,
		indexes.FamilyInstallation: &facets.Installations, indexes.FamilyFireClass: &facets.FireClasses,
	}
	for f, list := range lists {
		if list != nil {
			room += x.Facets[f].Len()
		}
	}
	all := make([]ValueCount, 0, room) // memory for the four lists
	for f := range indexes.NumFamilies {
		facet, base, chosen := &x.Facets[f], hits, filters.families[f].docs != nil
		if chosen {
			base = filters.passing(f)
		}
		counts := c.count(filters.arena, f, base, !chosen)
		switch f {
		case indexes.FamilyEPD:
			facets.HasEPD = split(counts, base)
		case indexes.FamilyPurchasable:
			facets.Purchasable = split(counts, base)
		case indexes.FamilyManufacturer:
			shown := c.show(f, counts, filters.families[f].numbers)
			facets.Manufacturers = make([]ManufacturerCount, len(shown))
			for i, v := range shown {
				facets.Manufacturers[i] = ManufacturerCount{facet.Manufacturer(v.number()), v.count()}
			}
		default:
			start := len(all)
			for _, v := range c.show(f, counts, filters.families[f].numbers) {
				all = append(all, ValueCount{facet.Value(v.number()), v.count()})
			}
			*lists[f] = all[start:len(all):len(all)]
		}
	}
	return facets
}

// A shownValue encodes a value and its count as one number. The ascending order of these numbers is the order
// of facets: by count, descending, then by value.
type shownValue uint64

func (v shownValue) number() int { return int(uint32(v)) }
func (v shownValue) count() int  { return math.MaxUint32 - int(v>>32) }

// show returns, in order, the values of a family that are chosen or have a count other than 0. Fire classes
// are in the order of the classes.
func (c *facetCounter) show(f indexes.Family, counts []int32, chosen []int) []shownValue {
	c.shown = c.shown[:0]
	for i, n := range counts {
		if n > 0 || slices.Contains(chosen, i) {
			c.shown = append(c.shown, shownValue(math.MaxUint32-uint32(n))<<32|shownValue(i))
		}
	}
	if f != indexes.FamilyFireClass {
		slices.Sort(c.shown)
	}
	return c.shown
}

// split counts the documents with and without the property of a family whose only value is Yes.
func split(counts []int32, base selection) Split {
	with := 0
	if len(counts) > 0 { // without counts, no product of the catalogue has the property
		with = int(counts[0])
	}
	return Split{True: with, False: base.n - with}
}

// count returns the number of documents of the selection in a stored set.
func (s selection) count(set docset.Set) int {
	if s.docs == nil {
		return set.Len()
	}
	return set.AndLen(s.docs)
}

// columnCost is the number of set words that can be intersected in the time it takes to count one document in
// the column.
const columnCost = 2

// count returns, by value number, how many documents of the base have each value of a family. It intersects
// the sets of the values, or reads the column if the documents are fewer than the words of the sets. ofHits
// means that the base consists of the hits.
func (c *facetCounter) count(a *arena, f indexes.Family, base selection, ofHits bool) []int32 {
	facet := &a.index.Facets[f]
	values := facet.Len()
	c.counts = zeros(c.counts, values)
	switch words := min(values*docset.Words(a.index.Docs), a.index.Docs); {
	case base.n == 0:
	case !a.scope.All() || base.docs != nil && base.n*columnCost < words:
		c.columnCounts = facet.Count(c.counts, c.list(a, base, ofHits), c.columnCounts)
		if f == indexes.FamilyFireClass { // unlike the sets, the column does not include safer classes
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

// list returns the documents of a base, which must not be empty. It lists the hits only once.
func (c *facetCounter) list(a *arena, base selection, ofHits bool) []column.Doc {
	if !ofHits || !c.hitsListed {
		c.listed = a.scope.Append(c.listed[:0], base.docs, 0, base.n)
		c.hitsListed = ofHits
	}
	return c.listed
}

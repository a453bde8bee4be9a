package runtime

import (
	"cmp"
	"math"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// filterSets contains a query's filters as sets of documents, in the arena of the match. The sets may contain
// documents that the text does not match, because they are intersected with the matched documents later.
type filterSets struct {
	*arena
	matched  selection // documents that match the text, before filtering
	families [indexes.NumFamilies]choice
	chosen   []bool       // whether each value of the current family is chosen, by value number
	values   []uint32     // values of one document
	alpha    docset.Dense // documents within the bounds of alpha_w; nil if there are no bounds
	needed   docset.Dense // documents that meet the needs; nil if there are no needs
	needs    needFinder
}

// A choice contains the chosen values of a family.
type choice struct {
	docs    docset.Dense // documents with one of the values; nil if there is no restriction
	numbers []int        // facet numbers of the known values
}

// read looks up the values and collects their documents. Unknown values add no documents.
func (s *filterSets) read(m *match, q *Filters) {
	s.arena, s.matched = m.arena, m.selection
	for f := range s.families {
		c := &s.families[f]
		c.docs, c.numbers = nil, c.numbers[:0]
	}
	s.alpha, s.needed = nil, nil

	s.choose(indexes.FamilyCategory, q.Categories...)
	s.choose(indexes.FamilyCharacter, q.Characters...)
	s.choose(indexes.FamilyInstallation, q.Installations...)
	s.choose(indexes.FamilyManufacturer, q.Manufacturers...)
	if q.FireClass != "" {
		s.choose(indexes.FamilyFireClass, q.FireClass)
	}
	if q.HasEPD {
		s.choose(indexes.FamilyEPD, indexes.Yes)
	}
	if q.Purchasable {
		s.choose(indexes.FamilyPurchasable, indexes.Yes)
	}
	if q.AlphaWMin != nil || q.AlphaWMax != nil {
		s.alpha = s.take()
		s.alphaInto(s.alpha, *cmp.Or(q.AlphaWMin, new(math.Inf(-1))), *cmp.Or(q.AlphaWMax, new(math.Inf(1))))
	}
	if q.Needs.isSet() {
		s.needs.read(s.index, &q.Needs, false)
		s.needed = s.needs.find(s.arena, s.matched)
	}
}

// alphaInto adds to dst the documents with an alpha_w in [least, most].
func (a *arena) alphaInto(dst docset.Dense, least, most float64) {
	if a.scope.All() {
		a.index.Alpha.Range(dst, least, most)
		return
	}
	for i := range column.Doc(a.scope.Len()) {
		if v, ok := a.index.Alpha.Of(a.scope.At(i)); ok && least <= v && v <= most {
			dst.Add(i)
		}
	}
}

// choose restricts a family to values. Without values there is no restriction.
func (s *filterSets) choose(f indexes.Family, values ...string) {
	if len(values) == 0 {
		return
	}
	c := &s.families[f]
	c.docs = s.take()
	facet := &s.index.Facets[f]
	setCost := 0 // cost in documents; for large sets, in words of the set
	for _, v := range values {
		if number, ok := findValue(facet, f, v); ok {
			c.numbers = append(c.numbers, number)
			setCost += min(facet.Set(number).Len(), docset.Words(s.index.Docs))
		}
	}
	if s.matched.docs != nil && s.matched.n*valueCost < setCost {
		s.valuesOfMatched(f)
		return
	}
	if f == indexes.FamilyManufacturer && s.scope.All() && len(c.numbers) > facet.Len()/2 && facet.IsPartition() {
		s.mark(f)
		others := s.take() // documents of the other values, which have fewer documents
		for number, chosen := range s.chosen {
			if !chosen {
				facet.Set(number).OrInto(others)
			}
		}
		c.docs.Fill(s.index.Docs)
		c.docs.AndNot(others)
		s.give(others)
		return
	}
	for _, number := range c.numbers {
		s.scope.Or(c.docs, facet.Set(number))
	}
}

// mark sets chosen to the chosen values of a family.
func (s *filterSets) mark(f indexes.Family) {
	s.chosen = zeros(s.chosen, s.index.Facets[f].Len())
	for _, number := range s.families[f].numbers {
		s.chosen[number] = true
	}
}

// valueCost is the number of documents that can be added from a set in the time of one lookup in a family's
// column.
const valueCost = 8

// valuesOfMatched adds to a choice the matched documents with a chosen value, which it reads from the column.
// For some hundred manufacturers this is faster than the union of their sets.
func (s *filterSets) valuesOfMatched(f indexes.Family) {
	facet, c := &s.index.Facets[f], &s.families[f]
	s.mark(f)
	if f == indexes.FamilyFireClass { // unlike the sets, the column does not include safer classes
		for i := range c.numbers[0] {
			s.chosen[i] = true
		}
	}
	for place, ok := s.matched.docs.Next(0); ok; place, ok = s.matched.docs.Next(place + 1) {
		s.values = facet.Of(s.values[:0], s.scope.At(place))
		for _, v := range s.values {
			if int64(v) < int64(len(s.chosen)) && s.chosen[v] {
				c.docs.Add(place)
				break
			}
		}
	}
}

// findValue returns the number of a value. A manufacturer's value is a slug, or a UUID in any case.
func findValue(facet *indexes.Facet, f indexes.Family, value string) (number int, ok bool) {
	number, ok = facet.Find(value)
	if !ok && f == indexes.FamilyManufacturer && len(value) == indexes.UUIDLength {
		return facet.FindManufacturerID(value)
	}
	return number, ok
}

// noFamily is the argument of passing if the filters of all families apply.
const noFamily = indexes.NumFamilies

// passing returns the matched documents that pass all filters, including bounds of alpha_w and needs, but it
// ignores the chosen values of the family except.
func (s *filterSets) passing(except indexes.Family) selection {
	of, filtered, owned := s.matched, false, false // owned: of.docs is a copy, so it may be modified
	pass := func(filter docset.Dense) {
		if filter == nil {
			return
		}
		filtered = true
		switch {
		case of.docs == nil:
			of.docs = filter
		case owned:
			of.docs.And(filter)
		default:
			of.docs, owned = s.takeCopy(of.docs), true
			of.docs.And(filter)
		}
	}
	pass(s.alpha)
	pass(s.needed)
	for f := range indexes.NumFamilies {
		if f != except {
			pass(s.families[f].docs)
		}
	}
	if filtered {
		of.n = of.docs.Len()
	}
	return of
}

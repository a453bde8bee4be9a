package runtime

import (
	"math"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// filterSets are a query's filters as sets of documents, in the arena of what they restrict. A document that
// the text does not match may be in them or not.
type filterSets struct {
	*arena
	matched  selection // by the text
	families [indexes.NumFamilies]choice
	chosen   []bool       // by value, of the family that is read
	values   []uint32     // of one document
	alpha    docset.Dense // nil: no restriction
	needed   docset.Dense // that meet the needs; nil: there are none
	needs    needFinder
}

// A choice is what a query chose in one family.
type choice struct {
	docs    docset.Dense // that have one of the values; nil: no restriction
	numbers []int        // of the chosen values in the facet, as far as they are known
}

// read looks the values up and collects their documents. A value that is not known adds no document.
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
		least, most := math.Inf(-1), math.Inf(1)
		if q.AlphaWMin != nil {
			least = *q.AlphaWMin
		}
		if q.AlphaWMax != nil {
			most = *q.AlphaWMax
		}
		s.alpha = s.take()
		s.alphaInto(s.alpha, least, most)
	}
	if q.Needs.asked() {
		s.needs.read(s.index, &q.Needs, false)
		s.needed = s.needs.find(s.arena, s.matched)
	}
}

// alphaInto unites dst with the documents whose alpha_w lies in [least, most].
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

// choose restricts a family to values; none is no restriction.
func (s *filterSets) choose(f indexes.Family, values ...string) {
	if len(values) == 0 {
		return
	}
	c := &s.families[f]
	c.docs = s.take()
	facet := &s.index.Facets[f]
	united := 0 // documents, or the words of sets that have more
	for _, v := range values {
		if number, ok := findValue(facet, f, v); ok {
			c.numbers = append(c.numbers, number)
			united += min(facet.Set(number).Len(), docset.Words(s.index.Docs))
		}
	}
	if s.matched.docs != nil && s.matched.n*valueCost < united {
		s.valuesOfMatched(f)
		return
	}
	if f == indexes.FamilyManufacturer && s.scope.All() && len(c.numbers) > facet.Len()/2 && facet.IsPartition() {
		s.mark(f)
		others := s.take() // the documents of the other values, which are fewer
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

// mark notes which values of a family are chosen.
func (s *filterSets) mark(f indexes.Family) {
	s.chosen = zeros(s.chosen, s.index.Facets[f].Len())
	for _, number := range s.families[f].numbers {
		s.chosen[number] = true
	}
}

// valueCost is how many documents of a set may be united in the time in which one is looked up in the column
// of a family.
const valueCost = 8

// valuesOfMatched puts those of the matched documents into a choice that have one of its values, by the
// column: of some hundred manufacturers there are as many sets.
func (s *filterSets) valuesOfMatched(f indexes.Family) {
	facet, c := &s.index.Facets[f], &s.families[f]
	s.mark(f)
	if f == indexes.FamilyFireClass { // the column has the class itself, the sets every safer one too
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

// findValue finds the number of a value, of a manufacturer by its slug or by its UUID in any case.
func findValue(facet *indexes.Facet, f indexes.Family, value string) (number int, ok bool) {
	number, ok = facet.Find(value)
	if !ok && f == indexes.FamilyManufacturer && len(value) == indexes.UUIDLength {
		return facet.FindManufacturerID(value)
	}
	return number, ok
}

// restrict returns the documents of a selection that pass every filter but those of one family; NumFamilies
// leaves none out.
func (s *filterSets) restrict(of selection, but indexes.Family) selection {
	passed, owned := false, false
	pass := func(filter docset.Dense) {
		if filter == nil {
			return
		}
		passed = true
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
		if f != but {
			pass(s.families[f].docs)
		}
	}
	if passed {
		of.n = of.docs.Len()
	}
	return of
}

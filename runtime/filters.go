package runtime

import (
	"math"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// filterSets are a query's filters as sets of documents.
type filterSets struct {
	families [indexes.NumFamilies]choice
	alpha    docset.Dense // nil: no restriction
}

// A choice is what a query chose in one family.
type choice struct {
	docs    docset.Dense // that have one of the values; nil: no restriction
	numbers []int        // of the chosen values in the facet, as far as they are known
}

// readFilters looks the values up and collects their documents. A value that is not known adds no document.
func (w *work) readFilters(q *Filters) {
	for f := range w.filters.families {
		c := &w.filters.families[f]
		c.docs, c.numbers = nil, c.numbers[:0]
	}
	w.filters.alpha = nil

	w.choose(indexes.FamilyCategory, q.Categories...)
	w.choose(indexes.FamilyCharacter, q.Characters...)
	w.choose(indexes.FamilyInstallation, q.Installations...)
	w.choose(indexes.FamilyManufacturer, q.Manufacturers...)
	if q.FireClass != "" {
		w.choose(indexes.FamilyFireClass, q.FireClass)
	}
	if q.HasEPD {
		w.choose(indexes.FamilyEPD, yes)
	}
	if q.Purchasable {
		w.choose(indexes.FamilyPurchasable, yes)
	}
	if q.AlphaWMin != nil || q.AlphaWMax != nil {
		least, most := math.Inf(-1), math.Inf(1)
		if q.AlphaWMin != nil {
			least = *q.AlphaWMin
		}
		if q.AlphaWMax != nil {
			most = *q.AlphaWMax
		}
		w.filters.alpha = w.take()
		w.alphaInto(w.filters.alpha, least, most)
	}
}

// alphaInto unites dst with the documents whose alpha_w lies in [least, most].
func (w *work) alphaInto(dst docset.Dense, least, most float64) {
	if w.scope.All() {
		w.index.Alpha.Range(dst, least, most)
		return
	}
	for i := range column.Doc(w.scope.Len()) {
		if v, ok := w.index.Alpha.Of(w.scope.At(i)); ok && least <= v && v <= most {
			dst.Add(i)
		}
	}
}

// choose restricts a family to values; none is no restriction.
func (w *work) choose(f indexes.Family, values ...string) {
	if len(values) == 0 {
		return
	}
	c := &w.filters.families[f]
	c.docs = w.take()
	for _, v := range values {
		if number, ok := w.find(f, v); ok {
			w.scope.Or(c.docs, w.index.Facets[f].Set(number))
			c.numbers = append(c.numbers, number)
		}
	}
}

// find finds the number of a value, of a manufacturer by its slug or by its UUID in any case.
func (w *work) find(f indexes.Family, value string) (number int, ok bool) {
	facet := &w.index.Facets[f]
	number, ok = facet.Find(value)
	if !ok && f == indexes.FamilyManufacturer && len(value) == uuidLength {
		return facet.FindMakerID(value)
	}
	return number, ok
}

// A selection is a set of documents with its size.
type selection struct {
	docs docset.Dense // nil: all
	n    int
}

// all selects the whole catalogue.
func (w *work) all() selection { return selection{nil, w.scope.Len()} }

// restrict returns the documents of a selection that pass every filter but those of one family; NumFamilies leaves none
// out.
func (w *work) restrict(s selection, but indexes.Family) selection {
	passed, owned := false, false
	pass := func(filter docset.Dense) {
		if filter == nil {
			return
		}
		passed = true
		switch {
		case s.docs == nil:
			s.docs = filter
		case owned:
			s.docs.And(filter)
		default:
			s.docs, owned = w.takeCopy(s.docs), true
			s.docs.And(filter)
		}
	}
	pass(w.filters.alpha)
	for f := range indexes.NumFamilies {
		if f != but {
			pass(w.filters.families[f].docs)
		}
	}
	if passed {
		s.n = s.docs.Len()
	}
	return s
}

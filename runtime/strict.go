package runtime

import (
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// strict finds what the strict buckets have.
func (m *matcher) strict() match {
	a, holding := m.narrow()
	docs := a.take()
	if narrow := !a.scope.All(); narrow && holding == a.scope.Len() {
		docs.Fill(holding)
		return found(stageStrict, a, docs)
	} else if !narrow || holding > 0 {
		a.allInto(docs)
	}
	// Every document of prefix and phrase holds all words, the last perhaps as a beginning, and so stands in fts
	// already; and so does one of a curated synonym's value.
	a.exactInto(docs)
	a.valuesInto(docs, a.query.named)
	return m.rescoped(found(stageStrict, a, docs))
}

// exactInto unites dst with the documents that have the query's key as that of a name, the manufacturer's
// name, the slug or the id. As for each bucket, the result says whether there may be any.
func (a *arena) exactInto(dst docset.Dense) (some bool) {
	key := a.query.key
	if i, ok := a.index.Names.Find(key); ok {
		a.addAll(dst, a.index.Names.Numbers(i))
		some = true
	}
	if i, ok := a.index.Manufacturers.Find(key); ok {
		a.manufacturersInto(dst, a.index.Manufacturers.Numbers(i))
		some = true
	}
	if i, ok := a.index.SlugKeys.Find(key); ok {
		a.addAll(dst, a.index.SlugKeys.Numbers(i))
		some = true
	}
	if a.query.isID {
		a.scope.Add(dst, a.query.id)
		some = true
	}
	return some
}

// beginningInto unites dst with the documents that have a name which begins with the query's key, or whose
// manufacturer has: up to the end of a word or, when told so, inside a word too.
func (a *arena) beginningInto(dst docset.Dense, of indexes.Field, inside bool) (some bool) {
	names := &a.index.Names
	if of == indexes.FieldManufacturer {
		names = &a.index.Manufacturers
	}
	lo, hi := names.Range(a.query.key)
	if !inside && lo < hi {
		lo, hi = names.Range(a.query.key + " ")
	}
	if of == indexes.FieldManufacturer {
		a.manufacturersInto(dst, names.NumbersOf(lo, hi))
	} else {
		a.addAll(dst, names.NumbersOf(lo, hi))
	}
	return lo < hi
}

// valuesInto unites dst with the documents that have one of the values that the query names.
func (a *arena) valuesInto(dst docset.Dense, values []value) {
	for _, v := range values {
		a.scope.Or(dst, a.index.Facets[v.family].Set(v.number))
	}
}

// phraseTerms appends the query's words as terms. A product may hold them as a phrase when they are two or
// more, and all are known.
func (a *arena) phraseTerms(dst []indexes.Term) (terms []indexes.Term, ok bool) {
	if len(a.query.sequence) < 2 {
		return nil, false
	}
	return a.index.AppendTerms(dst, a.query.key)
}

// mayContain reports whether a field of some document may hold a phrase.
func (a *arena) mayContain(terms []indexes.Term, f indexes.Field) bool {
	for _, t := range terms {
		if !a.index.Terms.IsIn(t, f) {
			return false
		}
	}
	return true
}

// addAll adds documents to a set.
func (a *arena) addAll(dst docset.Dense, docs []uint32) {
	for _, d := range docs {
		a.scope.Add(dst, column.Doc(d))
	}
}

// manufacturersInto unites dst with the documents of manufacturers.
func (a *arena) manufacturersInto(dst docset.Dense, numbers []uint32) {
	facet := &a.index.Facets[indexes.FamilyManufacturer]
	for _, m := range numbers {
		a.scope.Or(dst, facet.Set(int(m)))
	}
}

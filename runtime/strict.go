package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// strict finds the matches of the strict buckets.
func (m *matcher) strict() match {
	a, holding := m.narrow()
	docs := a.take()
	narrow := !a.scope.All()
	if narrow && holding == a.scope.Len() { // every document of the scope matches
		docs.Fill(holding)
		return found(stageStrict, a, docs)
	}
	if !narrow || holding > 0 {
		a.allInto(docs)
	}
	// Documents of prefix and phrase match all words, the last one perhaps by a prefix, so allInto includes
	// them. It also includes the documents with values of curated synonyms.
	a.exactInto(docs)
	a.valuesInto(docs, a.query.named)
	return m.rescoped(found(stageStrict, a, docs))
}

// exactInto adds to dst the documents whose name, manufacturer's name, slug or id is equal to the query's
// key. Like the functions for the other buckets, it reports whether there may be such documents.
func (a *arena) exactInto(dst docset.Dense) (some bool) {
	key := a.query.key
	for _, texts := range [...]*indexes.Groups{&a.index.Names, &a.index.SlugKeys} {
		if i, ok := texts.Find(key); ok {
			a.addAll(dst, texts.Numbers(i))
			some = true
		}
	}
	if i, ok := a.index.Manufacturers.Find(key); ok {
		a.manufacturersInto(dst, a.index.Manufacturers.Numbers(i))
		some = true
	}
	if a.query.isID {
		a.scope.Add(dst, a.query.id)
		some = true
	}
	return some
}

// beginningInto adds to dst the documents whose name, or manufacturer's name, begins with the query's key. If
// inside is false, the key must end at the end of a word.
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

// valuesInto adds to dst the documents with one of the values.
func (a *arena) valuesInto(dst docset.Dense, values []value) {
	for _, v := range values {
		a.scope.Or(dst, a.index.Facets[v.family].Set(v.number))
	}
}

// phraseTerms appends the query's words as terms. ok is false for a single word or an unknown word, which
// cannot be a phrase.
func (a *arena) phraseTerms(dst []indexes.Term) (terms []indexes.Term, ok bool) {
	if len(a.query.sequence) < 2 {
		return nil, false
	}
	return a.index.AppendTerms(dst, a.query.key)
}

// mayContain reports whether a field of some document can contain a phrase: whether each of its words occurs
// in the field.
func (a *arena) mayContain(terms []indexes.Term, f indexes.Field) bool {
	return !slices.ContainsFunc(terms, func(t indexes.Term) bool { return !a.index.Terms.IsIn(t, f) })
}

// addAll adds documents to a set.
func (a *arena) addAll(dst docset.Dense, docs []uint32) {
	for _, d := range docs {
		a.scope.Add(dst, column.Doc(d))
	}
}

// manufacturersInto adds to dst the documents of manufacturers.
func (a *arena) manufacturersInto(dst docset.Dense, numbers []uint32) {
	facet := &a.index.Facets[indexes.FamilyManufacturer]
	for _, m := range numbers {
		a.scope.Or(dst, facet.Set(int(m)))
	}
}

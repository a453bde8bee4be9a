package runtime

import (
	"slices"
	"sync"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// An engine answers the queries of one index. It holds what a query needs beside the index: the vocabulary, by key,
// and working memory for the queries that run. All of it is as large as the vocabulary and the number of queries that
// run at once, and no larger.
type engine struct {
	index    *indexes.Index
	named    map[string][]value // key of a value, a display name or a synonym to what it names
	synonyms synonyms
	works    sync.Pool // of *work
}

// A value is one value of a family, by its number in the facet.
type value struct {
	family indexes.Family
	number int
}

func newEngine(x *indexes.Index) *engine {
	e := &engine{index: x, named: map[string][]value{}}
	for _, v := range x.Meta.Vocabulary {
		if v.Family >= indexes.NumFamilies {
			continue
		}
		e.declare(v)
	}
	e.works.New = func() any { return &work{engine: e, index: x} }
	return e
}

// yes is the one value of the families EPD and Purchasable.
const yes = "true"

// declare takes a family's vocabulary in.
func (e *engine) declare(v indexes.Vocabulary) {
	for i := range v.Values {
		keys := keysOf(&v.Values[i])
		e.synonyms.add(&e.index.Terms, keys)
		if number, ok := e.index.Facets[v.Family].Find(v.Values[i].Value); ok {
			for _, key := range keys {
				e.named[key] = append(e.named[key], value{v.Family, number})
			}
		}
	}
}

// keysOf returns the keys that name a value, each once, in order: of the value itself, its display names in every
// locale, its synonyms.
func keysOf(v *indexes.Value) []string {
	keys := []string{analysis.Key(v.Value)}
	for _, name := range v.Names {
		keys = append(keys, analysis.Key(name))
	}
	for _, synonym := range v.Synonyms {
		keys = append(keys, analysis.Key(synonym))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	if keys[0] == "" {
		keys = keys[1:]
	}
	return keys
}

package runtime_test

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/runtime"
)

// answer returns all hits of a query in order, and the strategy of the most relevant.
func (o *oracle) answer(q *runtime.Query) ([]column.Doc, runtime.Strategy) {
	strategy := runtime.StrategyNone
	var docs []int
	add := func(d int, s runtime.Strategy) {
		if !o.products[d].passes(&q.Filters) {
			return
		}
		if len(docs) == 0 {
			strategy = s
		}
		docs = append(docs, d)
	}
	if q.Text == "" {
		for d := range o.products {
			add(d, runtime.StrategyNone)
		}
	} else {
		for _, h := range o.search(q.Text) {
			add(h.doc, h.strategy())
		}
	}
	if q.Sort > runtime.SortRelevance {
		slices.Sort(docs)
		o.sortedBy(docs, q.Sort, q.Locale)
	}
	var found []column.Doc
	for _, d := range docs {
		found = append(found, column.Doc(d))
	}
	return found, strategy
}

// passes reports whether a product passes the filters.
func (p *product) passes(f *runtime.Filters) bool {
	one := func(chosen []string, value string) bool { return len(chosen) == 0 || slices.Contains(chosen, value) }
	manufacturer := func(chosen string) bool {
		return chosen == p.indexManufacturer().Slug || chosen == p.indexManufacturer().ID
	}
	switch {
	case !one(f.Categories, p.category), !one(f.Characters, p.character):
		return false
	case len(f.Manufacturers) > 0 && !slices.ContainsFunc(f.Manufacturers, manufacturer):
		return false
	case len(f.Installations) > 0 && !slices.ContainsFunc(p.installations, func(v string) bool { return one(f.Installations, v) }):
		return false
	case f.FireClass != "" && (p.fire == "" || slices.Index(indexes.FireClasses, p.fire) > slices.Index(indexes.FireClasses, f.FireClass)):
		return false
	case f.HasEPD && !p.epd, f.Purchasable && !p.purchasable:
		return false
	case f.AlphaWMin != nil && !(p.alpha >= *f.AlphaWMin), f.AlphaWMax != nil && !(p.alpha <= *f.AlphaWMax): // NaN fails
		return false
	}
	return true
}

// sortedBy returns the places of products in the order of a sort that is not relevance.
func (o *oracle) sortedBy(docs []int, s runtime.Sort, l runtime.Locale) {
	names := map[int]string{}
	if s == runtime.SortName {
		for _, d := range docs {
			names[d] = o.products[d].collation(l)
		}
	}
	slices.SortStableFunc(docs, func(a, b int) int {
		p, q := &o.products[a], &o.products[b]
		order := 0
		switch s {
		case runtime.SortAlphaDesc:
			order = compareAlpha(q.alpha, p.alpha, math.IsNaN(p.alpha), math.IsNaN(q.alpha))
		case runtime.SortAlphaAsc:
			order = compareAlpha(p.alpha, q.alpha, math.IsNaN(p.alpha), math.IsNaN(q.alpha))
		case runtime.SortName:
			order = strings.Compare(names[a], names[b])
		}
		return cmp.Or(order, cmp.Compare(a, b))
	})
}

func compareAlpha(a, b float64, none1, none2 bool) int {
	switch {
	case none1 && none2:
		return 0
	case none1:
		return 1
	case none2:
		return -1
	}
	return cmp.Compare(a, b)
}

package runtime_test

import (
	"cmp"
	"math"
	"slices"
	"strings"

	source "sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/runtime"
)

// answer returns all hits of a query in order, and the strategy of the most relevant hit.
func (o *oracle) answer(q *runtime.Query) ([]column.Doc, runtime.Strategy) {
	strategy := runtime.StrategyNone
	var docs []int
	for _, h := range o.matched(q.Text) {
		if o.products[h.doc].failed(&q.Filters) != 0 {
			continue
		}
		if len(docs) == 0 {
			strategy = h.strategy()
		}
		docs = append(docs, h.doc)
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

// matched returns the matches of a text in the order of relevance, or all products without a text.
func (o *oracle) matched(text string) []hit {
	if naiveKey(text) != "" {
		return o.search(text)
	}
	all := make([]hit, len(o.products))
	for d := range all {
		all[d] = hit{doc: d, rank: [7]float64{float64(runtime.StrategyNone)}}
	}
	return all
}

// failed returns a bit for each family whose filter a product fails, and a further bit for alpha_w.
func (p *product) failed(f *runtime.Filters) (families uint) {
	one := func(chosen []string, value string) bool { return len(chosen) == 0 || slices.Contains(chosen, value) }
	manufacturer := func(chosen string) bool {
		return chosen == p.indexManufacturer().Slug || strings.EqualFold(chosen, p.indexManufacturer().ID)
	}
	for family, passes := range [indexes.NumFamilies + 1]bool{
		indexes.FamilyCategory: one(f.Categories, p.category), indexes.FamilyCharacter: one(f.Characters, p.character),
		indexes.FamilyManufacturer: len(f.Manufacturers) == 0 || slices.ContainsFunc(f.Manufacturers, manufacturer),
		indexes.FamilyInstallation: len(f.Installations) == 0 || slices.ContainsFunc(p.installations, func(v string) bool {
			return one(f.Installations, v)
		}),
		indexes.FamilyFireClass: f.FireClass == "" || p.fire != "" &&
			slices.Index(source.FireClasses, p.fire) <= slices.Index(source.FireClasses, f.FireClass),
		indexes.FamilyEPD: p.epd || !f.HasEPD, indexes.FamilyPurchasable: p.purchasable || !f.Purchasable,
		// NaN is outside every range
		indexes.NumFamilies: (f.AlphaWMin == nil || p.alpha >= *f.AlphaWMin) &&
			(f.AlphaWMax == nil || p.alpha <= *f.AlphaWMax),
	} {
		if !passes {
			families |= 1 << family
		}
	}
	return families
}

// sortedBy sorts the positions of products by a sort other than relevance.
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

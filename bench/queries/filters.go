package queries

import (
	"slices"

	"sabine/runtime"
)

// sorted asks for one of the first pages of everything in an order.
func sorted(order runtime.Sort) derivation {
	return func(d *deriver, _ *Product) *Question {
		return &Question{Query: runtime.Query{Sort: order, Page: d.IntN(10)}}
	}
}

// withFacets asks the same with the counts of all facets.
func withFacets(derive derivation) derivation {
	return func(d *deriver, p *Product) *Question {
		q := derive(d, p)
		if q != nil {
			q.Facets = true
		}
		return q
	}
}

// filtered asks for products that pass filters, by the families, which a product passes.
func filtered(families ...string) derivation {
	return func(_ *deriver, p *Product) *Question {
		q, ok := &Question{}, false
		f := &q.Filters
		for _, family := range families {
			switch family {
			case "category":
				f.Categories, ok = []string{p.Category}, p.Category != ""
			case "character":
				f.Characters, ok = []string{p.Character}, p.Character != ""
			case "installation":
				f.Installations, ok = p.Installations, len(p.Installations) > 0
			case "manufacturer":
				f.Manufacturers, ok = []string{p.ManufacturerSlug}, true
			case "alpha_w":
				f.AlphaWMin, ok = p.AlphaW, p.AlphaW != nil
			case "fire class":
				f.FireClass, ok = p.FireClass, p.FireClass != ""
			case "EPD":
				f.HasEPD, ok = true, p.HasEPD
			case "purchasable":
				f.Purchasable, ok = true, p.Purchasable
			}
			if !ok {
				return nil
			}
		}
		q.Rule = func(hit *Product) bool { return passes(hit, f) }
		return q
	}
}

// passes reports whether a product passes the filters that are made here.
func passes(p *Product, f *runtime.Filters) bool {
	oneOf := func(chosen []string, has ...string) bool {
		isChosen := func(value string) bool { return slices.Contains(chosen, value) }
		return len(chosen) == 0 || slices.ContainsFunc(has, isChosen)
	}
	return oneOf(f.Categories, p.Category) && oneOf(f.Characters, p.Character) &&
		oneOf(f.Installations, p.Installations...) &&
		oneOf(f.Manufacturers, p.ManufacturerSlug) &&
		(f.AlphaWMin == nil || p.AlphaW != nil && *p.AlphaW >= *f.AlphaWMin) &&
		(f.FireClass == "" || p.FireClass != "" && p.FireClass <= f.FireClass) && // A1 to F stand in the alphabet's order
		(!f.HasEPD || p.HasEPD) && (!f.Purchasable || p.Purchasable)
}

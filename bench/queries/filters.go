package queries

import (
	"slices"

	"sabine/runtime"
)

// listing asks for one of the first pages of everything.
func listing(d *deriver, _ *Product) (Question, bool) {
	return Question{Query: runtime.Query{Page: d.IntN(10)}}, true
}

// sorted asks for one of the first pages of everything in another order.
func sorted(order runtime.Sort) derivation {
	return func(d *deriver, _ *Product) (Question, bool) {
		return Question{Query: runtime.Query{Sort: order, Page: d.IntN(10)}}, true
	}
}

// withFacets asks the same with the counts of all facets.
func withFacets(derive derivation) derivation {
	return func(d *deriver, p *Product) (Question, bool) {
		q, ok := derive(d, p)
		q.Facets = true
		return q, ok
	}
}

// A filter restricts a query to what a product has in one family; false when it has nothing there.
type filter func(*runtime.Filters, *Product) bool

// filtered asks for products that pass filters which a product passes.
func filtered(filters ...filter) derivation {
	return func(_ *deriver, p *Product) (Question, bool) {
		var q Question
		for _, f := range filters {
			if !f(&q.Filters, p) {
				return Question{}, false
			}
		}
		q.Rule = func(hit *Product) bool { return passes(hit, &q.Filters) }
		return q, true
	}
}

var threeFilters = filtered(byCategory, byInstallation, byFireClass)

func byCategory(f *runtime.Filters, p *Product) bool {
	f.Categories = []string{p.Category}
	return p.Category != ""
}

func byCharacter(f *runtime.Filters, p *Product) bool {
	f.Characters = []string{p.Character}
	return p.Character != ""
}

func byInstallation(f *runtime.Filters, p *Product) bool {
	f.Installations = p.Installations
	return len(p.Installations) > 0
}

func byManufacturer(f *runtime.Filters, p *Product) bool {
	f.Manufacturers = []string{p.ManufacturerSlug}
	return true
}

func byAlphaW(f *runtime.Filters, p *Product) bool {
	f.AlphaWMin = p.AlphaW
	return p.AlphaW != nil
}

func byFireClass(f *runtime.Filters, p *Product) bool {
	f.FireClass = p.FireClass
	return p.FireClass != ""
}

func byEPD(f *runtime.Filters, p *Product) bool {
	f.HasEPD = true
	return p.HasEPD
}

func byPurchasable(f *runtime.Filters, p *Product) bool {
	f.Purchasable = true
	return p.Purchasable
}

// passes reports whether a product passes the filters that are made here.
func passes(p *Product, f *runtime.Filters) bool {
	oneOf := func(chosen []string, has ...string) bool {
		return len(chosen) == 0 || slices.ContainsFunc(chosen, func(value string) bool { return slices.Contains(has, value) })
	}
	return oneOf(f.Categories, p.Category) && oneOf(f.Characters, p.Character) &&
		oneOf(f.Installations, p.Installations...) &&
		oneOf(f.Manufacturers, p.ManufacturerSlug) &&
		(f.AlphaWMin == nil || p.AlphaW != nil && *p.AlphaW >= *f.AlphaWMin) &&
		(f.FireClass == "" || p.FireClass != "" && p.FireClass <= f.FireClass) && // A1 to F stand in the alphabet's order
		(!f.HasEPD || p.HasEPD) && (!f.Purchasable || p.Purchasable)
}

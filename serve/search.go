package serve

import (
	"errors"

	"sabine/dataset/jsonwriter"
	"sabine/indexes"
	"sabine/runtime"
)

// The pages of authenticated search, and the one page size of public search.
const (
	DefaultLimit  = 20
	MaxLimit      = 50
	publicLimit   = 24
	maxPageNumber = 1<<63 - 1
)

// What the parameter include adds to a product.
const (
	includeAcoustics = "acoustics"
	includeGeometry  = "geometry"
)

// IncludeNames lists what the parameter include may name.
func IncludeNames() []string { return []string{includeAcoustics, includeGeometry} }

// A search is what a search operation was asked for.
type search struct {
	runtime.Query
	include runtime.Include
}

// readSearch reads the parameters of authenticated search. A filter value that the generation does not know is a
// fault.
func (p *params) readSearch(g *runtime.Generation) search {
	var s search
	s.Text = p.text()
	s.Page = p.integer("page", 0, 0, maxPageNumber)
	s.Limit = p.integer("limit", DefaultLimit, 1, MaxLimit)
	s.Filters = p.filters(g)
	s.Sort = p.sort("sort")
	s.include = p.include()
	s.Facets = p.boolean("facets")
	return s
}

// filters reads the filters of authenticated search and of exports.
func (p *params) filters(g *runtime.Generation) (f runtime.Filters) {
	f.Categories = p.known(g, "category", indexes.FamilyCategory)
	f.Characters = p.known(g, "character", indexes.FamilyCharacter)
	f.Installations = p.known(g, "installation", indexes.FamilyInstallation)
	f.Manufacturers = p.known(g, "manufacturer", indexes.FamilyManufacturer)
	f.AlphaWMin, f.AlphaWMax = p.bounds("alpha_w_min", "alpha_w_max")
	f.FireClass = single(p, "fire_class", "", func(text string) (string, error) {
		if !g.Known(indexes.FamilyFireClass, text) {
			return "", errors.New("is not a fire class" + alternatives(text, g.Values(indexes.FamilyFireClass)))
		}
		return text, nil
	})
	f.HasEPD = p.boolean("has_epd")
	f.Purchasable = p.boolean("purchasable_only")
	f.Needs = p.needs(g, true)
	return f
}

// known reads a filter whose values have to be in the vocabulary of a family. It names the first that is not.
func (p *params) known(g *runtime.Generation, name string, f indexes.Family) []string {
	values := p.list(name)
	for _, v := range values {
		if !g.Known(f, v) {
			p.faultUnknown(name, v, g.Values(f))
			return nil
		}
	}
	return values
}

// faultUnknown notes a value that is not among the known ones.
func (p *params) faultUnknown(name, value string, known []string) {
	p.fault(name, "%s is not a known value%s", quote(value), alternatives(value, known))
}

// readPublicSearch reads the parameters of public search, where unknown filter values match nothing.
func (p *params) readPublicSearch(g *runtime.Generation) search {
	var s search
	s.Text = p.text()
	f := &s.Filters
	f.Purchasable = p.boolean("kaufbar")
	f.Installations = p.list("type")
	f.Categories = p.list("categories")
	f.Characters = p.list("characters")
	f.Manufacturers = p.list("manufacturers")
	f.AlphaWMin, f.AlphaWMax = p.bounds("min", "max")
	f.HasEPD = p.boolean("epd")
	f.Needs = p.needs(g, false)
	s.Sort = p.sort("sort")
	s.Page = p.integer("page", 0, 0, maxPageNumber)
	s.Limit = publicLimit
	s.Locale = p.locale()
	s.Facets = true
	return s
}

// appendSearch appends the body of authenticated search.
func appendSearch(dst []byte, g *runtime.Generation, s *search) []byte {
	r := g.Search(&s.Query)
	dst = g.AppendSummaries(append(dst, `{"items":`...), r, s.include)
	dst = appendInt(dst, `,"page":`, s.Page)
	dst = appendInt(dst, `,"limit":`, s.Limit)
	dst = appendInt(dst, `,"total_count":`, r.Total)
	dst = appendBool(dst, `,"has_more":`, r.HasMore)
	if r.Facets != nil {
		dst = appendFacets(append(dst, `,"facets":`...), r.Facets)
	}
	return append(dst, '}')
}

// appendPublicSearch appends the PublicSearchResult.
func appendPublicSearch(dst []byte, g *runtime.Generation, s *search) []byte {
	r := g.Search(&s.Query)
	dst = g.AppendPublics(append(dst, `{"products":`...), r, s.Locale)
	dst = appendInt(dst, `,"total":`, r.Total)
	dst = appendBool(dst, `,"hasMore":`, r.HasMore)
	dst = appendInt(dst, `,"page":`, s.Page)
	dst = appendPublicFacets(append(dst, `,"facets":`...), r.Facets)
	dst = jsonwriter.AppendString(append(dst, `,"queryMeta":{"normalizedQuery":`...), r.NormalizedQuery)
	dst = appendBool(dst, `,"usedFallback":`, r.UsedFallback)
	dst = jsonwriter.AppendString(append(dst, `,"matchedStrategy":`...), r.Strategy.String())
	dst = appendBool(dst, `,"zeroResults":`, r.Total == 0)
	return append(dst, "}}"...)
}

// Search reads a query string of authenticated search of a generation, for the command line. It returns what makes the body that
// the server would send, and the query; or what is wrong with the parameters, which spell names as the user gave them.
func Search(g *runtime.Generation, rawQuery string, spell func(parameter string) string) (body func() []byte, query *runtime.Query, err error) {
	p := params{spell: spell}
	if err := p.parse(rawQuery); err != nil {
		return nil, nil, err
	}
	p.refuse(p.settle(searchMaterials), searchMaterials)
	s := p.readSearch(g)
	if problem := p.problem(); problem != nil {
		return nil, nil, errors.New(problem.message)
	}
	return func() []byte { return appendSearch(nil, g, &s) }, &s.Query, nil
}

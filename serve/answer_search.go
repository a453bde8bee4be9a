package serve

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"sabine/dataset/jsonwriter"
	"sabine/indexes"
	"sabine/runtime"
)

// The page sizes of authenticated search, and the fixed page size of public search.
const (
	DefaultLimit = 20
	MaxLimit     = 50
	publicLimit  = 24
)

// The names of the filter parameters that authenticated search and exports share.
var (
	filterSingles = []string{"q", "alpha_w_min", "alpha_w_max", "fire_class", "has_epd", "purchasable_only"}
	filterLists   = []string{"category", "character", "installation", "manufacturer"}
)

var (
	searchMaterials = &operation{
		name: "searchMaterials", access: authenticated, cache: cachePrivate, answer: answerMaterialSearch,
		singles: slices.Concat(filterSingles, []string{"page", "limit", "sort", "facets"}, needSingles, answerSingles),
		lists:   slices.Concat(filterLists, []string{"include"}, needLists),
	}
	searchProducts = &operation{
		name: "searchProducts", access: public, cache: cachePublic, answer: answerProductSearch,
		singles: slices.Concat([]string{"q", "kaufbar", "min", "max", "epd", "sort", "page", "locale"}, needSingles, answerSingles),
		lists:   slices.Concat([]string{"type", "categories", "characters", "manufacturers"}, needLists),
	}
)

func answerMaterialSearch(x *exchange) (r representation, p *problem) {
	include := x.params.readSearch(x.generation, &x.query)
	if p = x.params.problem(); p != nil {
		return r, p
	}
	x.body = appendSearch(x.body, x.generation, &x.query, x.search(x.generation, &x.query), include)
	return representation{body: x.body}, nil
}

func answerProductSearch(x *exchange) (r representation, p *problem) {
	x.params.readPublicSearch(x.generation, &x.query)
	if p = x.params.problem(); p != nil {
		return r, p
	}
	x.body = appendPublicSearch(x.body, x.generation, &x.query, x.search(x.generation, &x.query))
	return x.hashed(), nil
}

// search runs a query. It adds a query for the first page to the query report, if the server has one. Later
// pages would count the same query again.
func (x *exchange) search(g *runtime.Generation, q *runtime.Query) *runtime.Result {
	r, o := g.Search(q), &x.server.options
	if o.QueryReport == nil || q.Page > 0 {
		return r
	}
	strategy := "" // for a text with strict hits, see queryreport.Report.Add
	if !r.FoundStrictly {
		strategy = r.Strategy.String()
	}
	o.QueryReport.Add(o.Limits.Hash(x.account, x.address()), r.NormalizedQuery, strategy, x.began)
	return r
}

// readSearch reads the parameters of authenticated search. An unknown filter value is a fault.
func (p *params) readSearch(g *runtime.Generation, q *runtime.Query) runtime.Include {
	q.Text = p.text()
	q.Page = p.integer("page", 0, 0, math.MaxInt64)
	q.Limit = p.integer("limit", DefaultLimit, 1, MaxLimit)
	p.filters(g, &q.Filters)
	q.Sort = p.sort()
	include := p.include()
	q.Facets = p.boolean("facets")
	p.needAnswers(q)
	return include
}

// filters reads the filters of authenticated search and of exports.
func (p *params) filters(g *runtime.Generation, f *runtime.Filters) {
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
}

// readPublicSearch reads the parameters of public search, where unknown filter values match nothing.
func (p *params) readPublicSearch(g *runtime.Generation, q *runtime.Query) {
	f := &q.Filters
	q.Text = p.text()
	f.Purchasable = p.boolean("kaufbar")
	f.Installations = p.list("type")
	f.Categories = p.list("categories")
	f.Characters = p.list("characters")
	f.Manufacturers = p.list("manufacturers")
	f.AlphaWMin, f.AlphaWMax = p.bounds("min", "max")
	f.HasEPD = p.boolean("epd")
	f.Needs = p.needs(g, false)
	q.Sort = p.sort()
	q.Page = p.integer("page", 0, 0, math.MaxInt64)
	q.Limit, q.Facets = publicLimit, true
	q.Locale = p.locale()
	p.needAnswers(q)
}

// appendSearch appends the body of authenticated search. The keys that it passes on are raw JSON: a comma,
// the quoted key and a colon, and possibly the beginning of an object.
func appendSearch(dst []byte, g *runtime.Generation, q *runtime.Query, r *runtime.Result,
	include runtime.Include) []byte {
	dst = g.AppendSummaries(append(dst, `{"items":`...), r, include)
	dst = appendInt(dst, `,"page":`, q.Page)
	dst = appendInt(dst, `,"limit":`, q.Limit)
	dst = appendInt(dst, `,"total_count":`, r.Total)
	dst = appendBool(dst, `,"has_more":`, r.HasMore)
	if f := r.Facets; f != nil {
		dst = appendCounts(dst, `,"facets":{"categories":`, f.Categories)
		dst = appendCounts(dst, `,"characters":`, f.Characters)
		dst = appendCounts(dst, `,"installations":`, f.Installations)
		dst = appendManufacturers(dst, `,"manufacturers":`, f.Manufacturers)
		dst = appendCounts(dst, `,"fire_classes":`, f.FireClasses)
		dst = append(appendSplit(dst, `,"has_epd":`, f.HasEPD), '}')
	}
	return append(appendNeedFacets(dst, r.NeedFacets), '}')
}

// appendNeedFacets appends the key need_facets. It appends nothing for nil: need_facets was not requested.
func appendNeedFacets(dst []byte, f *runtime.NeedFacets) []byte {
	if f == nil {
		return dst
	}
	dst = appendCounts(dst, `,"need_facets":{"absorption_classes":`, f.AbsorptionClasses)
	dst = appendCounts(dst, `,"mountings":`, f.Mountings)
	return append(appendCounts(dst, `,"source_kinds":`, f.SourceKinds), '}')
}

// appendPublicSearch appends the PublicSearchResult.
func appendPublicSearch(dst []byte, g *runtime.Generation, q *runtime.Query, r *runtime.Result) []byte {
	f := r.Facets
	dst = g.AppendPublics(append(dst, `{"products":`...), r, q.Locale)
	dst = appendInt(dst, `,"total":`, r.Total)
	dst = appendBool(dst, `,"hasMore":`, r.HasMore)
	dst = appendInt(dst, `,"page":`, q.Page)
	dst = appendCounts(dst, `,"facets":{"materialCategories":`, f.Categories)
	dst = appendCounts(dst, `,"absorptionCharacters":`, f.Characters)
	dst = appendCounts(dst, `,"installationTypes":`, f.Installations)
	dst = appendManufacturers(dst, `,"manufacturers":`, f.Manufacturers)
	dst = appendSplit(dst, `,"hasEPD":`, f.HasEPD)
	dst = appendSplit(dst, `,"purchasableOnly":`, f.Purchasable)
	dst = appendNeedFacets(append(dst, '}'), r.NeedFacets)
	dst = jsonwriter.AppendString(append(dst, `,"queryMeta":{"normalizedQuery":`...), r.NormalizedQuery)
	dst = appendBool(dst, `,"usedFallback":`, r.UsedFallback)
	dst = jsonwriter.AppendString(append(dst, `,"matchedStrategy":`...), r.Strategy.String())
	dst = appendBool(dst, `,"zeroResults":`, r.Total == 0)
	return append(dst, "}}"...)
}

// appendCounts appends a raw key and an array of {value, count}.
func appendCounts(dst []byte, key string, counts []runtime.ValueCount) []byte {
	return appendArray(append(dst, key...), len(counts), func(dst []byte, i int) []byte {
		dst = jsonwriter.AppendString(append(dst, `{"value":`...), counts[i].Value)
		return append(appendInt(dst, `,"count":`, counts[i].Count), '}')
	})
}

// appendManufacturers appends a key and an array of {id, slug, name, count}.
func appendManufacturers(dst []byte, key string, manufacturers []runtime.ManufacturerCount) []byte {
	return appendArray(append(dst, key...), len(manufacturers), func(dst []byte, i int) []byte {
		dst = jsonwriter.AppendString(append(dst, `{"id":`...), manufacturers[i].ID)
		dst = jsonwriter.AppendString(append(dst, `,"slug":`...), manufacturers[i].Slug)
		dst = jsonwriter.AppendString(append(dst, `,"name":`...), manufacturers[i].Name)
		return append(appendInt(dst, `,"count":`, manufacturers[i].Count), '}')
	})
}

// appendSplit appends a key and {"true", "false"}.
func appendSplit(dst []byte, key string, s runtime.Split) []byte {
	dst = appendInt(append(dst, key...), `{"true":`, s.True)
	return append(appendInt(dst, `,"false":`, s.False), '}')
}

// appendArray appends an array of n elements, by calling element for each.
func appendArray(dst []byte, n int, element func(dst []byte, i int) []byte) []byte {
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, i)
	}
	return append(dst, ']')
}

func appendInt(dst []byte, key string, n int) []byte {
	return strconv.AppendInt(append(dst, key...), int64(n), 10)
}

func appendBool(dst []byte, key string, b bool) []byte {
	return strconv.AppendBool(append(dst, key...), b)
}

// Search reads a query string of authenticated search on a generation, for the command line. It returns the
// query and a function that returns the body of the API's response. The error reports invalid parameters;
// nameOf returns the user's name for a parameter.
func Search(g *runtime.Generation, rawQuery string, nameOf func(parameter string) string) (
	body func() []byte, q *runtime.Query, err error) {
	q = new(runtime.Query)
	var include runtime.Include
	err = readQuery(searchMaterials, rawQuery, nameOf, func(p *params) { include = p.readSearch(g, q) })
	return func() []byte { return appendSearch(nil, g, q, g.Search(q), include) }, q, err
}

// readQuery reads a query string as an operation of the API does. The error reports invalid parameters.
func readQuery(op *operation, rawQuery string, nameOf func(string) string, read func(*params)) error {
	p := params{nameOf: nameOf}
	if err := p.parse(rawQuery); err != nil {
		return err
	}
	p.addUnknown(p.matchNames(op.singles, op.lists), op.singles, op.lists)
	read(&p)
	if problem := p.problem(); problem != nil {
		return errors.New(problem.message)
	}
	return nil
}

package agents

import (
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"sabine/runtime"
)

// productSorts are the sort orders that do not require a condition on set-ups.
var productSorts = slices.DeleteFunc(runtime.SortNames(), func(name string) bool {
	sort, _ := runtime.ParseSort(name)
	return sort == runtime.SortMargin || sort == runtime.SortDistance
})

// Arguments of both searches: filters on products, and paging.
type (
	filters struct {
		Category        []string `json:"category,omitempty" jsonschema:"any of these material categories; values or names in German or English, such as wood or mineralwolle"`
		Installation    []string `json:"installation,omitempty" jsonschema:"any of these installation types: wall, ceiling, floor, free-standing, window"`
		Manufacturer    []string `json:"manufacturer,omitempty" jsonschema:"any of these manufacturers, by name or slug"`
		FireClass       string   `json:"fire_class,omitempty" enum:"fire classes" jsonschema:"this class of EN 13501-1 or a safer one"`
		HasEPD          *bool    `json:"has_epd,omitempty" jsonschema:"only products with an environmental product declaration"`
		PurchasableOnly *bool    `json:"purchasable_only,omitempty" jsonschema:"only commercial products, no reference data"`
	}
	paging struct {
		NeedFacets *bool  `json:"need_facets,omitempty" jsonschema:"count products by absorption class, mounting and source kind of their set-ups"`
		Page       int    `json:"page,omitempty" limits:"0 1e6" default:"0" jsonschema:"page number; the first page is 0"`
		Limit      int    `json:"limit,omitempty" limits:"1 20" default:"10" jsonschema:"hits per page"`
		Language   string `json:"language,omitempty" parameter:"locale" enum:"languages" default:"\"en\"" jsonschema:"language of product names"`
	}
)

var searchMaterials = newTool[searchArguments, hits]("search_materials", "Search materials",
	"Find acoustic products by words (German or English, typos are corrected), category, character, installation, "+
		"manufacturer, fire class or alpha_w. For values at frequencies, thickness or depth, use find_by_absorption "+
		"instead. facets counts products by filter value.", search)

type searchArguments struct {
	Query string `json:"query,omitempty" parameter:"q" jsonschema:"words of the name, manufacturer or description; without it, all products are listed"`
	filters
	Character []string `json:"character,omitempty" jsonschema:"any of these absorption characters, by value or name: breitband, hochton, mittelton, tiefton, gering, streuend"`
	AlphaWMin *float64 `json:"alpha_w_min,omitempty" limits:"0 1" jsonschema:"minimum weighted absorption (ISO 11654)"`
	AlphaWMax *float64 `json:"alpha_w_max,omitempty" limits:"0 1" jsonschema:"maximum weighted absorption"`
	Facets    *bool    `json:"facets,omitempty" jsonschema:"count the products for each value of every filter"`
	Match     *bool    `json:"match,omitempty" jsonschema:"show the most absorptive set-up of each hit"`
	Sort      string   `json:"sort,omitempty" enum:"product sorts" jsonschema:"default: relevance with a query, otherwise date_desc"`
	paging
}

var findByAbsorption = newTool[findArguments, hits]("find_by_absorption", "Find by absorption",
	"Find products with a tested set-up (ISO 354) that meets conditions on octave bands, thickness, depth, mounting "+
		"or class, or that is nearest to a curve or to another product (like). Each hit shows the set-up, its values "+
		"and its margin or distance.", find)

type findArguments struct {
	AbsorptionMin   curve    `json:"absorption_min,omitempty" jsonschema:"minimum coefficient by octave in Hz, such as {\"125\": 0.3, \"250\": 0.6}"`
	AbsorptionMax   curve    `json:"absorption_max,omitempty" jsonschema:"maximum coefficient by octave in Hz"`
	Curve           curve    `json:"curve,omitempty" jsonschema:"target curve of at least two octaves: the nearest products come first"`
	Like            string   `json:"like,omitempty" jsonschema:"id of a product: the products with the nearest curves come first"`
	ThicknessMax    *float64 `json:"thickness_max,omitempty" limits:"0 10000" jsonschema:"maximum thickness of the material in mm"`
	DepthMax        *float64 `json:"depth_max,omitempty" limits:"0 10000" jsonschema:"maximum depth in mm: the thickness of the material plus the air gap"`
	DepthUnknown    *bool    `json:"depth_unknown,omitempty" jsonschema:"with depth_max: for set-ups with an unknown air gap, compare only the thickness"`
	Mounting        []string `json:"mounting,omitempty" jsonschema:"any of these ISO 354 mountings, such as A or E-400"`
	AbsorptionClass []string `json:"absorption_class,omitempty" enum:"absorption classes" jsonschema:"any of these classes of ISO 11654"`
	SourceKind      []string `json:"source_kind,omitempty" enum:"source kinds" jsonschema:"any of these sources of the values"`
	ScatteringMin   curve    `json:"scattering_min,omitempty" jsonschema:"minimum scattering coefficient (ISO 17497-1) by octave or third octave in Hz"`
	DiffusionMin    curve    `json:"diffusion_min,omitempty" jsonschema:"minimum diffusion coefficient (ISO 17497-2) by octave or third octave in Hz"`
	Near            *bool    `json:"near,omitempty" jsonschema:"if no product meets absorption_min: show the products with the smallest shortfall"`
	Query           string   `json:"query,omitempty" parameter:"q" jsonschema:"words that the product must also match"`
	filters
	Sort string `json:"sort,omitempty" enum:"sorts" jsonschema:"default: distance_asc with curve or like; margin_desc with absorption_min, but without query"`
	paging
}

func search(c Catalogue, _ *mcp.CallToolRequest, in searchArguments) (*answer, error) {
	return answerPage(c, in, in.paging, false)
}

// find searches by set-ups. With absorption_min, but without a query, target or sort, it sorts by margin.
func find(c Catalogue, _ *mcp.CallToolRequest, in findArguments) (*answer, error) {
	if in.AbsorptionMin != nil && in.Sort == "" && in.Query == "" && in.Curve == nil && in.Like == "" {
		in.Sort = "margin_desc"
	}
	if in.Like != "" && !c.Has(in.Like) {
		return nil, errUnknown(c, "like", in.Like)
	}
	return answerPage(c, in, in.paging, in.Near != nil && *in.Near && in.AbsorptionMin != nil)
}

// answerPage returns the requested page. If the page is too large, it returns a shorter page that begins with
// the same product. near reports whether near misses were requested.
func answerPage(c Catalogue, arguments any, p paging, near bool) (*answer, error) {
	result, hits, err := c.Search(parametersOf(arguments))
	if err != nil {
		return nil, err
	}
	requested := p.Limit
	first := p.Page * requested
	return fitting(requested, 1, func(limit int) *answer { // at least one product
		if first%limit != 0 {
			return nil // no page of this size begins with this product
		}
		return hitsAnswer(result, hits, p.Language, first, limit, requested, near)
	}), nil
}

package agents

import (
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"sabine/runtime"
)

// sorts are those that need nothing to be asked of set-ups.
var sorts = slices.DeleteFunc(runtime.SortNames(), func(name string) bool {
	sort, _ := runtime.ParseSort(name)
	return sort == runtime.SortMargin || sort == runtime.SortDistance
})

// The arguments of both searches: which products, and which of them.
type (
	filters struct {
		Category        []string `json:"category,omitempty" jsonschema:"material categories, any of them; values or names in German or English, such as wood or mineralwolle"`
		Installation    []string `json:"installation,omitempty" jsonschema:"where it is mounted, any of them: wall, ceiling, floor, free-standing, window"`
		Manufacturer    []string `json:"manufacturer,omitempty" jsonschema:"manufacturers' names or slugs, any of them"`
		FireClass       string   `json:"fire_class,omitempty" of:"fire classes" jsonschema:"this class of EN 13501-1 or a safer one"`
		HasEPD          *bool    `json:"has_epd,omitempty" jsonschema:"only with an environmental product declaration"`
		PurchasableOnly *bool    `json:"purchasable_only,omitempty" jsonschema:"only commercial products, no reference data"`
	}
	paging struct {
		NeedFacets *bool  `json:"need_facets,omitempty" jsonschema:"count absorption classes, mountings and source kinds of set-ups"`
		Page       int    `json:"page,omitempty" limits:"0 1e6" default:"0" jsonschema:"the page, from 0"`
		Limit      int    `json:"limit,omitempty" limits:"1 20" default:"10" jsonschema:"hits on a page"`
		Language   string `json:"language,omitempty" parameter:"locale" of:"languages" default:"\"en\"" jsonschema:"of product names"`
	}
)

var searchMaterials = newTool[searchArguments, hits]("search_materials", "Search materials",
	"Find acoustic products by words (German or English, typos are fine), category, character, installation, "+
		"manufacturer, fire class or alpha_w. Use find_by_absorption instead when values at frequencies, thickness or "+
		"depth matter. facets counts what there is.", search)

type searchArguments struct {
	Query string `json:"query,omitempty" parameter:"q" jsonschema:"words of the name, manufacturer or description; none lists all"`
	filters
	Character []string `json:"character,omitempty" jsonschema:"absorption characters: breitband, hochton, mittelton, tiefton, gering, streuend, or their names"`
	AlphaWMin *float64 `json:"alpha_w_min,omitempty" limits:"0 1" jsonschema:"least weighted absorption (ISO 11654)"`
	AlphaWMax *float64 `json:"alpha_w_max,omitempty" limits:"0 1" jsonschema:"largest weighted absorption"`
	Facets    *bool    `json:"facets,omitempty" jsonschema:"count the values of every filter among the hits"`
	Match     *bool    `json:"match,omitempty" jsonschema:"show the most absorptive set-up of each hit"`
	Sort      string   `json:"sort,omitempty" of:"product sorts" jsonschema:"relevance with a query, else date_desc"`
	paging
}

var findByAbsorption = newTool[findArguments, hits]("find_by_absorption", "Find by absorption",
	"Find products of which one tested set-up (ISO 354) meets values at octave bands, thickness, depth, mounting or "+
		"class, or comes nearest to a curve or to another product (like). Each hit names the set-up, its values and its "+
		"margin or distance.", find)

type findArguments struct {
	AbsorptionMin   curve    `json:"absorption_min,omitempty" jsonschema:"least coefficient by octave in Hz, such as {\"125\": 0.3, \"250\": 0.6}"`
	AbsorptionMax   curve    `json:"absorption_max,omitempty" jsonschema:"largest coefficient by octave"`
	Curve           curve    `json:"curve,omitempty" jsonschema:"target curve of two octaves or more: the nearest come first"`
	Like            string   `json:"like,omitempty" jsonschema:"id of a product: those with the nearest curve come first"`
	ThicknessMax    *float64 `json:"thickness_max,omitempty" limits:"0 10000" jsonschema:"mm, of the material"`
	DepthMax        *float64 `json:"depth_max,omitempty" limits:"0 10000" jsonschema:"mm, material and air gap together"`
	DepthUnknown    *bool    `json:"depth_unknown,omitempty" jsonschema:"with depth_max: also set-ups whose air gap is not known, by their thickness"`
	Mounting        []string `json:"mounting,omitempty" jsonschema:"ISO 354 mountings, any of them, such as A or E-400"`
	AbsorptionClass []string `json:"absorption_class,omitempty" of:"absorption classes" jsonschema:"ISO 11654, any of them"`
	SourceKind      []string `json:"source_kind,omitempty" of:"source kinds" jsonschema:"where the values come from"`
	ScatteringMin   curve    `json:"scattering_min,omitempty" jsonschema:"least scattering (ISO 17497-1) by octave or third octave"`
	DiffusionMin    curve    `json:"diffusion_min,omitempty" jsonschema:"least diffusion (ISO 17497-2), likewise"`
	Near            *bool    `json:"near,omitempty" jsonschema:"when nothing meets absorption_min: those that lack least, with their shortfall"`
	Query           string   `json:"query,omitempty" parameter:"q" jsonschema:"words that it must hold too"`
	filters
	Sort string `json:"sort,omitempty" of:"sorts" jsonschema:"distance_asc with a target, else margin_desc with absorption_min"`
	paging
}

func search(c Catalogue, _ *mcp.CallToolRequest, in searchArguments) (*answer, error) {
	return answerPage(c, in, in.paging, false)
}

// find is a search by the margin when nothing else says in which order.
func find(c Catalogue, _ *mcp.CallToolRequest, in findArguments) (*answer, error) {
	if in.AbsorptionMin != nil && in.Sort == "" && in.Query == "" && in.Curve == nil && in.Like == "" {
		in.Sort = "margin_desc"
	}
	if in.Like != "" && !c.Has(in.Like) {
		return nil, errUnknown(c, "like", in.Like)
	}
	return answerPage(c, in, in.paging, in.Near != nil && *in.Near && in.AbsorptionMin != nil)
}

// answerPage answers with as many hits of the page as fit: with the page that begins at the same product and
// is shorter.
func answerPage(c Catalogue, arguments any, p paging, near bool) (*answer, error) {
	result, found, err := c.Search(parametersOf(arguments))
	if err != nil {
		return nil, err
	}
	asked := p.Limit
	first := p.Page * asked
	return fitting(asked, 1, func(limit int) *answer {
		if first%limit != 0 {
			return nil // no page of this size begins there
		}
		return answerOf(result, found, p.Language, first, limit, asked, near)
	}), nil
}

package serve

import (
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/indexes/column"
	"sabine/runtime"
	"sabine/serve/explorer"
)

// productPages is the path prefix of the product pages.
const productPages = "/products/"

// A view contains the data for a page of the explorer, and the exchange of the page.
type view struct {
	explorer.View
	x      *exchange
	locale runtime.Locale
	names  map[string]map[string]map[string]string // display names by family, value and language
}

// view returns the view of a page. root is the relative path to the site's root, and heading the key of a
// text. read reads the parameters of the corresponding operation of the API, op; without a generation it is
// not called. The language can also depend on the browser. Invalid parameters are reported in the page's
// Fault, because a page is never refused.
func (x *exchange) view(root, heading string, op *operation, read func() *problem) *view {
	err := x.params.parse(x.request.URL.RawQuery)
	v := &view{x: x, locale: x.pageLocale(), names: map[string]map[string]map[string]string{}}
	v.Root, v.API = root, root+x.server.addresses.base
	v.ImageOrigins, v.PublicDetail = x.server.imageOrigins, x.server.options.PublicDetail
	v.Lang = v.locale.Language()
	if x.params.has("locale") {
		v.Locale = v.Lang
	}
	v.Home = root + "/" + v.inLanguage()
	v.head(v.Say(heading), v.Say("description"))
	switch {
	case x.generation == nil:
		v.Fault = errNoSnapshot.message
		return v
	case err != nil:
		v.Fault = err.Error()
	default:
		x.params.matchNames(op.singles, op.lists)
		if p := read(); p != nil {
			v.Fault = p.message
		}
	}
	for _, f := range namedFamilies {
		v.names[f.many] = displayNames(x.generation, f.family)
	}
	v.Names = v.names
	return v
}

// pageLocale returns the language of a page. It is the language in the parameter or, without the parameter,
// the supported language that the browser prefers. It is English if the browser names only other languages,
// and German, as in the API, if it names none.
func (x *exchange) pageLocale() runtime.Locale {
	given := params{pairs: x.params.pairs} // a copy, because read reports the faults of locale
	if given.items("locale") != nil {
		return given.locale()
	}
	wished, _, err := language.ParseAcceptLanguage(x.request.Header.Get("Accept-Language"))
	if err != nil {
		return runtime.German
	}
	locale := runtime.German
	for _, tag := range wished {
		switch base, _ := tag.Base(); base.String() {
		case "de":
			return runtime.German
		case "en":
			return runtime.English
		case "mul": // the language *
		default:
			locale = runtime.English
		}
	}
	return locale
}

// inLanguage returns the query string for links to pages in the language that this page's address contains.
func (v *view) inLanguage() string {
	if v.Locale == "" {
		return ""
	}
	return "?locale=" + v.Locale
}

// head sets the heading and title of the page and its description for search engines and link previews.
func (v *view) head(heading, description string) {
	site := v.Say("home")
	v.Heading, v.Title, v.Description = heading, heading+" – "+site, description
	if heading == site {
		v.Title = site
	}
}

// notFound renders the page for an address without content.
func (v *view) notFound() representation {
	v.head(v.Say("lost"), v.Description)
	v.NoIndex = true
	r := v.representation()
	r.status, r.hash = http.StatusNotFound, ""
	return r
}

// queryWith returns the normalized query of the page after replacing the given parameters.
func (x *exchange) queryWith(other ...pair) string {
	values := url.Values{}
	for _, p := range x.params.pairs {
		values.Add(p.name, p.value)
	}
	for _, p := range other {
		values.Set(p.name, p.value)
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// product returns the texts and links of a product.
func (v *view) product(of *product.Product) explorer.Product {
	p := explorer.Product{Name: of.Label.In(v.Lang), Maker: of.Manufacturer.Name, Unrated: v.Say("no")}
	if of.MaterialCategory != nil {
		p.Category = v.name("categories", *of.MaterialCategory)
	}
	if of.AlphaW != nil && *of.AlphaW > 0 {
		p.AlphaW = v.number(*of.AlphaW, 2)
		if shape := of.AlphaWShape(); shape != "" {
			p.AlphaW += "(" + shape + ")"
		}
	}
	if v.PublicDetail {
		p.Description = of.Description.In(v.Lang)
	}
	if of.URL != nil {
		p.Site = *of.URL
	}
	id := url.PathEscape(of.SlugOrID())
	p.Page = v.Root + productPages + id + v.inLanguage()
	p.JSON = v.API + "/public/compare-products?id=" + url.QueryEscape(of.SlugOrID())
	if v.PublicDetail {
		p.JSON = v.API + "/public/materials/" + id + v.inLanguage()
	}
	return p
}

// invented reports whether a product is fictitious: its host name ends with .example, which is reserved (RFC
// 2606).
func invented(of *product.Product) bool {
	if of.URL == nil {
		return false
	}
	u, err := url.Parse(*of.URL)
	return err == nil && strings.HasSuffix(u.Hostname(), ".example")
}

// curves returns a product with octave values for its ISO 354 entries. These are the stated values, or the
// means of third octaves.
func (v *view) curves(d column.Doc) explorer.Product {
	of := v.x.generation.Product(d)
	p, entries := v.product(of), of.Measurements.Absorption
	for _, hz := range acoustics.OctaveBands {
		if slices.ContainsFunc(entries, func(e product.Absorption) bool {
			_, ok := acoustics.OctaveCoefficient(e.AlphaSOctave, e.AlphaSThirdOctave, hz)
			return ok
		}) {
			p.Bands = append(p.Bands, hz)
		}
	}
	for i := range entries {
		e := &entries[i]
		row := explorer.Entry{Name: v.setUp(e)}
		for _, hz := range p.Bands {
			value := noValue
			if alpha, ok := acoustics.OctaveCoefficient(e.AlphaSOctave, e.AlphaSThirdOctave, hz); ok {
				value = v.number(alpha, 2)
			}
			row.Values = append(row.Values, value)
		}
		p.Entries = append(p.Entries, row)
	}
	return p
}

// either returns the text in the language of the page.
func (v *view) either(german, english string) string {
	if v.locale == runtime.German {
		return german
	}
	return english
}

// setUp describes the set-up in which an entry was measured.
func (v *view) setUp(e *product.Absorption) string {
	parts := []string{e.Label}
	if e.Mounting != nil && *e.Mounting != "" {
		mounting := v.name("installations", *e.Mounting)
		if mountingLetter.MatchString(mounting) {
			mounting = v.Say("type") + " " + mounting
		}
		parts = append(parts, mounting)
	}
	if e.ThicknessMM != nil {
		parts = append(parts, v.number(*e.ThicknessMM, -1)+" mm")
	}
	if e.AirGapMM != nil && *e.AirGapMM == 0 {
		parts = append(parts, v.Say("no gap"))
	} else if e.AirGapMM != nil {
		parts = append(parts, v.Say("gap")+" "+v.number(*e.AirGapMM, -1)+" mm")
	}
	return strings.Join(parts, " · ")
}

// mountingLetter matches a mounting that is specified as in ISO 354.
var mountingLetter = regexp.MustCompile(`^[A-Z](-?\d+)?$`)

// name returns the display name of a filter value, like the page's script. If the vocabulary has no name, it
// returns the value with its first letter in upper case.
func (v *view) name(family, value string) string {
	if name := v.names[family][value][v.Lang]; name != "" {
		return name
	}
	first, size := utf8.DecodeRuneInString(value)
	return string(unicode.ToUpper(first)) + value[size:]
}

// noValue is the text for a missing number.
const noValue = "–"

// number formats a number with the given number of decimals, or with all decimals for -1. Like the page's
// script, it uses a minus sign, and thousands separators in numbers of five or more digits.
func (v *view) number(n float64, decimals int) string {
	if math.IsInf(n, 0) || math.IsNaN(n) {
		return noValue
	}
	point, group := ".", ","
	if v.locale == runtime.German {
		point, group = group, point
	}
	whole, fraction, hasFraction := strings.Cut(strconv.FormatFloat(math.Abs(n), 'f', decimals, 64), ".")
	for i := len(whole) - 3; i > 0 && len(whole) > 4; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if hasFraction {
		whole += point + fraction
	}
	if strings.Trim(whole, "0"+point) != "" && n < 0 {
		whole = "−" + whole
	}
	return whole
}

// area formats an area in m² like the page's script: with one decimal if it is below 10 m².
func (v *view) area(m2 float64) string {
	if math.Abs(m2) < 10 {
		return v.number(m2, 1)
	}
	return v.number(m2, 0)
}

// representation renders the page. Its links are relative, so that any path prefix of a proxy works.
func (v *view) representation() representation {
	x := v.x
	x.body = explorer.Append(x.body[:0], &v.View)
	r := x.hashed()
	r.mediaType, r.describe = textHTML, x.server.secureExplorer
	return r
}

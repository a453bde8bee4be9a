package queries

import (
	"slices"

	"sabine/runtime"
)

// A Kind says what questions of a class ask for.
type Kind int

// The kinds. Questions about a text are asked with facets too: that is a class of the same kind, see
// WithFacets.
const (
	Filters Kind = iota // filters or an order, and no text
	Strict              // a text that products have
	Loose               // a text that only misspellings, similar names or most of its words may find
	Facets              // filters, or a text, with the counts of all facets
	Needs               // what one entry of a product has, and filters; with facets or without
	Curves              // other measured values, or needs and a text
)

// IsText reports whether the questions are texts alone.
func (k Kind) IsText() bool { return k == Strict || k == Loose }

// WithFacets ends the name of a class whose questions ask for the counts of all facets.
const WithFacets = ", facets"

var threeFilters = []string{"category", "installation", "fire class"}

// classes lists the classes in the order of the report. Those with a surplus have questions that may
// not count.
var classes = []struct {
	name       string
	kind       Kind
	surplus    int
	derivation derivation
}{
	{"exact", Strict, 0, exact},
	{"part of a name", Strict, 0, partOfName},
	{"prefix", Strict, 0, prefix},
	{"compound part", Strict, 0, compoundPart},
	{"umlaut spelling", Strict, 0, umlautSpelling},
	{"one typo", Loose, 1, oneTypo},
	{"two typos", Loose, 1, twoTypos},
	{"vocabulary", Strict, 0, vocabulary},
	{"other language", Strict, 0, otherLanguage},
	{"manufacturer and word", Strict, 0, manufacturerAndWord},
	{"phrase", Strict, 0, descriptionPhrase},
	{"description words", Strict, 0, descriptionWords},
	{"numbers", Strict, 0, numbers},
	{"sentence", Loose, 0, sentence},
	{"garbled name", Loose, 3, garbledName},
	{"nonsense", Loose, 0, nonsense},

	{"listing", Filters, 0, sorted(runtime.SortDefault)},
	{"sort alphaW_desc", Filters, 0, sorted(runtime.SortAlphaDesc)},
	{"sort alphaW_asc", Filters, 0, sorted(runtime.SortAlphaAsc)},
	{"sort name_asc", Filters, 0, sorted(runtime.SortName)},
	{"filters", Filters, 0, filtered(threeFilters...)},
	{"filters" + WithFacets, Facets, 0, withFacets(filtered(threeFilters...))},
	{"category" + WithFacets, Facets, 0, withFacets(filtered("category"))},
	{"character" + WithFacets, Facets, 0, withFacets(filtered("character"))},
	{"installation" + WithFacets, Facets, 0, withFacets(filtered("installation"))},
	{"manufacturer" + WithFacets, Facets, 0, withFacets(filtered("manufacturer"))},
	{"alpha_w" + WithFacets, Facets, 0, withFacets(filtered("alpha_w"))},
	{"fire class" + WithFacets, Facets, 0, withFacets(filtered("fire class"))},
	{"EPD" + WithFacets, Facets, 0, withFacets(filtered("EPD"))},
	{"purchasable" + WithFacets, Facets, 0, withFacets(filtered("purchasable"))},

	{"need", Needs, 0, need},
	{"need" + WithFacets, Needs, 0, withFacets(need)},
	{"need in a text", Curves, 0, needInText},
	{"scattering", Curves, 0, scattering},
	{"like", Curves, 0, like},
	{"curve", Curves, 0, curve},
}

// Names returns the names of the classes of some kinds, or of all, in the order of the report.
func Names(kinds ...Kind) []string {
	var names []string
	for _, c := range classes {
		if len(kinds) == 0 || slices.Contains(kinds, c.kind) {
			names = append(names, c.name)
		}
	}
	return names
}

// KindOf returns the kind of the class of a name; false when there is none. A text asked with facets is of
// the text's kind.
func KindOf(name string) (kind Kind, ok bool) {
	for _, c := range classes {
		if c.name == name || c.kind.IsText() && c.name+WithFacets == name {
			return c.kind, true
		}
	}
	return 0, false
}

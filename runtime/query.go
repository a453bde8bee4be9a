package runtime

import (
	"slices"

	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
)

// A Query selects one page of products. The zero value selects the most recently updated products, but with
// Limit 0 the page is empty.
type Query struct {
	Text    string // UTF-8; treated as empty if its key is empty
	Filters Filters
	Sort    Sort
	Locale  Locale // language whose collation SortName uses
	Page    int    // page number, starting at 0
	Limit   int    // maximum number of products on the page
	Facets  bool   // return Result.Facets

	Match      bool // return a match for each hit, even without needs
	NeedFacets bool // return Result.NeedFacets
	Near       bool // if there are no hits, return the products with the smallest AbsorptionMin deficit
}

// sort returns the sort of the result. Without a text, SortRelevance is the document order.
func (q *Query) sort(hasText bool) Sort {
	switch {
	case q.Sort != SortDefault:
		return q.Sort
	case !hasText && q.Filters.Needs.hasTarget():
		return SortDistance
	}
	return SortRelevance
}

// offset returns the index of the page's first hit, or total if the page is after the last hit.
func (q *Query) offset(total int) int {
	if q.Page <= 0 || q.Limit <= 0 {
		return 0
	}
	if q.Page > total/q.Limit { // otherwise the product below might overflow
		return total
	}
	return q.Page * q.Limit
}

// Filters restrict a search. Values of one family are joined by OR, families by AND. An empty list does not
// restrict the search. An unknown value matches no product.
type Filters struct {
	Categories    []string
	Characters    []string
	Installations []string
	Manufacturers []string // slugs or UUIDs
	AlphaWMin     *float64 // inclusive minimum
	AlphaWMax     *float64 // inclusive maximum
	FireClass     string   // this class and safer classes
	HasEPD        bool
	Purchasable   bool
	Needs         Needs // needs for measured values
}

// Sort is the order of a result.
type Sort uint8

// The sorts of the contract. Without a text, SortRelevance is SortDate. SortDefault is SortDistance for a
// query with a target but no text, and otherwise SortRelevance.
const (
	SortDefault Sort = iota
	SortRelevance
	SortAlphaDesc
	SortAlphaAsc
	SortDate
	SortName
	SortMargin    // by the margin of the match, descending; requires AbsorptionMin
	SortDistance  // by the distance of the match, ascending; requires a target
	SortThickness // by the smallest thickness of the ISO 354 entries that meet the needs, unknown last
	SortDepth     // by the smallest depth of these entries, unknown last
)

// sortNames are the names of the sorts, starting with SortRelevance.
var sortNames = []string{"relevance", "alphaW_desc", "alphaW_asc", "date_desc", "name_asc", "margin_desc",
	"distance_asc", "thickness_asc", "depth_asc"}

// SortNames returns the names of the sorts in the contract, in the order of the constants.
func SortNames() []string { return slices.Clone(sortNames) }

// ParseSort returns the sort that has this name in the contract.
func ParseSort(name string) (s Sort, ok bool) {
	i := slices.Index(sortNames, name)
	return SortRelevance + Sort(max(i, 0)), i >= 0
}

// A Strategy is the bucket of a hit.
type Strategy uint8

// The buckets, best first.
const (
	StrategyNone Strategy = iota
	StrategyExact
	StrategyPrefix
	StrategyCategory
	StrategyPhrase
	StrategyFTS
	StrategyFuzzy
	StrategyTrigram
)

var strategyNames = [...]string{"none", "exact", "prefix", "category", "phrase", "fts", "fuzzy", "trigram"}

// String returns the bucket's name in the contract.
func (s Strategy) String() string { return strategyNames[s] }

// MarshalText implements encoding.TextMarshaler.
func (s Strategy) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Result is the result of a Query.
type Result struct {
	Docs            []column.Doc // products of the page
	Matches         []Match      // match of each of Docs, if the query has needs or requests matches
	Total           int          // number of hits on all pages
	HasMore         bool
	NormalizedQuery string
	Strategy        Strategy    // bucket of the first hit in order of relevance, for any sort
	UsedFallback    bool        // before filtering, only fuzzy or trigram matched the text
	FoundStrictly   bool        // before filtering, another bucket matched the text, or there is no text
	Facets          *Facets     // nil unless requested
	NeedFacets      *NeedFacets // nil unless requested
}

// Facets contains a count for each value of every filter. A count is the total of the query if this value
// were the only chosen value of its family.
type Facets struct {
	Categories, Characters, Installations []ValueCount
	Manufacturers                         []ManufacturerCount
	FireClasses                           []ValueCount // from A1 to F, cumulative
	HasEPD, Purchasable                   Split
}

// NeedFacets contains a count for each value of the needs, as in Facets. One entry must meet all needs.
type NeedFacets struct {
	AbsorptionClasses []ValueCount // from A to E
	Mountings         []ValueCount // by count descending, then by value
	SourceKinds       []ValueCount // by count descending, then by value
}

// A ValueCount is the count of one value. Strings are valid while the generation is acquired.
type ValueCount struct {
	Value string
	Count int
}

// A ManufacturerCount is the count of one manufacturer.
type ManufacturerCount struct {
	indexes.Manufacturer
	Count int
}

// Split counts products with and without a property.
type Split struct{ True, False int }

// Locale selects the language of the label in public items.
type Locale uint8

// The locales of labels.
const (
	German Locale = iota
	English
)

// Language returns the language of a locale.
func (l Locale) Language() string { return [...]string{product.German, product.English}[l] }

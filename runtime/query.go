package runtime

import (
	"slices"

	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
)

// A Query asks for one page of products. Its zero value asks for the most recently updated ones, none of
// them: Limit is the page's size.
type Query struct {
	Text    string // UTF-8; no text when its key is empty
	Filters Filters
	Sort    Sort
	Locale  Locale // the collation of SortName
	Page    int    // zero-based
	Limit   int
	Facets  bool

	Match      bool // a match of each hit without needs too
	NeedFacets bool
	Near       bool // when nothing is found, the products that lack least of AbsorptionMin
}

// sort returns the order of the result of a query with or without a text.
func (q *Query) sort(text bool) Sort {
	switch {
	case q.Sort == SortDefault && !text && q.Filters.Needs.hasTarget():
		return SortDistance
	case q.Sort == SortDefault:
		return SortRelevance
	}
	return q.Sort
}

// offset is the place of the page's first hit among total hits; total itself when the page lies behind the
// end.
func (q *Query) offset(total int) int {
	if q.Page <= 0 || q.Limit <= 0 {
		return 0
	}
	if q.Page > total/q.Limit { // so that the product below cannot overflow
		return total
	}
	return q.Page * q.Limit
}

// Filters restrict a search: values of one family are joined by OR, families by AND. An empty list is no
// restriction. A value that is not in the vocabulary matches nothing.
type Filters struct {
	Categories    []string
	Characters    []string
	Installations []string
	Manufacturers []string // slugs or UUIDs
	AlphaWMin     *float64 // inclusive
	AlphaWMax     *float64 // inclusive
	FireClass     string   // that class or safer
	HasEPD        bool
	Purchasable   bool
	Needs         Needs // of measured values
}

// Sort is the order of a result.
type Sort uint8

// The sorts of the contract. SortRelevance without text is SortDate; SortDefault is SortDistance where there
// is a target and no text, else SortRelevance.
const (
	SortDefault Sort = iota
	SortRelevance
	SortAlphaDesc
	SortAlphaAsc
	SortDate
	SortName
	SortMargin    // by the margin of the match, the largest first; of needs with AbsorptionMin
	SortDistance  // by the distance of the match, the least first; of needs with a target
	SortThickness // by the least thickness of the ISO 354 entries that meet the needs, none last
	SortDepth     // by the least depth of these, one that is not known last
)

// sortNames are the names of the sorts from SortRelevance on.
var sortNames = []string{"relevance", "alphaW_desc", "alphaW_asc", "date_desc", "name_asc", "margin_desc",
	"distance_asc", "thickness_asc", "depth_asc"}

// SortNames returns the names of the sorts in the contract, in the order of the constants.
func SortNames() []string { return slices.Clone(sortNames) }

// ParseSort reads a sort's name in the contract.
func ParseSort(name string) (s Sort, ok bool) {
	i := slices.Index(sortNames, name)
	return SortRelevance + Sort(max(i, 0)), i >= 0
}

// Strategy is the bucket that a hit stands in.
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

// MarshalText is for JSON that shows a bucket.
func (s Strategy) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Result is the answer to a Query.
type Result struct {
	Docs            []column.Doc // the page
	Matches         []Match      // of each of them, when there are needs or matches are asked for
	Total           int          // matches on all pages
	HasMore         bool
	NormalizedQuery string
	Strategy        Strategy    // of the top hit in relevance order, whatever the sort
	UsedFallback    bool        // only fuzzy or trigram found the text, before filters
	FoundStrictly   bool        // another bucket found it, before filters, or there is no text
	Facets          *Facets     // nil unless asked for
	NeedFacets      *NeedFacets // likewise
}

// Facets are the counts of every filter's values: what the total would be if that value alone were chosen in
// its family, all other families as they are.
type Facets struct {
	Categories, Characters, Installations []ValueCount
	Manufacturers                         []ManufacturerCount
	FireClasses                           []ValueCount // A1 to F, cumulative
	HasEPD, Purchasable                   Split
}

// NeedFacets are the counts of the values of needs: what the total would be if that value alone were chosen
// in its family, one entry meeting all needs.
type NeedFacets struct {
	AbsorptionClasses []ValueCount // A to E
	Mountings         []ValueCount // by count descending, then by value
	SourceKinds       []ValueCount // likewise
}

// A ValueCount is the count of one value. Strings are valid while the generation is held.
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

// Locale picks the label that public items show.
type Locale uint8

// The locales of labels.
const (
	German Locale = iota
	English
)

// Language returns the language of a locale.
func (l Locale) Language() string { return [...]string{product.German, product.English}[l] }

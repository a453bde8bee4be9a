package runtime

import "sabine/indexes"

// A Query asks for one page of products. Its zero value asks for the most recently updated ones, none of them: Limit
// is the page's size.
type Query struct {
	Text    string // UTF-8; no text when its key is empty
	Filters Filters
	Sort    Sort
	Locale  Locale // the collation of SortName
	Page    int    // zero-based
	Limit   int
	Facets  bool
}

// Filters restrict a search: values of one family are joined by OR, families by AND. An empty list is no restriction.
// A value that is not in the vocabulary matches nothing.
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
}

// Sort is the order of a result.
type Sort uint8

// The sorts of the contract. SortRelevance without text is SortDate.
const (
	SortRelevance Sort = iota
	SortAlphaDesc
	SortAlphaAsc
	SortDate
	SortName
)

// ParseSort reads a sort's name in the contract.
func ParseSort(name string) (s Sort, ok bool) { panic("unwritten") }

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

// String returns the bucket's name in the contract.
func (s Strategy) String() string { panic("unwritten") }

// A Result is the answer to a Query.
type Result struct {
	Docs            []indexes.Doc // the page
	Total           int           // matches on all pages
	HasMore         bool
	NormalizedQuery string
	Strategy        Strategy // of the top hit in relevance order, whatever the sort
	UsedFallback    bool
	Facets          *Facets // nil unless asked for
}

// Search answers a query. The same query on the same generation has the same answer.
func (g *Generation) Search(q *Query) *Result { panic("unwritten") }

// Facets are the counts of every filter's values: what the total would be if that value alone were chosen in its
// family, all other families as they are.
type Facets struct {
	Categories, Characters, Installations []Bucket
	Manufacturers                         []MakerBucket
	FireClasses                           []Bucket // A1 to F, cumulative
	HasEPD, Purchasable                   Split
}

// Bucket is the count of one value. Strings are valid while the generation is held.
type Bucket struct {
	Value string
	Count int
}

// MakerBucket is the count of one manufacturer.
type MakerBucket struct {
	indexes.Maker
	Count int
}

// Split counts products with and without a property.
type Split struct{ True, False int }

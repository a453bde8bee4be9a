package queries

import (
	"fmt"

	"sabine/runtime"
)

// First is how many hits count: a question succeeds when one of the first ten satisfies its rule.
const First = 10

// A Question is a query with what makes a good answer to it.
type Question struct {
	runtime.Query

	Like string // the id of the product whose curve is the target, "": none. Query lacks it: see In

	// Rule holds for what is looked for. It is nil where that is nothing, or where only the cost matters.
	Rule func(*Product) bool

	All        []int // these, by their places among the products, have to be among the matches
	NoFallback bool  // a strict bucket has to find it
	Nothing    bool  // there must be no match

	// A misspelling that is by chance a way to write something else asks for that, and is dropped: see Counts.
	StrictEmpty bool // no strict bucket may have a hit
	FuzzyEmpty  bool // nor may fuzzy
}

// In returns the query as it is asked of a generation, which knows the documents of products.
func (q *Question) In(g *runtime.Generation) (runtime.Query, error) {
	query := q.Query
	if q.Like != "" {
		d, ok := g.Lookup(q.Like)
		if !ok {
			return query, fmt.Errorf("product %s, to which others are to be near, is not in this catalogue", q.Like)
		}
		query.Filters.Needs.Like = &d
	}
	return query, nil
}

// Counts reports whether a question counts, now that it is answered. A class has more questions than it needs
// where some may not.
func (q *Question) Counts(r *runtime.Result) bool {
	switch {
	case q.FuzzyEmpty:
		return r.Total == 0 || r.Strategy == runtime.StrategyTrigram
	case q.StrictEmpty:
		return r.Total == 0 || r.UsedFallback
	}
	return true
}

// A Class is questions of one kind.
type Class struct {
	Name      string
	Kind      Kind
	Questions []Question
	Wanted    int // the first so many that count are judged
}

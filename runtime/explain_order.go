package runtime

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sabine/indexes"
	"sabine/indexes/column"
)

// addKey adds a sort key of the current hit.
func (x *explainer) addKey(key, value string, rank float64) {
	x.order = append(x.order, OrderKey{key, value, rank})
}

// orderBySort adds the sort keys before the document order: the keys of the sort, or the bucket and the keys
// within it. similarity is the value of the key "similarity", as text.
func (x *explainer) orderBySort(h *rankedHit, similarity string) {
	switch sort := x.request.sort(x.stage != stageAll); {
	case h.met != nil && h.met.shortfall != nil:
		largest, sum := h.met.shortfall.largestAndSum()
		x.addKey("shortfall", fmt.Sprintf("%.4f", shownThirds(largest)), shownThirds(largest))
		x.addKey("sum of shortfalls", fmt.Sprintf("%.4f", shownThirds(sum)), shownThirds(sum))
	case sort == SortAlphaAsc || sort == SortAlphaDesc:
		alpha, ok := x.index.Alpha.Of(h.doc)
		switch {
		case !ok:
			x.addKey("alpha_w", "none", 2) // ranks after every alpha_w, because alpha_w is at most 1
		case sort == SortAlphaDesc:
			x.addKey("alpha_w", strconv.FormatFloat(alpha, 'f', -1, 64), 0-alpha) // not -alpha, which is -0 for 0
		default:
			x.addKey("alpha_w", strconv.FormatFloat(alpha, 'f', -1, 64), alpha)
		}
	case sort == SortName: // the rank is the position of the label among all products
		order, _ := sorted(x.index, SortName, x.request.Locale)
		x.addKey("label", x.generation.Product(h.doc).Label.In(x.request.Locale.Language()), float64(order.Place(h.doc)))
	case sort == SortThickness:
		x.byLength(h.doc, "thickness", indexes.AttributeThickness)
	case sort == SortDepth:
		x.byLength(h.doc, "depth", indexes.AttributeDepth)
	case sort == SortMargin && h.met != nil:
		margin := float64(h.met.margin) / thirdsPerUnit
		x.addKey("margin", fmt.Sprintf("%.4f", margin), 0-margin) // not -margin, which is -0 for 0
	case sort == SortDistance && h.met != nil:
		distance := h.met.distance.coefficient()
		x.addKey("distance", fmt.Sprintf("%.4f", distance), distance)
	case sort != SortDate && x.stage != stageAll:
		x.addKey("bucket", h.tier.strategy.String(), float64(h.tier.strategy))
		x.orderInBucket(&h.tier, similarity)
	}
}

// byLength adds the smallest length of the entries that meet the needs.
func (x *explainer) byLength(d column.Doc, key string, of indexes.Attribute) {
	table := &x.index.Entries[indexes.NormAbsorption]
	least, value := math.Inf(1), "none"
	for entry, end := table.Of(d); entry < end; entry++ {
		length := table.Length(of, entry)
		meets := !x.request.Filters.Needs.isSet() || x.needs.meets(indexes.NormAbsorption, entry)
		if length != nil && meets && *length < least {
			least, value = *length, strconv.FormatFloat(*length, 'f', -1, 64)+" mm"
		}
	}
	x.addKey(key, value, min(least, math.MaxFloat64)) // JSON has no infinity
}

// orderInBucket adds the sort keys within a bucket.
func (x *explainer) orderInBucket(t *tier, similarity string) {
	field := "none"
	if t.field < indexes.NumFields {
		field = t.field.String()
	}
	switch t.strategy {
	case StrategyExact:
		return
	case StrategyPrefix:
		if t.inside {
			x.addKey("ends", "inside a word", 1)
		} else {
			x.addKey("ends", "at the end of a word", 0)
		}
		x.addKey("best field", field, float64(t.field))
		return
	case StrategyCategory:
		x.addKey("best field", field, float64(t.field))
		switch {
		case !x.query.levels.has(MatchCurated):
		case t.bySynonym:
			x.addKey("named", "by a curated synonym", 1)
		default:
			x.addKey("named", "by the query", 0)
		}
	case StrategyPhrase:
		x.addKey("best field", field, float64(t.field))
	case StrategyFuzzy:
		x.addKey("corrected words", strconv.Itoa(t.corrected), float64(t.corrected))
		x.addKey("distance", strconv.Itoa(t.corrected+t.far), float64(t.corrected+t.far))
	case StrategyTrigram:
		if x.stage == stageSimilar {
			x.addKey("similarity", similarity, 0-t.similarity.float()) // not -x, which is -0 for 0
			return
		}
		weight := float64(t.weight) / weightSteps
		x.addKey("weight", fmt.Sprintf("%.2f", weight), -weight)
	}
	x.orderByField(t)
}

// orderByField adds the sort keys of fts: whether the match needs a curated synonym or the dictionary (if the
// query has any); the fields, best first (one field with all words is better than several fields); and the
// worst kind of match.
func (x *explainer) orderByField(t *tier) {
	if levels := x.query.levels; levels.worst() > worstDirect {
		var kinds []string
		for kind := worstDirect + 1; kind <= worstMatch; kind++ {
			if levels.has(kind) {
				kinds = append(kinds, kind.String())
			}
		}
		if key := strings.Join(kinds, " or "); t.needsCurated {
			x.addKey(key, "needed", 1)
		} else {
			x.addKey(key, "not needed", 0)
		}
	}
	fields := "all in " + t.last.String()
	if t.first != t.last {
		fields = "spread down to " + t.last.String()
	}
	if t.partly {
		fields += ", not whole"
	}
	x.addKey("fields", fields, float64(t.fieldsRank()))
	worst := t.worst
	if worst == MatchCorrected { // or a better kind, which has the same rank
		worst = MatchVerbatim
	}
	x.addKey("worst way", worst.String(), float64(t.worst.rank()))
}

package runtime

import (
	"fmt"
	"strconv"

	"github.com/tidwall/gjson"

	"sabine/indexes"
)

// order returns the keys of a hit before the document order: the sort's own or, in order of relevance, the bucket and those
// within it.
func (x *explainer) order(d indexes.Doc, bucket Strategy, within []OrderKey) []OrderKey {
	switch sort := x.query.Sort; {
	case sort == SortAlphaAsc || sort == SortAlphaDesc:
		return x.byAlpha(d)
	case sort == SortName:
		return x.byLabel(d)
	case sort == SortDate || x.tier == tierAll:
		return nil
	}
	return append([]OrderKey{{"bucket", bucket.String(), float64(bucket)}}, within...)
}

// byNaming returns the key of category before those of fts: whether the query itself names the value.
func (x *explainer) byNaming(d indexes.Doc) []OrderKey {
	if !x.text.kinds.has(MatchCurated) {
		return nil
	}
	for _, v := range x.engine.named[x.text.key] {
		if x.index.Facets[v.family].Set(v.number).Contains(d) {
			return []OrderKey{{"named", "by the query", 0}}
		}
	}
	return []OrderKey{{"named", "by a curated synonym", 1}}
}

// byNeed returns the key that tells products which need a curated synonym from those which do not: of a query that has
// some.
func (x *explainer) byNeed(own bool) []OrderKey {
	switch {
	case !x.text.kinds.has(MatchCurated):
		return nil
	case own:
		return []OrderKey{{"curated synonym", "not needed", 0}}
	}
	return []OrderKey{{"curated synonym", "needed", 1}}
}

// byField returns the keys of fts: whether a curated synonym is needed, whether one field holds all words, the better
// field first, and the worst way.
func (x *explainer) byField(words []WordMatch) []OrderKey {
	within := worstMatch
	if isHeld(words, MatchSynonym) {
		within = MatchSynonym
	}
	need := x.byNeed(within == MatchSynonym)
	keys := func(rank indexes.Field, fields string, worst MatchKind) []OrderKey {
		name := worst
		if worst == MatchCorrected {
			name = MatchAsItIs
		}
		return append(need, OrderKey{"fields", fields, float64(rank)}, OrderKey{"worst way", name.String(), float64(worst - MatchCorrected)})
	}
	for f := range indexes.NumFields {
		if worst := worstIn(words, f, f); worst <= within {
			return keys(f, "all in "+f.String(), worst)
		}
	}
	for last := range indexes.NumFields {
		if worst := worstIn(words, 0, last); worst <= within {
			return keys(indexes.NumFields+last, "spread down to "+last.String(), worst)
		}
	}
	return nil
}

// isHeld reports whether a product holds every word in a way no worse than worst.
func isHeld(words []WordMatch, worst MatchKind) bool {
	return worstIn(words, 0, indexes.NumFields-1) <= worst
}

// worstIn returns the worst of the kinds in which the fields from first to last hold the words at best, numMatchKinds when one
// of them is not there.
func worstIn(words []WordMatch, first, last indexes.Field) MatchKind {
	worst := MatchCorrected
	for _, w := range words {
		best := numMatchKinds
		for _, held := range w.Held {
			if first <= held.Field && held.Field <= last {
				best = min(best, held.Kind)
			}
		}
		worst = max(worst, best)
	}
	return worst
}

// byCorrection returns the keys of fuzzy before those of fts.
func byCorrection(words []WordMatch) []OrderKey {
	corrected, distance := 0, 0
	for _, w := range words {
		if len(w.Held) > 0 && w.Held[0].Kind == MatchCorrected { // then it is in every field
			corrected++
			distance += w.Held[0].Distance
		}
	}
	return []OrderKey{
		{"corrected words", strconv.Itoa(corrected), float64(corrected)},
		{"distance", strconv.Itoa(distance), float64(distance)},
	}
}

// byWords returns the key of the last resort, which all its hits share.
func byWords(words []WordMatch) []OrderKey {
	held := 0
	for _, w := range words {
		if len(w.Held) > 0 {
			held++
		}
	}
	return []OrderKey{{"words held", fmt.Sprintf("%d of %d", held, len(words)), -float64(held)}}
}

// byAlpha returns the key of the sorts by alpha_w.
func (x *explainer) byAlpha(d indexes.Doc) []OrderKey {
	alpha, ok := x.index.Alpha.Of(d)
	if !ok {
		return []OrderKey{{"alpha_w", "none", 2}} // behind every alpha_w: those end at 1
	}
	rank := alpha
	if x.query.Sort == SortAlphaDesc {
		rank = 0 - alpha
	}
	return []OrderKey{{"alpha_w", strconv.FormatFloat(alpha, 'f', -1, 64), rank}}
}

// byLabel returns the key of the sort by name. Its rank is the label's place among all products'.
func (x *explainer) byLabel(d indexes.Doc) []OrderKey {
	order, _ := x.sorted(SortName, x.query.Locale)
	label := gjson.GetBytes(x.generation.AppendPublic(nil, d, x.query.Locale), "label").String()
	return []OrderKey{{"label", label, float64(order.Place(d))}}
}

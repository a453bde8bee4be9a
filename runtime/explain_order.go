package runtime

import (
	"fmt"
	"strconv"

	"sabine/indexes"
	"sabine/indexes/column"
)

// order returns the keys of a hit before the document order: the sort's own or, in order of relevance, the bucket and those
// within it.
func (x *explainer) order(h *notedHit, within []OrderKey) []OrderKey {
	switch sort := x.asked.sort(x.stage != stageAll); {
	case sort == SortAlphaAsc || sort == SortAlphaDesc:
		return x.byAlpha(h.doc)
	case sort == SortName:
		return x.byLabel(h.doc)
	case sort == SortMargin && h.met != nil:
		return byMargin(h.met)
	case sort == SortDistance && h.met != nil:
		return byDistance(h.met)
	case sort == SortDate || x.stage == stageAll:
		return nil
	}
	bucket := h.rung.strategy
	return append([]OrderKey{{"bucket", bucket.String(), float64(bucket)}}, within...)
}

// byEnd returns the keys of prefix: whether the query ends at the end of a word, and in which field.
func byEnd(h *notedHit) []OrderKey {
	end := OrderKey{"ends", "at the end of a word", 0}
	if h.rung.inside {
		end = OrderKey{"ends", "inside a word", 1}
	}
	return append([]OrderKey{end}, byBestField(h)...)
}

// byBestField returns the key of the field that holds the query in prefix, category and phrase.
func byBestField(h *notedHit) []OrderKey {
	f := h.rung.field
	if f == indexes.NumFields {
		return []OrderKey{{"best field", "none", float64(f)}}
	}
	return []OrderKey{{"best field", f.String(), float64(f)}}
}

// byNaming returns the key of category before those of fts: whether the query itself names the value.
func (x *explainer) byNaming(h *notedHit) []OrderKey {
	switch {
	case !x.query.levels.has(MatchCurated):
		return nil
	case h.rung.bySynonym:
		return []OrderKey{{"named", "by a curated synonym", 1}}
	}
	return []OrderKey{{"named", "by the query", 0}}
}

// byField returns the keys of fts: whether a curated synonym or the dictionary is needed, of a query that has some; whether one
// field holds all words, the better field first; and the worst kind of match.
func (x *explainer) byField(h *notedHit) []OrderKey {
	var keys []OrderKey
	r := &h.rung
	switch {
	case r.needsCurated:
		keys = append(keys, OrderKey{x.lastMeanings(), "needed", 1})
	case x.query.levels.worst() > worstOwn:
		keys = append(keys, OrderKey{x.lastMeanings(), "not needed", 0})
	}
	fields := OrderKey{"fields", "all in " + r.last.String(), float64(r.fieldsRank())}
	if r.first != r.last {
		fields.Value = "spread down to " + r.last.String()
	}
	worst := OrderKey{"worst way", r.worst.String(), float64(r.worst.rank())}
	if r.worst == MatchCorrected { // or better, which counts alike
		worst.Value = MatchAsItIs.String()
	}
	return append(keys, fields, worst)
}

// lastMeanings names the kinds of matches that come after all others of the query.
func (x *explainer) lastMeanings() string {
	switch levels := x.query.levels; {
	case !levels.has(MatchDictionary):
		return MatchCurated.String()
	case !levels.has(MatchCurated):
		return MatchDictionary.String()
	}
	return MatchCurated.String() + " or " + MatchDictionary.String()
}

// byCorrection returns the keys of fuzzy before those of fts.
func byCorrection(h *notedHit) []OrderKey {
	corrected, distance := h.rung.corrected, h.rung.corrected+h.rung.far
	return []OrderKey{
		{"corrected words", strconv.Itoa(corrected), float64(corrected)},
		{"distance", strconv.Itoa(distance), float64(distance)},
	}
}

// byWeight returns the key of the fallback by weight before those of fts.
func byWeight(h *notedHit) []OrderKey {
	weight := float64(h.rung.weight) / weightSteps
	return []OrderKey{{"weight", fmt.Sprintf("%.2f", weight), -weight}}
}

// byAlpha returns the key of the sorts by alpha_w.
func (x *explainer) byAlpha(d column.Doc) []OrderKey {
	alpha, ok := x.index.Alpha.Of(d)
	if !ok {
		return []OrderKey{{"alpha_w", "none", 2}} // behind every alpha_w: those end at 1
	}
	rank := alpha
	if x.asked.Sort == SortAlphaDesc {
		rank = 0 - alpha
	}
	return []OrderKey{{"alpha_w", strconv.FormatFloat(alpha, 'f', -1, 64), rank}}
}

// byLabel returns the key of the sort by name. Its rank is the label's place among all products'.
func (x *explainer) byLabel(d column.Doc) []OrderKey {
	order, _ := sorted(x.index, SortName, x.asked.Locale)
	label := x.generation.Product(d).Label.In(x.asked.Locale.Language())
	return []OrderKey{{"label", label, float64(order.Place(d))}}
}

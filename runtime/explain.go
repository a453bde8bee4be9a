package runtime

import (
	"slices"
	"time"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
)

// An Explanation describes why a product is a hit and what determines its position. Texts and words are
// normalized keys, as the search compares them. The strings are valid while the generation is acquired.
type Explanation struct {
	ID     string   `json:"id"`
	Bucket Strategy `json:"bucket"` // bucket of this product; a result has its first hit's bucket
	// texts that match the whole query; not set in fts, fuzzy, and trigram by the weight of words
	Whole []WholeMatch `json:"whole,omitempty"`
	// each distinct word of the query, if words determine the match or the order
	Words []WordMatch `json:"words,omitempty"`
	// the measurements that meet the needs, one for each norm
	Needs []NeedMatch `json:"needs,omitempty"`
	Order []OrderKey  `json:"order"` // the last key is the document order
}

// A WholeMatch is a text of a product that matches the whole query.
type WholeMatch struct {
	Field      string  `json:"field"` // name, manufacturer, slug, id, a family or, in phrase, a Field
	Text       string  `json:"text"`
	Similarity float64 `json:"similarity,omitempty"` // only in trigram
	Inside     bool    `json:"inside,omitempty"`     // the text contains the query; only in trigram
}

// A WordMatch is a word of the query with the fields that match it. Fields is empty if no field matches, or
// if the word is optional.
type WordMatch struct {
	Word     string       `json:"word"`
	Function bool         `json:"function_word,omitempty"` // a function word, optional among other words
	Fields   []FieldMatch `json:"held"`
}

// A FieldMatch is the best match of a word in a field.
type FieldMatch struct {
	Field    indexes.Field `json:"field"`
	Kind     MatchKind     `json:"way"`
	Distance int           `json:"distance,omitempty"` // edit distance of a corrected word
	// the matching words of the field, separated by spaces if several words match together
	By []string `json:"by"`
	// the parts of the query's compound, or the parts of the field's words that are corrections, in order
	Parts []PartMatch `json:"parts,omitempty"`
}

// A PartMatch is the best match of a part in a field. The part belongs to a compound of the query, or it is
// the correction of a word of the query.
type PartMatch struct {
	Part string    `json:"part"`
	Kind MatchKind `json:"way"`
	By   []string  `json:"by"`
}

// An OrderKey is a sort key of a hit. Hits are in ascending order of Rank; if two ranks are equal, the next
// key decides.
type OrderKey struct {
	Key   string  `json:"key"`
	Value string  `json:"value"`
	Rank  float64 `json:"rank"`
}

// Explain explains the hits of Search, in the same order. It is slower than Search: it ranks the page again,
// down to the last tier, and reads more data for each hit.
func (g *Generation) Explain(q *Query) []Explanation {
	w, m := g.engine.begin(analysis.Key(q.Text))
	r := w.answer(q, &m)
	hits := m.rankedHits(r.Docs)
	x := explainer{match: m, generation: g, request: q, needs: &w.filters.needs}
	explanations := make([]Explanation, len(hits))
	for i := range hits {
		if r.Matches != nil {
			hits[i].met = &r.Matches[i]
		}
		explanations[i] = x.explain(&hits[i])
	}
	w.end()
	return explanations
}

// A rankedHit is a hit with its tier.
type rankedHit struct {
	doc, place column.Doc // place is the document's number in the scope of the match
	tier       tier
	met        *Match // nil if the query has no needs and requests no matches
}

// rankedHits returns hits with their tiers.
func (m *match) rankedHits(docs []column.Doc) []rankedHit {
	hits := make([]rankedHit, len(docs))
	for i, d := range docs {
		hits[i].doc, hits[i].place = d, d
	}
	if m.stage == stageAll {
		return hits
	}
	rest := m.take()
	for _, d := range docs {
		m.scope.Add(rest, d)
	}
	r := ranking{match: *m, rest: rest, need: len(docs), report: func(place column.Doc, t tier) {
		i := slices.Index(docs, m.scope.At(place))
		hits[i].place, hits[i].tier = place, t
	}}
	r.rank()
	return hits
}

type explainer struct {
	match
	generation *Generation
	request    *Query
	needs      *needFinder
	whole      setsByField // documents that contain the query as a phrase
	order      []OrderKey  // sort keys of the current hit
}

func (x *explainer) explain(h *rankedHit) Explanation {
	summary := x.generation.summary(h.doc)
	e := Explanation{ID: summary.ID.String(), Bucket: h.tier.strategy}
	similarity := ""
	switch e.Bucket {
	case StrategyExact:
		e.Whole = x.exact(h.doc)
	case StrategyPrefix:
		e.Whole = x.beginnings(h.doc)
	case StrategyCategory:
		e.Whole = x.values(h)
	case StrategyPhrase:
		e.Whole = x.phrases(h)
	case StrategyTrigram:
		if x.stage == stageSimilar {
			e.Whole, similarity = x.similar(h)
		}
	}
	if e.Bucket >= StrategyCategory && x.stage != stageSimilar {
		e.Words = x.words(h)
	}
	if h.met != nil {
		e.Needs = x.needsMet(h)
	}
	updated := "none"
	if summary.UpdatedAt != nil {
		updated = summary.UpdatedAt.Format(time.RFC3339Nano)
	}
	x.order = nil
	x.orderBySort(h, similarity)
	x.addKey("document order", "updated_at "+updated+", id "+e.ID, float64(h.doc))
	e.Order = x.order
	return e
}

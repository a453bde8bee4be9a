package runtime

import (
	"slices"
	"time"

	"sabine/indexes"
	"sabine/indexes/column"
)

// An Explanation says why a product is a hit of a query and what its place among the hits comes from. Texts
// and words of the product are keys, as they were compared. Its strings are valid while the generation is
// held.
type Explanation struct {
	ID     string       `json:"id"`
	Bucket Strategy     `json:"bucket"`          // the product's own; that of a result is its first hit's
	Whole  []WholeMatch `json:"whole,omitempty"` // where the query matched as a whole: not in fts and fuzzy
	// each distinct word of the query, where words are what matched or what hits are ordered by
	Words []WordMatch `json:"words,omitempty"`
	// the entries that meet what was asked of measured values, one of each norm
	Needs []NeedMatch `json:"needs,omitempty"`
	Order []OrderKey  `json:"order"` // the last key is the document order
}

// A WholeMatch is a text of a product that the query matched as a whole.
type WholeMatch struct {
	Field      string  `json:"field"` // name, manufacturer, slug, id; category, character, installation; in phrase a Field
	Text       string  `json:"text"`
	Similarity float64 `json:"similarity,omitempty"` // in trigram
	Inside     bool    `json:"inside,omitempty"`     // in trigram: the query is a substring of the text
}

// A WordMatch is one word of the query with the fields that hold it, none when the product does not, or need
// not.
type WordMatch struct {
	Word     string       `json:"word"`
	Function bool         `json:"function_word,omitempty"` // beside others, so that it is not asked for
	Fields   []FieldMatch `json:"held"`
}

// Held is the best kind of match by which a field holds a word.
type FieldMatch struct {
	Field    indexes.Field `json:"field"`
	Kind     MatchKind     `json:"way"`
	Distance int           `json:"distance,omitempty"` // of a corrected word
	// words of the field; several with blanks between where together they are one
	By []string `json:"by"`
	// of a compound of the query, its own in order; of a corrected word, those of the field that it may be
	Parts []PartMatch `json:"parts,omitempty"`
}

// A PartMatch is the best kind of match by which a field holds a part: one of a compound of the query, or one
// of the field's compounds that a word of the query is corrected to.
type PartMatch struct {
	Part string    `json:"part"`
	Kind MatchKind `json:"way"`
	By   []string  `json:"by"`
}

// An OrderKey is one of what hits are ordered by: the hit with the smaller rank stands first, and where the
// ranks are equal the next key tells.
type OrderKey struct {
	Key   string  `json:"key"`
	Value string  `json:"value"`
	Rank  float64 `json:"rank"`
}

// Explain explains the hits that Search returns for a query, in their order. It is for people: it ranks the
// page once more, alone and to the last tier, and reads for each hit what Search never needs to know of one.
func (g *Generation) Explain(q *Query) []Explanation {
	w, text, m := g.engine.begin(q.Text)
	r := w.answer(q, text, &m)
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

// A rankedHit is a hit with what the ranking says of it.
type rankedHit struct {
	doc, place column.Doc // the place is that in the scope of the match
	tier       tier
	met        *Match // nil: nothing was asked of measured values
}

// noted returns hits with the tiers that they are given out on.
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
	r := ranking{match: *m, rest: rest, need: len(docs), report: func(place column.Doc, r tier) {
		i := slices.Index(docs, m.scope.At(place))
		hits[i].place, hits[i].tier = place, r
	}}
	r.rank()
	return hits
}

// An explainer explains hits of one query.
type explainer struct {
	match
	generation *Generation
	request    *Query
	needs      *needFinder
	whole      setsByField // that hold the query as a phrase
	order      []OrderKey  // of the hit that is explained
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
	x.by("document order", "updated_at "+updated+", id "+e.ID, float64(h.doc))
	e.Order = x.order
	return e
}

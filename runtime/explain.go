package runtime

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// An Explanation says why a product is a hit of a query and what its place among the hits comes from. Texts and words of
// the product are keys, as they were compared. Its strings are valid while the generation is held.
type Explanation struct {
	ID     string       `json:"id"`
	Bucket Strategy     `json:"bucket"`          // the product's own; that of a result is its first hit's
	Whole  []WholeMatch `json:"whole,omitempty"` // where the query matched as a whole: not in fts and fuzzy
	Words  []WordMatch  `json:"words,omitempty"` // each distinct word of the query, where words are what matched or what hits are ordered by
	Order  []OrderKey   `json:"order"`           // the last key is the document order
}

// A WholeMatch is a text of a product that the query matched as a whole.
type WholeMatch struct {
	Field      string  `json:"field"` // name, manufacturer, slug, id; category, character, installation; in phrase a Field
	Text       string  `json:"text"`
	Similarity float64 `json:"similarity,omitempty"` // in trigram
	Inside     bool    `json:"inside,omitempty"`     // in trigram: the query is a substring of the text
}

// A WordMatch is one word of the query with the fields that hold it, none when the product does not.
type WordMatch struct {
	Word string `json:"word"`
	Held []Held `json:"held"`
}

// Held is the best kind of match by which a field holds a word.
type Held struct {
	Field    indexes.Field `json:"field"`
	Kind     MatchKind     `json:"way"`
	Distance int           `json:"distance,omitempty"` // of a corrected word
	By       []string      `json:"by"`                 // words of the field; several with blanks between where together they are one
}

// An OrderKey is one of what hits are ordered by: the hit with the smaller rank stands first, and where the ranks are
// equal the next key tells.
type OrderKey struct {
	Key   string  `json:"key"`
	Value string  `json:"value"`
	Rank  float64 `json:"rank"`
}

// Explain explains the hits that Search returns for a query, in their order. It is for people: it searches twice, and
// reads for each hit what Search never needs to know of one.
func (g *Generation) Explain(q *Query) []Explanation {
	docs := g.Search(q).Docs
	x := g.explainer(q)
	explanations := make([]Explanation, len(docs))
	for i, d := range docs {
		explanations[i] = x.explain(d)
	}
	x.end()
	return explanations
}

// An explainer explains hits of one query.
type explainer struct {
	*work
	generation *Generation
	query      *Query
	tier       tier
	buckets    [len(strictBuckets)]indexes.Dense // of a strict result
	whole      phrase                            // the query
}

func (g *Generation) explainer(q *Query) *explainer {
	x := &explainer{work: g.engine.begin(), generation: g, query: q}
	x.read(analysis.Normalize(q.Text))
	_, x.tier = x.match()
	switch x.tier {
	case tierFuzzy:
		x.widen()
		x.fuzzyInto(x.take())
	case tierStrict:
		x.widen()
		for i, b := range strictBuckets {
			x.buckets[i] = x.take()
			b.into(x.work, x.buckets[i])
		}
		x.whole.terms, _ = x.index.AppendTerms(nil, x.text.key)
	}
	return x
}

func (x *explainer) explain(d indexes.Doc) Explanation {
	summary := gjson.ParseBytes(x.generation.AppendSummary(nil, d, Include{}))
	e := Explanation{ID: summary.Get("id").String()}
	words := x.words(d)
	e.Bucket = x.bucket(d)
	var within []OrderKey // the bucket
	switch e.Bucket {
	case StrategyExact:
		e.Whole = x.exact(d)
	case StrategyPrefix:
		e.Whole = x.names(d, func(name string) bool { return strings.HasPrefix(name, x.text.key) })
	case StrategyCategory:
		e.Whole, e.Words = x.values(d), words
		within = append(x.byNaming(d), x.byField(words)...) // whoever has the value holds the words, if only by a synonym
	case StrategyPhrase:
		e.Whole = x.phrases(d)
	case StrategyFTS:
		e.Words = words
		within = x.byField(words)
	case StrategyFuzzy:
		e.Words = words
		within = append(byCorrection(words), x.byField(words)...)
	case StrategyTrigram:
		if e.Whole, within = x.similar(d); e.Whole == nil {
			e.Words = words
			within = append(byWords(words), within...)
		}
	}
	updated := cmp.Or(summary.Get("updated_at").String(), "none")
	e.Order = append(x.order(d, e.Bucket, within), OrderKey{"document order", "updated_at " + updated + ", id " + e.ID, float64(d)})
	return e
}

// bucket returns a hit's best bucket.
func (x *explainer) bucket(d indexes.Doc) Strategy {
	switch x.tier {
	case tierStrict:
		for i, b := range strictBuckets {
			if x.buckets[i].Has(d) {
				return b.strategy
			}
		}
		return StrategyFTS
	case tierFuzzy:
		return StrategyFuzzy
	case tierTrigram:
		return StrategyTrigram
	}
	return StrategyNone
}

package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/token/edgengram"
	"github.com/blevesearch/bleve/v2/analysis/token/ngram"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/single"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/whitespace"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"

	"sabine/indexes/analysis"
	"sabine/runtime"
)

// A bleveIndex is one segment, opened for reading. Its text is folded so that umlaut spellings meet, and stemmed as German in
// both languages, the question like the products, so that one field serves both. What it is asked:
//
//	words    match with AND on text, stemmed; a name, slug or id that is the whole query adds to the score
//	phrase   match_phrase on text
//	prefix   one term: every beginning of a name is a term (edge n-grams), which beats a prefix query by far
//	part     all trigrams of the part in the names, since a wildcard at the front walks every term
//	typos    every word of words within one edit (4 to 7 letters) or two (8 and more), a word with digits as it is
//	similar  at least half of the trigrams in the names
//	any      match with OR on text
//
// Filters are terms that do not score. Each family with a choice takes one more query for its counts.
type bleveIndex struct{ index bleve.Index }

// The fields beside those of the families.
const (
	fieldText   = "text"   // stemmed: everything
	fieldWords  = "words"  // not stemmed: everything
	fieldKeys   = "keys"   // names, manufacturer, slug, id, each as one term
	fieldStarts = "starts" // beginnings of names and manufacturer
	fieldGrams  = "grams"  // trigrams of names and manufacturer
	fieldAlphaW = "alpha_w"
	fieldDate   = "updated"
	fieldSort   = "sort"
)

// Analyzers of our own.
const (
	analyzerWords   = "words"
	analyzerStemmed = "stemmed"
	analyzerStarts  = "starts"
	analyzerGrams   = "grams"
	filterStarts    = "beginnings"
	filterGrams     = "trigrams"
)

// longestStart is the longest prefix that is a term of its own.
const longestStart = 12

func bleveMapping() (*mapping.IndexMappingImpl, error) {
	m := bleve.NewIndexMapping()
	m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = false, false, false
	filter := func(name, kind string, least, most float64) error {
		return m.AddCustomTokenFilter(name, map[string]any{"type": kind, "min": least, "max": most})
	}
	analyzer := func(name, tokenizer string, filters ...string) error {
		return m.AddCustomAnalyzer(name, map[string]any{
			"type": "custom", "tokenizer": tokenizer, "token_filters": append([]string{}, filters...), // nil is refused
		})
	}
	for _, err := range []error{
		filter(filterStarts, edgengram.Name, 1, longestStart),
		filter(filterGrams, ngram.Name, 3, 3),
		analyzer(analyzerWords, whitespace.Name),
		analyzer(analyzerStemmed, whitespace.Name, de.LightStemmerName),
		analyzer(analyzerStarts, single.Name, filterStarts),
		analyzer(analyzerGrams, whitespace.Name, filterGrams),
	} {
		if err != nil {
			return nil, err
		}
	}

	text := func(analyzer string) *mapping.FieldMapping {
		return &mapping.FieldMapping{Type: "text", Analyzer: analyzer, Index: true}
	}
	d := bleve.NewDocumentStaticMapping()
	positions := text(analyzerStemmed)
	positions.IncludeTermVectors = true
	d.AddFieldMappingsAt(fieldText, positions)
	d.AddFieldMappingsAt(fieldWords, text(analyzerWords))
	d.AddFieldMappingsAt(fieldKeys, text(keyword.Name))
	d.AddFieldMappingsAt(fieldStarts, text(analyzerStarts))
	d.AddFieldMappingsAt(fieldGrams, text(analyzerGrams))
	for _, name := range columns {
		value := text(keyword.Name)
		value.DocValues = true
		d.AddFieldMappingsAt(name, value)
	}
	d.AddFieldMappingsAt(fieldAlphaW, &mapping.FieldMapping{Type: "number", Index: true, DocValues: true})
	d.AddFieldMappingsAt(fieldDate, &mapping.FieldMapping{Type: "number", DocValues: true})
	d.AddFieldMappingsAt(fieldSort, &mapping.FieldMapping{Type: "text", Analyzer: keyword.Name, DocValues: true})
	m.DefaultMapping = d
	return m, nil
}

func blevePath(dir string) string { return filepath.Join(dir, "index") }

// buildBleve uses the offline builder, which leaves one segment. Indexing in batches and merging them behind took as long,
// and did not always end in one.
func buildBleve(dir, catalogue string) error {
	m, err := bleveMapping()
	if err != nil {
		return err
	}
	builder, err := bleve.NewBuilder(blevePath(dir), m, map[string]any{"buildPathPrefix": dir})
	if err != nil {
		return err
	}
	for p, err := range readProducts(catalogue) {
		if err != nil {
			return err
		}
		if err := builder.Index(p.ID, bleveDocument(p)); err != nil {
			return fmt.Errorf("%s: %w", p.ID, err)
		}
	}
	return builder.Close()
}

func bleveDocument(p *product) map[string]any {
	f := fold(p)
	text := strings.Join([]string{f.names, f.manufacturer, f.kinds, f.description}, " ")
	names := nameKeys(p)
	d := map[string]any{
		fieldText:             text,
		fieldWords:            text,
		fieldKeys:             append([]string{analysis.Key(p.Slug), analysis.Key(p.ID)}, names...),
		fieldStarts:           names,
		fieldGrams:            strings.Join(names, " "),
		fieldDate:             p.Updated,
		fieldSort:             fmt.Sprintf("%x", p.SortKey),
		columns[installation]: p.Installations,
		columns[manufacturer]: p.Maker,
		columns[epd]:          strconv.FormatBool(p.EPD),
		columns[purchasable]:  strconv.FormatBool(p.Purchasable),
	}
	if p.Category != "" {
		d[columns[category]] = p.Category
	}
	if p.Character != "" {
		d[columns[character]] = p.Character
	}
	if p.Fire != 0 {
		d[columns[fireClass]] = fireName(p.Fire)
	}
	if p.AlphaW != nil {
		d[fieldAlphaW] = *p.AlphaW
	}
	return d
}

func openBleve(dir string) (engine, error) {
	index, err := bleve.OpenUsing(blevePath(dir), map[string]any{"read_only": true})
	if err != nil {
		return nil, err
	}
	return &bleveIndex{index}, nil
}

func (b *bleveIndex) Close() error { return b.index.Close() }

func (b *bleveIndex) Ask(q *question) (answer, error) {
	if q.Task == taskNothing {
		return firstFound(func(t task) (answer, error) { return b.askFor(q, t) }, taskWords, taskTypos, taskSimilar)
	}
	return b.askFor(q, q.Task)
}

func (b *bleveIndex) askFor(q *question, t task) (answer, error) {
	text := bleveText(q.Query.Text, t)
	hits := restricted(text, &q.Query.Filters, families)
	request := bleve.NewSearchRequestOptions(hits, pageSize, pageSize*q.Query.Page, false)
	orderBleve(request, q, t)
	open := chosen(&q.Query.Filters)
	if q.Query.Facets {
		for f := range families {
			if !open[f] {
				addFacet(request, f)
			}
		}
	}
	result, err := b.index.Search(request)
	if err != nil {
		return answer{}, err
	}
	a := answer{IDs: make([]string, 0, len(result.Hits)), Total: int(result.Total)}
	for _, hit := range result.Hits {
		a.IDs = append(a.IDs, hit.ID)
	}
	if !q.Query.Facets {
		return a, nil
	}
	for f := range families {
		if !open[f] {
			a.Facets = appendFacet(a.Facets, f, result)
			continue
		}
		request := bleve.NewSearchRequestOptions(restricted(text, &q.Query.Filters, f), 0, 0, false)
		request.Score = "none"
		addFacet(request, f)
		alone, err := b.index.Search(request)
		if err != nil {
			return answer{}, err
		}
		a.Facets = appendFacet(a.Facets, f, alone)
	}
	return a, nil
}

// bleveText is what a task makes of a text, nil of none.
func bleveText(text string, t task) query.Query {
	key := analysis.Key(text)
	match := func(operator query.MatchQueryOperator) query.Query {
		m := bleve.NewMatchQuery(key)
		m.SetField(fieldText)
		m.SetOperator(operator)
		return m
	}
	switch t {
	case taskWords:
		whole := term(fieldKeys, key)
		whole.SetBoost(10)
		return bleve.NewDisjunctionQuery(match(query.MatchQueryOperatorAnd), whole)
	case taskPhrase:
		phrase := bleve.NewMatchPhraseQuery(key)
		phrase.SetField(fieldText)
		return phrase
	case taskPrefix:
		return term(fieldStarts, key)
	case taskPart:
		return bleve.NewConjunctionQuery(gramTerms(key)...)
	case taskTypos:
		return misspelt(key)
	case taskSimilar:
		grams := bleve.NewDisjunctionQuery(gramTerms(key)...)
		grams.SetMin(float64((len(grams.Disjuncts) + 1) / 2))
		return grams
	case taskAny:
		return match(query.MatchQueryOperatorOr)
	}
	return nil
}

func term(field, value string) *query.TermQuery {
	t := bleve.NewTermQuery(value)
	t.SetField(field)
	return t
}

// gramTerms asks for the trigrams of every word.
func gramTerms(key string) []query.Query {
	var terms []query.Query
	for _, word := range analysis.Words(key) {
		for _, gram := range trigrams(word) {
			terms = append(terms, term(fieldGrams, gram))
		}
	}
	return terms
}

func misspelt(key string) query.Query {
	var words []query.Query
	for _, word := range analysis.Words(key) {
		if edits := maxEdits(word); edits > 0 {
			fuzzy := bleve.NewFuzzyQuery(word)
			fuzzy.SetField(fieldWords)
			fuzzy.SetFuzziness(edits)
			words = append(words, fuzzy)
		} else {
			words = append(words, term(fieldWords, word))
		}
	}
	return bleve.NewConjunctionQuery(words...)
}

// restricted restricts a text, nil for everything, by all filters but those of one family.
func restricted(text query.Query, f *runtime.Filters, but family) query.Query {
	var filters []query.Query
	oneOf := func(in family, values []string) {
		if in == but || len(values) == 0 {
			return
		}
		var terms []query.Query
		for _, value := range values {
			terms = append(terms, term(columns[in], value))
		}
		if len(terms) == 1 {
			filters = append(filters, terms[0])
			return
		}
		filters = append(filters, bleve.NewDisjunctionQuery(terms...))
	}
	oneOf(category, f.Categories)
	oneOf(character, f.Characters)
	oneOf(installation, f.Installations)
	oneOf(manufacturer, f.Manufacturers)
	oneOf(fireClass, safest(f.FireClass))
	if f.HasEPD {
		oneOf(epd, []string{"true"})
	}
	if f.Purchasable {
		oneOf(purchasable, []string{"true"})
	}
	if f.AlphaWMin != nil || f.AlphaWMax != nil {
		inclusive := true
		alpha := bleve.NewNumericRangeInclusiveQuery(f.AlphaWMin, f.AlphaWMax, &inclusive, &inclusive)
		alpha.SetField(fieldAlphaW)
		filters = append(filters, alpha)
	}
	switch {
	case text == nil && len(filters) == 0:
		return bleve.NewMatchAllQuery()
	case text == nil:
		return bleve.NewConjunctionQuery(filters...)
	case len(filters) == 0:
		return text
	}
	both := bleve.NewBooleanQuery()
	both.AddMust(text)
	both.AddFilter(bleve.NewConjunctionQuery(filters...))
	return both
}

// orderBleve sets the order of the hits. A search by another order than the score's can use cheaper sets; without any order
// Bleve would stop at the end of the page, and not know the total.
func orderBleve(request *bleve.SearchRequest, q *question, t task) {
	byField := func(field string, desc bool, kind search.SortFieldType) {
		request.Score = "none"
		by := &search.SortField{Field: field, Desc: desc, Type: kind, Missing: search.SortFieldMissingLast}
		request.SortByCustom(search.SortOrder{by})
	}
	switch {
	case q.Query.Sort == runtime.SortAlphaDesc:
		byField(fieldAlphaW, true, search.SortFieldAsNumber)
	case q.Query.Sort == runtime.SortAlphaAsc:
		byField(fieldAlphaW, false, search.SortFieldAsNumber)
	case q.Query.Sort == runtime.SortName:
		byField(fieldSort, false, search.SortFieldAsString)
	case q.Query.Sort == runtime.SortDate || t == taskAll:
		byField(fieldDate, true, search.SortFieldAsNumber)
	}
}

func addFacet(request *bleve.SearchRequest, f family) {
	request.AddFacet(columns[f], bleve.NewFacetRequest(columns[f], 1000)) // more than any family has values
}

func appendFacet(counts []count, f family, result *bleve.SearchResult) []count {
	terms := result.Facets[columns[f]].Terms.Terms()
	if f == fireClass {
		var exactly [8]int
		for _, t := range terms {
			exactly[fireRank(t.Term)] = t.Count
		}
		return cumulated(counts, &exactly)
	}
	for _, t := range terms {
		counts = append(counts, count{f, t.Term, t.Count})
	}
	return counts
}

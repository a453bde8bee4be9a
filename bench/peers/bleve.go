package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/whitespace"
	"github.com/blevesearch/bleve/v2/mapping"
	bleveSearch "github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
	index "github.com/blevesearch/bleve_index_api"

	"sabine/indexes/analysis"
	"sabine/runtime"
)

// A bleveIndex is one segment, opened for reading, with the terms of terms.go in one field that keeps neither
// frequencies nor norms. A text is asked for without scores, which Bleve does by uniting and intersecting
// bitmaps: the number of hits first, then rung by rung the first hits of each, which stops as soon as the
// page is full. The steps:
//
//	strict   conjunctions of disjunctions of terms
//	apart    the same with the parts of compounds that no product has
//	typos    the same with the words and parts that fuzzy queries find: within one edit (4 to 7 letters) or two (8 and more)
//	similar  names that have a part of the text's trigrams, by score: there is no similarity
//	weighed  the documents of every word, read from its searcher, and weighed on our side: scores know other weights
//
// Filters are terms that do not score. Each family with a choice takes one more query for its counts.
type bleveIndex struct {
	index  bleve.Index
	reader index.IndexReader
}

// The fields beside those of the families.
const (
	fieldTerms  = "terms"
	fieldWords  = "words" // and parts of words, without digits, for fuzzy queries
	fieldGrams  = "grams" // trigrams of names and manufacturer
	fieldAlphaW = "alpha_w"
	fieldDate   = "updated"
	fieldSort   = "sort"
)

func bleveMapping() (*mapping.IndexMappingImpl, error) {
	m := bleve.NewIndexMapping()
	m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = false, false, false
	const analyzerTerms = "terms"
	err := m.AddCustomAnalyzer(analyzerTerms, map[string]any{
		"type": "custom", "tokenizer": whitespace.Name, "token_filters": []string{}, // nil is refused
	})
	if err != nil {
		return nil, err
	}
	text := func(analyzer string) *mapping.FieldMapping {
		return &mapping.FieldMapping{Type: "text", Analyzer: analyzer, Index: true, SkipFreqNorm: true}
	}
	d := bleve.NewDocumentStaticMapping()
	d.AddFieldMappingsAt(fieldTerms, text(analyzerTerms))
	d.AddFieldMappingsAt(fieldWords, text(analyzerTerms))
	grams := text(analyzerTerms)
	grams.SkipFreqNorm = false // without norms, all have one score
	d.AddFieldMappingsAt(fieldGrams, grams)
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

func buildBleve(dir, catalogue string) error {
	m, err := bleveMapping()
	if err != nil {
		return err
	}
	g, err := newGlossary(catalogue)
	if err != nil {
		return err
	}
	return indexBleve(dir, m, readProducts(catalogue), func(p *document) (id string, document map[string]any) {
		document = map[string]any{
			fieldTerms: strings.Join(g.terms(p), " "),
			fieldWords: strings.Join(g.correctable(p), " "),
			fieldGrams: strings.Join(gramsOf(p.searchedNames()), " "),
			fieldDate:  p.updated,
			fieldSort:  fmt.Sprintf("%x", p.sortKey),
		}
		for f, values := range p.values {
			document[columns[f]] = values
		}
		if p.alphaW != nil {
			document[fieldAlphaW] = *p.alphaW
		}
		return p.id, document
	})
}

// indexBleve uses the offline builder, which leaves one segment. Indexing in batches and merging them behind
// took as long, and did not always end in one.
func indexBleve[T any](dir string, m mapping.IndexMapping, products iter.Seq2[T, error],
	document func(T) (string, map[string]any)) error {
	builder, err := bleve.NewBuilder(filepath.Join(dir, "index"), m, map[string]any{"buildPathPrefix": dir})
	if err != nil {
		return err
	}
	for p, err := range products {
		if err != nil {
			return err
		}
		id, d := document(p)
		if err := builder.Index(id, d); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return builder.Close()
}

func openBleve(dir string) (engine, error) {
	b := &bleveIndex{}
	var err error
	if b.index, err = bleve.OpenUsing(filepath.Join(dir, "index"), map[string]any{"read_only": true}); err != nil {
		return b, err
	}
	advanced, err := b.index.Advanced()
	if err == nil {
		b.reader, err = advanced.Reader()
	}
	return b, err
}

func (b *bleveIndex) Close() error { return errors.Join(b.reader.Close(), b.index.Close()) }

func (b *bleveIndex) Ask(q *question) (answer, error) {
	if q.Query.Text != "" {
		return search(b, q)
	}
	choices := choices(&q.Query.Filters)
	request := bleve.NewSearchRequestOptions(restricted(&q.Query.Filters, families), pageSize, pageSize*q.Query.Page,
		false)
	order := bleveOrders[q.Query.Sort]
	request.SortByCustom(bleveSearch.SortOrder{&order})
	request.Score = bleve.ScoreNone
	addFacets(request, func(f family) bool { return q.Query.Facets && choices[f] == nil })
	result, err := b.index.Search(request)
	if err != nil {
		return answer{}, err
	}
	results := []*bleve.SearchResult{result}
	for f := range families {
		if q.Query.Facets && choices[f] != nil {
			alone, err := b.count(restricted(&q.Query.Filters, f), func(other family) bool { return other == f })
			if err != nil {
				return answer{}, err
			}
			results = append(results, alone)
		}
	}
	return found(results...), nil
}

// found returns the hits of the first of several results, and the counts of all.
func found(results ...*bleve.SearchResult) answer {
	a := answer{Total: int(results[0].Total)}
	a.facets = func() counts {
		c := counts{}
		for _, result := range results {
			for f := range families {
				if facet, ok := result.Facets[columns[f]]; ok {
					for _, t := range facet.Terms.Terms() {
						c.add(f, t.Term, t.Count)
					}
				}
			}
		}
		return c.cumulate()
	}
	a.addHits(results[0])
	return a
}

func (a *answer) addHits(result *bleve.SearchResult) {
	for _, hit := range result.Hits {
		a.add(hit.ID)
	}
}

// count counts hits and, of all of them, the values of some families.
func (b *bleveIndex) count(hits query.Query, facets func(family) bool) (*bleve.SearchResult, error) {
	request := bleve.NewSearchRequestOptions(hits, 0, 0, false)
	request.Score = bleve.ScoreNone
	addFacets(request, facets)
	return b.index.Search(request)
}

func (b *bleveIndex) near(word string, edits int) (words []string, err error) {
	dictionary, _, err := b.reader.(index.IndexReaderFuzzy).FieldDictFuzzyAutomaton(fieldWords, word, edits, "")
	if err != nil {
		return nil, err
	}
	entry, err := dictionary.Next()
	for ; err == nil && entry != nil; entry, err = dictionary.Next() {
		words = append(words, entry.Term)
	}
	return words, errors.Join(err, dictionary.Close())
}

func (b *bleveIndex) planned(p *plan, facets bool) (answer, error) {
	hits := bleveClause(p.hits)
	if p.key != "" {
		hits = anyOf([]query.Query{hits, term(fieldTerms, p.key)})
	}
	result, err := b.count(hits, func(family) bool { return facets })
	if err != nil || result.Total == 0 {
		return answer{}, err
	}
	a := found(result)
	for _, rung := range p.rungs {
		if err == nil && !a.full() {
			err = b.firstHits(&a, bleveClause(rung))
		}
	}
	if err == nil && !a.full() {
		err = b.firstHits(&a, hits)
	}
	return a, err
}

// firstHits adds the first hits in the order of the index: without scores and facets, Bleve stops when it has
// them.
func (b *bleveIndex) firstHits(a *answer, hits query.Query) error {
	request := bleve.NewSearchRequestOptions(hits, pageSize, 0, false)
	request.Score = bleve.ScoreNone
	result, err := b.index.Search(request)
	if err == nil {
		a.addHits(result)
	}
	return err
}

func bleveClause(c clause) query.Query {
	words := make([]query.Query, len(c))
	for i, forms := range c {
		alternatives := make([]query.Query, len(forms))
		for j, f := range forms {
			together := make([]query.Query, len(f))
			for k := range f {
				together[k] = term(fieldTerms, f[k])
			}
			alternatives[j] = allOf(together)
		}
		words[i] = anyOf(alternatives)
	}
	return allOf(words)
}

func allOf(all []query.Query) query.Query {
	if len(all) == 1 {
		return all[0]
	}
	return bleve.NewConjunctionQuery(all...)
}

func anyOf(all []query.Query) query.Query {
	if len(all) == 1 {
		return all[0]
	}
	return bleve.NewDisjunctionQuery(all...)
}

func term(field, value string) *query.TermQuery {
	t := bleve.NewTermQuery(value)
	t.SetField(field)
	return t
}

// similar takes a name for similar from a share of the trigrams on that has as many hits as a similarity of
// 0.3.
func (b *bleveIndex) similar(key string, facets bool) (answer, error) {
	var grams []query.Query
	for _, gram := range gramsOf([]string{key}) {
		grams = append(grams, term(fieldGrams, gram))
	}
	hits := bleve.NewDisjunctionQuery(grams...)
	hits.SetMin(math.Ceil(float64(len(grams)) * similarShare))
	request := bleve.NewSearchRequestOptions(hits, pageSize, 0, false)
	addFacets(request, func(family) bool { return facets })
	result, err := b.index.Search(request)
	if err != nil {
		return answer{}, err
	}
	return found(result), nil
}

const similarShare = 0.5

// gramsOf returns the trigrams of keys as pg_trgm has them, as terms without blanks, each once.
func gramsOf(keys []string) []string {
	var grams []string
	for _, key := range keys {
		for _, gram := range analysis.Trigrams(nil, key) {
			grams = append(grams, keyTerm("", gram.String()))
		}
	}
	slices.Sort(grams)
	return slices.Compact(grams)
}

// weighed adds up for every document what the words weigh that it holds. Facets are those of a query that
// names all hits.
func (b *bleveIndex) weighed(p *plan, facets bool) (answer, error) {
	all, err := b.reader.DocCount()
	if err != nil {
		return answer{}, err
	}
	sums, long, best := make([]int, all), make([]bool, all), 0
	for i, word := range p.words {
		held, err := b.holding(p.hits[i : i+1])
		if err != nil {
			return answer{}, err
		}
		weight := int(math.Round(64 * math.Log(1+float64(all)/float64(len(held)))))
		for _, doc := range held {
			sums[doc] += weight
			long[doc] = long[doc] || isLong(word)
		}
	}
	for doc, sum := range sums {
		if long[doc] {
			best = max(best, sum)
		}
	}
	var hits []uint64
	for doc, sum := range sums {
		if long[doc] && 2*sum >= best {
			hits = append(hits, uint64(doc))
		}
	}
	slices.SortStableFunc(hits, func(a, b uint64) int { return cmp.Compare(sums[b], sums[a]) })
	a := answer{Total: len(hits)}
	if !facets {
		hits = hits[:min(len(hits), pageSize)]
	}
	var ids []string
	for _, doc := range hits {
		id, err := b.reader.ExternalID(index.NewIndexInternalID(nil, doc))
		if err != nil {
			return answer{}, err
		}
		a.add(id)
		ids = append(ids, id)
	}
	if facets && a.Total > 0 {
		named, err := b.count(query.NewDocIDQuery(ids), func(family) bool { return true })
		if err != nil {
			return answer{}, err
		}
		a.facets = found(named).facets
	}
	return a, nil
}

// holding returns the numbers of the documents that a clause finds.
func (b *bleveIndex) holding(c clause) (docs []uint64, err error) {
	ctx := context.Background()
	searcher, err := bleveClause(c).Searcher(ctx, b.reader, b.index.Mapping(),
		bleveSearch.SearcherOptions{Score: bleve.ScoreNone})
	if err != nil {
		return nil, err
	}
	matches := &bleveSearch.SearchContext{DocumentMatchPool: bleveSearch.NewDocumentMatchPool(
		searcher.DocumentMatchPoolSize(), 0)}
	match, err := searcher.Next(matches)
	for ; err == nil && match != nil; match, err = searcher.Next(matches) {
		docs = append(docs, match.IndexInternalID.Value())
		matches.DocumentMatchPool.Put(match)
	}
	return docs, errors.Join(err, searcher.Close())
}

// restricted asks for everything that passes all filters but those of one family.
func restricted(f *runtime.Filters, but family) query.Query {
	var filters []query.Query
	for in, values := range choices(f) {
		if family(in) == but || len(values) == 0 {
			continue
		}
		var terms []query.Query
		for _, value := range values {
			terms = append(terms, term(columns[in], value))
		}
		filters = append(filters, anyOf(terms))
	}
	if f.AlphaWMin != nil || f.AlphaWMax != nil {
		inclusive := true
		alpha := bleve.NewNumericRangeInclusiveQuery(f.AlphaWMin, f.AlphaWMax, &inclusive, &inclusive)
		alpha.SetField(fieldAlphaW)
		filters = append(filters, alpha)
	}
	if len(filters) == 0 {
		return bleve.NewMatchAllQuery()
	}
	return bleve.NewConjunctionQuery(filters...)
}

// bleveOrders are those of what has no text. A search by another order than the score's can use cheaper sets;
// without any order Bleve would stop at the end of the page, and not know the total.
var bleveOrders = map[runtime.Sort]bleveSearch.SortField{
	runtime.SortDefault:   {Field: fieldDate, Desc: true, Type: bleveSearch.SortFieldAsNumber},
	runtime.SortDate:      {Field: fieldDate, Desc: true, Type: bleveSearch.SortFieldAsNumber},
	runtime.SortAlphaDesc: {Field: fieldAlphaW, Desc: true, Type: bleveSearch.SortFieldAsNumber},
	runtime.SortAlphaAsc:  {Field: fieldAlphaW, Type: bleveSearch.SortFieldAsNumber},
	runtime.SortName:      {Field: fieldSort, Type: bleveSearch.SortFieldAsString},
}

func addFacets(request *bleve.SearchRequest, wanted func(family) bool) {
	for f := range families {
		if wanted(f) {
			request.AddFacet(columns[f], bleve.NewFacetRequest(columns[f], 1000)) // more than any family has values
		}
	}
}

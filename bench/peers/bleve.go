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

	"sabine/bench/step"
	"sabine/runtime"
)

// A bleveIndex is an index with one segment, opened for reading. One field contains the terms defined in
// terms.go, without frequencies or norms. Text searches do not score, so Bleve merges and intersects bitmaps.
// It does this once for the number of hits, and then tier by tier until the page is full. The steps are:
//
//	strict   conjunctions of disjunctions of terms
//	apart    like strict, with the parts of each compound that no product contains
//	typos    like strict, with words and parts from fuzzy queries: within one edit (4 to 7 letters) or two
//	similar  names with enough of the text's trigrams, by score, since Bleve has no similarity
//	weighed  documents for every word, read from Bleve's searcher and weighed in this program
//
// Filters are terms without scores. The counts of each family with a filter need an additional query.
type bleveIndex struct {
	index  bleve.Index
	reader index.IndexReader
}

// Names of the fields that are not families.
const (
	fieldTerms  = "terms"
	fieldWords  = "words" // words and parts of words, without digits, for fuzzy queries
	fieldGrams  = "grams" // trigrams of names and manufacturers
	fieldAlphaW = "alpha_w"
	fieldDate   = "updated"
	fieldSort   = "sort"
)

func bleveMapping() *mapping.IndexMappingImpl {
	m := bleve.NewIndexMapping()
	m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = false, false, false
	const byBlanks = "by blanks"
	step.Check(m.AddCustomAnalyzer(byBlanks, map[string]any{
		"type": "custom", "tokenizer": whitespace.Name, "token_filters": []string{}, // nil is an error
	}))
	fields := map[string]mapping.FieldMapping{
		fieldTerms:  {Type: "text", Analyzer: byBlanks, Index: true, SkipFreqNorm: true},
		fieldWords:  {Type: "text", Analyzer: byBlanks, Index: true, SkipFreqNorm: true},
		fieldGrams:  {Type: "text", Analyzer: byBlanks, Index: true}, // all scores are equal without norms
		fieldAlphaW: {Type: "number", Index: true, DocValues: true},
		fieldDate:   {Type: "number", DocValues: true},
		fieldSort:   {Type: "text", Analyzer: keyword.Name, DocValues: true},
	}
	for _, name := range columns {
		fields[name] = mapping.FieldMapping{Type: "text", Analyzer: keyword.Name, Index: true, SkipFreqNorm: true,
			DocValues: true}
	}
	m.DefaultMapping = bleve.NewDocumentStaticMapping()
	for name, f := range fields {
		m.DefaultMapping.AddFieldMappingsAt(name, &f)
	}
	return m
}

func buildBleve(dir, catalogue string) {
	g := newGlossary(readProducts(catalogue))
	indexBleve(dir, bleveMapping(), readProducts(catalogue), func(p *document) (id string, document map[string]any) {
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

// indexBleve uses Bleve's offline builder, which writes one segment. Indexing in batches and then merging
// took as long, and did not always end with one segment.
func indexBleve[T any](dir string, m mapping.IndexMapping, products iter.Seq[T],
	document func(T) (string, map[string]any)) {
	builder := step.Must(bleve.NewBuilder(filepath.Join(dir, "index"), m, map[string]any{"buildPathPrefix": dir}))
	for p := range products {
		id, d := document(p)
		step.Check(builder.Index(id, d), id)
	}
	step.Check(builder.Close())
}

func openBleve(dir string) *bleveIndex {
	opened := step.Must(bleve.OpenUsing(filepath.Join(dir, "index"), map[string]any{"read_only": true}))
	return &bleveIndex{opened, step.Must(step.Must(opened.Advanced()).Reader())}
}

func (b *bleveIndex) Close() error { return errors.Join(b.reader.Close(), b.index.Close()) }

// ranked returns a request for the given number of hits; unranked returns one without scores.
func ranked(hits query.Query, size int) *bleve.SearchRequest {
	return bleve.NewSearchRequestOptions(hits, size, 0, false)
}

func unranked(hits query.Query, size int) *bleve.SearchRequest {
	request := ranked(hits, size)
	request.Score = bleve.ScoreNone
	return request
}

// find runs a request and returns its hits, with counts over all hits for the families that facets selects.
func (b *bleveIndex) find(request *bleve.SearchRequest, facets func(family) bool) *bleve.SearchResult {
	for f := range families {
		if facets(f) {
			request.AddFacet(columns[f], bleve.NewFacetRequest(columns[f], 1000)) // more than any family has values
		}
	}
	return step.Must(b.index.Search(request))
}

func everyFamily(wanted bool) func(family) bool { return func(family) bool { return wanted } }

func (b *bleveIndex) Ask(q *runtime.Query) answer {
	if q.Text != "" {
		return search(b, q)
	}
	var results []*bleve.SearchResult
	eachCount(q, func(but family, wanted func(family) bool) {
		request := unranked(restricted(&q.Filters, but), 0)
		if order := bleveOrders[q.Sort]; but == families {
			request.Size, request.From = pageSize, pageSize*q.Page
			request.SortByCustom(bleveSearch.SortOrder{&order})
		}
		results = append(results, b.find(request, wanted))
	})
	return found(results...)
}

// found returns the hits of the first result and the counts of all results.
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

func (b *bleveIndex) near(word string, edits int) (words []string) {
	dictionary, _, err := b.reader.(index.IndexReaderFuzzy).FieldDictFuzzyAutomaton(fieldWords, word, edits, "")
	step.Check(err)
	entry, err := dictionary.Next()
	for ; err == nil && entry != nil; entry, err = dictionary.Next() {
		words = append(words, entry.Term)
	}
	step.Check(errors.Join(err, dictionary.Close()))
	return words
}

// planned adds the hits of each tier in index order. Without scores and facets, Bleve stops as soon as it has
// enough hits.
func (b *bleveIndex) planned(p *plan, facets bool) answer {
	hits := bleveTier(tier{clause: p.hits})
	if p.key != "" {
		hits = anyOf([]query.Query{hits, term(fieldTerms, p.key)})
	}
	a := found(b.find(unranked(hits, 0), everyFamily(facets)))
	for i := 0; i <= len(p.tiers) && !a.full(); i++ {
		tier := hits
		if i < len(p.tiers) {
			tier = bleveTier(p.tiers[i])
		}
		a.addHits(b.find(unranked(tier, pageSize), everyFamily(false)))
	}
	return a
}

func bleveTier(r tier) query.Query {
	return written(r, allOf, anyOf, func(t string) query.Query { return term(fieldTerms, t) })
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

func term(field, value string) query.Query {
	t := bleve.NewTermQuery(value)
	t.SetField(field)
	return t
}

// similar requires half of the key's trigrams. It finds as many names as a similarity of 0.3.
func (b *bleveIndex) similar(key string, facets bool) answer {
	var grams []query.Query
	for _, gram := range gramsOf([]string{key}) {
		grams = append(grams, term(fieldGrams, gram))
	}
	hits := bleve.NewDisjunctionQuery(grams...)
	hits.SetMin(math.Ceil(float64(len(grams)) / 2))
	return found(b.find(ranked(hits, pageSize), everyFamily(facets)))
}

// weighed sums, for every document, the weights of the words that the document contains. A query for the ids
// of all hits returns the facet counts.
func (b *bleveIndex) weighed(p *plan, facets bool) answer {
	all := step.Must(b.reader.DocCount())
	sums, long, best := make([]int, all), make([]bool, all), 0
	for i, word := range p.words {
		held := b.holding(p.hits[i : i+1])
		weight := int(math.Round(64 * math.Log(1+float64(all)/float64(len(held)))))
		for _, doc := range held {
			sums[doc] += weight
			long[doc] = long[doc] || isLong(word)
		}
	}
	for doc := range sums {
		if !long[doc] {
			sums[doc] = 0
		}
		best = max(best, sums[doc])
	}
	var hits []uint64
	for doc, sum := range sums {
		if sum > 0 && 2*sum >= best {
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
		id := step.Must(b.reader.ExternalID(index.NewIndexInternalID(nil, doc)))
		a.add(id)
		ids = append(ids, id)
	}
	if facets && a.Total > 0 {
		a.facets = found(b.find(unranked(query.NewDocIDQuery(ids), 0), everyFamily(true))).facets
	}
	return a
}

func (b *bleveIndex) holding(c clause) (docs []uint64) {
	searcher := step.Must(bleveTier(tier{clause: c}).Searcher(context.Background(), b.reader, b.index.Mapping(),
		bleveSearch.SearcherOptions{Score: bleve.ScoreNone}))
	pool := bleveSearch.NewDocumentMatchPool(searcher.DocumentMatchPoolSize(), 0)
	matches := &bleveSearch.SearchContext{DocumentMatchPool: pool}
	match, err := searcher.Next(matches)
	for ; err == nil && match != nil; match, err = searcher.Next(matches) {
		docs = append(docs, match.IndexInternalID.Value())
		pool.Put(match)
	}
	step.Check(errors.Join(err, searcher.Close()))
	return docs
}

// restricted returns a query for all products that pass the filters other than the filter of but.
func restricted(f *runtime.Filters, but family) query.Query {
	var filters []query.Query
	for in, values := range choices(f) {
		var terms []query.Query
		for _, value := range values {
			terms = append(terms, term(columns[in], value))
		}
		if family(in) != but && terms != nil {
			filters = append(filters, anyOf(terms))
		}
	}
	if f.AlphaWMin != nil {
		alpha := bleve.NewNumericRangeQuery(f.AlphaWMin, nil) // inclusive
		alpha.SetField(fieldAlphaW)
		filters = append(filters, alpha)
	}
	if len(filters) == 0 {
		return bleve.NewMatchAllQuery()
	}
	return bleve.NewConjunctionQuery(filters...)
}

// bleveOrders contains the orders for questions without a text. If the order is not by score, Bleve can use
// cheaper sets. Without an order, Bleve would stop at the end of the page, before it knows the total.
var bleveOrders = map[runtime.Sort]bleveSearch.SortField{
	runtime.SortDefault:   {Field: fieldDate, Desc: true, Type: bleveSearch.SortFieldAsNumber},
	runtime.SortDate:      {Field: fieldDate, Desc: true, Type: bleveSearch.SortFieldAsNumber},
	runtime.SortAlphaDesc: {Field: fieldAlphaW, Desc: true, Type: bleveSearch.SortFieldAsNumber},
	runtime.SortAlphaAsc:  {Field: fieldAlphaW, Type: bleveSearch.SortFieldAsNumber},
	runtime.SortName:      {Field: fieldSort, Type: bleveSearch.SortFieldAsString},
}

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

	firstFault error // since failed was called
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
	const byBlanks = "by blanks"
	err := m.AddCustomAnalyzer(byBlanks, map[string]any{
		"type": "custom", "tokenizer": whitespace.Name, "token_filters": []string{}, // nil is refused
	})
	d := bleve.NewDocumentStaticMapping()
	for name, f := range map[string]mapping.FieldMapping{
		fieldTerms:  {Type: "text", Analyzer: byBlanks, Index: true, SkipFreqNorm: true},
		fieldWords:  {Type: "text", Analyzer: byBlanks, Index: true, SkipFreqNorm: true},
		fieldGrams:  {Type: "text", Analyzer: byBlanks, Index: true}, // without norms, all have one score
		fieldAlphaW: {Type: "number", Index: true, DocValues: true},
		fieldDate:   {Type: "number", DocValues: true},
		fieldSort:   {Type: "text", Analyzer: keyword.Name, DocValues: true},
	} {
		d.AddFieldMappingsAt(name, &f)
	}
	for _, name := range columns {
		d.AddFieldMappingsAt(name,
			&mapping.FieldMapping{Type: "text", Analyzer: keyword.Name, Index: true, SkipFreqNorm: true, DocValues: true})
	}
	m.DefaultMapping = d
	return m, err
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

func (b *bleveIndex) failed() (err error) {
	err, b.firstFault = b.firstFault, nil
	return err
}

// keep keeps the first error.
func (b *bleveIndex) keep(err error) {
	if b.firstFault == nil {
		b.firstFault = err
	}
}

// run returns what a request finds, nothing after an error.
func (b *bleveIndex) run(request *bleve.SearchRequest) *bleve.SearchResult {
	result, err := b.index.Search(request)
	if err != nil {
		b.keep(err)
		return &bleve.SearchResult{}
	}
	return result
}

func (b *bleveIndex) Ask(q *runtime.Query) (answer, error) {
	if q.Text != "" {
		return search(b, q)
	}
	var results []*bleve.SearchResult
	eachCount(q, func(but family, wanted func(family) bool) {
		hits := restricted(&q.Filters, but)
		if but < families {
			results = append(results, b.count(hits, wanted))
			return
		}
		request := bleve.NewSearchRequestOptions(hits, pageSize, pageSize*q.Page, false)
		order := bleveOrders[q.Sort]
		request.SortByCustom(bleveSearch.SortOrder{&order})
		request.Score = bleve.ScoreNone
		addFacets(request, wanted)
		results = append(results, b.run(request))
	})
	return found(results...), b.failed()
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
func (b *bleveIndex) count(hits query.Query, facets func(family) bool) *bleve.SearchResult {
	request := bleve.NewSearchRequestOptions(hits, 0, 0, false)
	request.Score = bleve.ScoreNone
	addFacets(request, facets)
	return b.run(request)
}

func (b *bleveIndex) near(word string, edits int) (words []string) {
	dictionary, _, err := b.reader.(index.IndexReaderFuzzy).FieldDictFuzzyAutomaton(fieldWords, word, edits, "")
	if err != nil {
		b.keep(err)
		return nil
	}
	entry, err := dictionary.Next()
	for ; err == nil && entry != nil; entry, err = dictionary.Next() {
		words = append(words, entry.Term)
	}
	b.keep(errors.Join(err, dictionary.Close()))
	return words
}

func (b *bleveIndex) planned(p *plan, facets bool) answer {
	hits := bleveClause(p.hits)
	if p.key != "" {
		hits = anyOf([]query.Query{hits, term(fieldTerms, p.key)})
	}
	result := b.count(hits, func(family) bool { return facets })
	if result.Total == 0 {
		return answer{}
	}
	a := found(result)
	for _, rung := range p.rungs {
		b.firstHits(&a, bleveClause(rung))
	}
	b.firstHits(&a, hits)
	return a
}

// firstHits adds the first hits in the order of the index, unless the page is full: without scores and facets, Bleve
// stops when it has them.
func (b *bleveIndex) firstHits(a *answer, hits query.Query) {
	if !a.full() {
		request := bleve.NewSearchRequestOptions(hits, pageSize, 0, false)
		request.Score = bleve.ScoreNone
		a.addHits(b.run(request))
	}
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
func (b *bleveIndex) similar(key string, facets bool) answer {
	var grams []query.Query
	for _, gram := range gramsOf([]string{key}) {
		grams = append(grams, term(fieldGrams, gram))
	}
	hits := bleve.NewDisjunctionQuery(grams...)
	hits.SetMin(math.Ceil(float64(len(grams)) * similarShare))
	request := bleve.NewSearchRequestOptions(hits, pageSize, 0, false)
	addFacets(request, func(family) bool { return facets })
	return found(b.run(request))
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
func (b *bleveIndex) weighed(p *plan, facets bool) answer {
	all, err := b.reader.DocCount()
	b.keep(err)
	sums, long, best := make([]int, all), make([]bool, all), 0
	for i, word := range p.words {
		held := b.holding(p.hits[i : i+1])
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
		b.keep(err)
		a.add(id)
		ids = append(ids, id)
	}
	if facets && a.Total > 0 {
		a.facets = found(b.count(query.NewDocIDQuery(ids), func(family) bool { return true })).facets
	}
	return a
}

// holding returns the numbers of the documents that a clause finds.
func (b *bleveIndex) holding(c clause) (docs []uint64) {
	searcher, err := bleveClause(c).Searcher(context.Background(), b.reader, b.index.Mapping(),
		bleveSearch.SearcherOptions{Score: bleve.ScoreNone})
	if err != nil {
		b.keep(err)
		return nil
	}
	matches := &bleveSearch.SearchContext{DocumentMatchPool: bleveSearch.NewDocumentMatchPool(
		searcher.DocumentMatchPoolSize(), 0)}
	match, err := searcher.Next(matches)
	for ; err == nil && match != nil; match, err = searcher.Next(matches) {
		docs = append(docs, match.IndexInternalID.Value())
		matches.DocumentMatchPool.Put(match)
	}
	b.keep(errors.Join(err, searcher.Close()))
	return docs
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

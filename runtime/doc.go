// Package runtime answers queries from an open generation: lookups, searches, facets and pages of JSON. A
// generation is one open snapshot. The package also selects the current generation and replaces it while
// requests run. Each request uses the generation that it acquired until it ends.
//
// The package contains no HTTP code and reads no source records. All its data comes from the snapshot.
//
// Start with query.go, which defines queries and results. Then read search.go, which runs a query.
//
// The files form layers, from the top down. A file uses its own layer and the layers below it:
//
//	current     current.go: acquires the current generation for a request, replaces it, closes the old one
//	            watch.go: detects changes in the folder; compares the content hash with the file name
//	            history.go: opens older generations that requests need
//	search      open.go: opens a generation and verifies it with a first query
//	            search.go: runs a query. selection.go: finds the hits on all pages, for exports
//	            explain.go: explains the hits. explain_match.go: the texts and words that match
//	            explain_needs.go: the measurements that meet the needs. explain_order.go: the sort keys
//	generation  generation.go: counts the references; unmaps the file after the last release
//	            lookups.go: ids, slugs, vocabularies. bodies.go: the JSON of a product
//	            match_json.go: hits with the matching measurement, as JSON and as Go values
//	            changes.go: compares the products of two generations
//	results     engine.go: data and buffers that queries share. filters.go: the documents of each filter
//	            facets.go: counts each value of each facet family
//	            pages.go: a page in any order except relevance
//	ranking     ranking.go: a page in the order of relevance, tier by tier, until the page is full
//	            ranking_fields.go: the order by field and kind of match
//	            ranking_similar.go, ranking_weight.go: the order of the last two fallbacks
//	needs       need_finder.go: compares the needs with a measurement; finds the products that meet them
//	            need_match.go: selects the best measurement of a product; sorts the hits by it
//	            need_facets.go: counts the classes, mountings and source kinds of measurements
//	matching    match.go: the documents that match a text; calls the files below until one finds something
//	            strict.go: exact, prefix, category, phrase and full-text matches
//	            fuzzy.go: misspelled words. similar.go: similar names. weight.go: some of the words
//	            scope.go: restricts a search to few documents. word_docs.go: documents that contain a word
//	memory      arena.go: buffers for sets of documents, which are reused
//	parsing     parsed.go: a parsed query; the edit distance allowed for a word
//	            match_kind.go: the kinds of matches, best first
//	            reader.go: parses a text. synonyms.go: adds synonyms. compound.go: splits compounds
//	types       query.go: queries, filters, results. needs.go: bounds on measurements. room.go: a room
//
// A step does not change the result of an earlier step, with two exceptions. Matching changes the parsed
// query (chooseParts, splitCompounds, readMisspelt). Ranking adds counts to nameTally and weighing.
//
// # Tuned numbers
//
// These numbers affect the speed, not the results. Each balances two methods or costs. The last column lists
// the slowdown with other values: "none: exact 3.2" means that exact queries take 3.2 times as long without
// the optimization. "-" means that the number was not measured separately.
//
//	number         value  balances                                            slowdown
//	narrowShare    1/128  sets of few candidates, or of the whole catalogue   none: description words 5.1,
//	                                                                          exact 3.2, manufacturer and word
//	                                                                          2.4, sentence 1.7; 1/64:
//	                                                                          manufacturer and word 1.3
//	nearShare      1/512  the same for corrections, which may not match       none: one typo 2.1; 1/128: 1.1
//	narrowMin      64     narrow scopes in small catalogues                   -
//	listMax        512    collecting and sorting documents, or a set          none: description words 1.37,
//	                                                                          exact 1.35
//	fewShare       2      scoring matches, or scoring names                   names: garbled name 1.1, part of a
//	                                                                          name that finds few names 3.5;
//	                                                                          matches: 1.2, or 3 for a part of a
//	                                                                          name that finds a third of them
//	nameSteps      1/5,   skipping names with a low similarity, or reading    -
//	               1/10,  names that the page does not need
//	               1/20
//	namesEach      2      scoring names again, or scoring too many            -
//	scoreCapacity  2      memory for scores, or more frequent sorting         -
//	markCost       4      walking an order, or marking positions              -
//	wordsEach      64     marking positions, or sorting them                  -
//	columnCost     2      counting a column, or intersecting sets             sets only: exact, facets 2.8;
//	                                                                          columns only: purchasable, facets
//	                                                                          5.2; 1: purchasable, facets 1.7
//	valueCost      8      reading a column, or adding sets                    sets only: word, half of the
//	                                                                          manufacturers 1.75
//	maxBlocks      32     retained memory, or new allocations                 none: exact 1.2, and garbage
//	sampled        1/16   reading all entries to drop distant ones, or not    none: nearest to a curve 2.9
//	entriesEach    20     reading all entries, or only those of hits          none: target on 3,000 hits 1.6
//	narrowFrom     1/4    dropping distant entries, or reading few            none: target on 10,000 hits 1.2
//	bestCapacity   512    memory for hits, or more frequent sorting           -
//
// Most slowdowns are ratios of instruction counts for 99,051 products. Other load on the machine does not
// change these counts. The comment of package indexes describes how to count. The slowdowns of sampled and
// valueCost are ratios of time, as are those of garbled names and few names in fewShare. Few names and
// valueCost were measured with 20,000 products. To measure time, alternate both values:
//
//	BENCH_PRODUCTS=100000 go test ./bench -ldflags=-funcalign=64 -run '^$' -bench 'Search/100k/two_typos$'
package runtime

// Package runtime answers questions from one opened generation: lookups, search, facets, pages of ready JSON; and it
// knows which generation is current and swaps it under running requests.
//
// It never speaks HTTP and never sees source records: a snapshot describes itself.
//
// Read query.go first, then search.go, which is the way of a query. Each step makes one thing, to which later steps do not
// write:
//
//	reader.go     a parsedQuery (parsed.go): the words of the text, and for each the ways in which a field can hold it, of the
//	              kinds in matchkind.go; synonyms.go has those that mean the same
//	match.go      a match: the documents that the text matches, and what was found out on the way. strict.go has the strict
//	              buckets, fuzzy.go and similar.go the fallbacks; scope.go decides where to look: in few documents when the
//	              words leave no more, else in the whole catalogue
//	filters.go    what of that passes the filters
//	ranking.go    the page in the order of relevance, rung by rung, and no further than it goes: ranking_fields.go by fields and
//	              kinds of match, ranking_similar.go by similarity. pages.go has the other orders
//	facets.go     what the filters' values would find
//
// A set of documents is a docset.Dense of an arena (arena.go), which is of one scope; what holds a word there is in
// holding.go. explain.go ranks a page once more and tells the rung of every hit: why it is one in explain_match.go, what its
// place comes from in explain_order.go.
//
// engine.go has what outlives a query. generation.go and bodies.go are the lookups and the JSON; hold.go is the life of a
// generation, current.go which one is in force, watch.go when that is asked again, hashing.go whether its content is what
// its name states.
//
// # Tuned numbers
//
// None of these changes an answer. Each is a trade whose best place was measured, with the time that it takes on one side
// of the trade as a share of that on the other, for the class of questions that it is for:
//
//	number       value   trades                                            measured
//	narrowShare  1/64    narrow scopes against sets of the catalogue       exact 0.54 (45 of 83 µs)
//	narrowLeast  64      the same in small catalogues                      not measured alone
//	narrowMost   16384   the same in large catalogues                      a million products: description words 0.16 (0.17 of
//	                                                                       1.09 ms at 2,048), numbers 0.55, manufacturer 0.49
//	nearShare    1/512   the same for corrections, which are no matches    two typos: 1/1024 1.00, 1/200 1.01, 1/64 1.16
//	rankShare    1/128   another scope for ranking against the old one     other language 0.72; one word 1.2, so that has none
//	listMost     512     gathering and sorting documents against a set     vocabulary 0.55, together with allHold
//	manyTerms    64      remembering a union of terms against making it    not measured alone
//	fewShare     2       scoring matches against scoring names             equal at 440 matches
//	placeCost    16      walking an order against sorting places           2 to 3 ns a place walked, 35 to 70 a hit sorted
//	columnCost   2       counting a column against intersecting sets       one document of a column is two words of a set
//	maxBlocks    32      memory between queries against making it anew     ordinary queries need about ten
//
// Measured on 99,051 products where nothing else is said, one side after the other in turns, by
//
//	BENCH_PRODUCTS=100000 go test ./bench -ldflags=-funcalign=64 -run '^$' -bench 'Search/100k/two_typos$'
package runtime

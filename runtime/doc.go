// Package runtime answers questions from one opened generation: lookups, search, facets, pages of ready JSON; and it
// knows which generation is current and swaps it under running requests.
//
// It never speaks HTTP and never sees source records: a snapshot describes itself.
//
// Read query.go first, then search.go, which is the way of a query. Each step makes one thing, to which later steps do not
// write, but for the nameTally of a match, which counts names when it is asked:
//
//	reader.go     a parsedQuery (parsed.go): the words of the text, and for each the ways in which a field can hold it, of the
//	              kinds in match_kind.go; synonyms.go has those that mean the same
//	compound.go   what of that are compounds of the query, held by their parts
//	match.go      a match: the documents that the text matches, and what was found out on the way. strict.go has the strict
//	              buckets, fuzzy.go, similar.go and weight.go the fallbacks; scope.go decides where to look: in few documents
//	              when the words leave no more, else in the whole catalogue
//	filters.go    what of that passes the filters; need_finder.go, those of measured values (needs.go), and need_match.go, for
//	              which set-up a product does, with the orders by margin and distance
//	ranking.go    the page in the order of relevance, rung by rung, and no further than it goes: ranking_fields.go by fields and
//	              kinds of match, ranking_similar.go by similarity, ranking_weight.go by weight. pages.go has the other orders
//	facets.go     what the filters' values would find
//
// A set of documents is a docset.Dense of an arena (arena.go), which is of one scope; what holds a word there is in
// holding.go. explain.go ranks a page once more and tells the rung of every hit: why it is one in explain_match.go, what its
// place comes from in explain_order.go, which measurements meet its needs in explain_needs.go. selection.go has all that a query
// finds, for exports.
//
// engine.go has what outlives a query. lookups.go, bodies.go and match_json.go are the lookups and the JSON, hits.go is a page
// for Go code. changes.go has what two generations do not share of what is served.
// generation.go is the life of a generation, current.go which one is in force, past.go the older ones of the folder, watch.go
// when that is asked again, hashing.go whether its content is what its name states.
//
// # Tuned numbers
//
// None of these changes an answer. Each is a trade whose best place was measured. The gain is how many times as long the
// named class of questions takes when the number is set so that the one side always wins, or to the value that is named:
//
//	number       value  trades                                             gain
//	narrowShare  1/128  narrow scopes against sets of the catalogue        none: description words 5.1, exact 3.2, manufacturer
//	                                                                       and word 2.4, sentence 1.7; 1/64: manufacturer and word 1.3
//	nearShare    1/512  the same for corrections, which are no matches     none: one typo 2.1; 1/128: one typo 1.1
//	narrowLeast  64     narrow scopes in catalogues of few products too    not measured alone
//	listMost     512    gathering and sorting documents against a set      none: description words 1.37, exact 1.35
//	fewShare     2      scoring matches against scoring names              names alone: no more; matches alone: garbled name 1.2,
//	                                                                       and 3 where a stretch inside a name finds a third of the
//	                                                                       products
//	nameSteps    1/5,   passing by names that are not similar enough yet   not measured alone
//	             1/10,  against looking at names that the page does not
//	             1/20   need
//	namesEach    2      scoring names once more against scoring too many   not measured alone
//	scoreRoom    2      memory of scores against sorting them more often   not measured alone
//	placeCost    16     walking an order against sorting places            never walking: 50 for a tenth of the products; always: 10
//	                                                                       for one in 200; 1: 5 for a tenth (BenchmarkPageInOrder)
//	columnCost   2      counting a column against intersecting sets        sets alone: exact, facets 2.8; columns alone:
//	                                                                       purchasable, facets 5.2; 1: purchasable, facets 1.7
//	maxBlocks    32     memory between queries against making it anew      none: exact 1.2, and what is made anew is garbage
//	sampled      1/16   a look at all entries against dropping far ones    never dropping: nearest to a curve 2.9
//	keptRoom     512    memory of hits against sorting them more often     not measured alone
//
// Counted in instructions, which other work on the machine does not change, on 99,051 products where nothing else is said;
// placeCost, sampled and the garbled names of fewShare in time. How instructions are counted is told where package indexes has
// its tuned numbers; times are those of both sides, one after the other in turns, by
//
//	BENCH_PRODUCTS=100000 go test ./bench -ldflags=-funcalign=64 -run '^$' -bench 'Search/100k/two_typos$'
package runtime

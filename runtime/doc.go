// Package runtime answers questions from one opened generation: lookups, search, facets, pages of ready JSON;
// and it knows which generation is current and swaps it under running requests.
//
// It never speaks HTTP and never sees source records: a snapshot describes itself.
//
// Read query.go first, then search.go, which is the way of a query. The files stand in rooms, here from the
// top down: files of a room may use each other, and a room uses those below it, never one above.
//
//	following   current.go: which generation is in force; past.go: the older ones; watch.go: when to look
//	            again, and whether the content is what the name states
//	asking      open.go, which asks a first question; search.go; selection.go for exports; explain.go, with
//	            explain_match.go for why a product is a hit, explain_order.go for its place, explain_needs.go
//	generation  generation.go: its life; lookups.go and bodies.go: its ids and its JSON; match_json.go: hits
//	            as JSON and for Go code; changes.go: what two generations do not share of what is served
//	answers     engine.go: what outlives a query; facets.go; pages.go: the orders beside relevance; filters.go
//	ranking     ranking.go: the page in the order of relevance, rung by rung and no further than it goes,
//	            ranking_fields.go by fields and kinds, ranking_similar.go and ranking_weight.go for fallbacks
//	needs       need_finder.go: what meets them; need_match.go: the set-up for which a product does
//	matching    match.go: the documents that a text matches. strict.go has the strict buckets, fuzzy.go,
//	            similar.go and weight.go the fallbacks; scope.go: where to look; holding.go: what holds a word
//	memory      arena.go: sets of documents, of one scope each
//	reading     parsed.go: the words of a text, and ways to hold each, of kinds in match_kind.go. reader.go
//	            makes it, synonyms.go adds what means the same, compound.go what holds a compound by parts
//	questions   query.go, needs.go and room.go: what is asked and answered
//
// Each step makes one thing, to which later steps do not write, but for the nameTally of a match, which
// counts names when it is asked.
//
// # Tuned numbers
//
// None of these changes an answer. Each is a trade whose best place was measured. The gain is how many times
// as long the named class of questions takes when the number is set so that the one side always wins, or to
// the value that is named:
//
//	number       value  trades                                             gain
//	narrowShare  1/128  narrow scopes against sets of the catalogue        none: description words 5.1, exact 3.2, manufacturer
//	                                                                       and word 2.4, sentence 1.7; 1/64: manufacturer and word 1.3
//	nearShare    1/512  the same for corrections, which are no matches     none: one typo 2.1; 1/128: one typo 1.1
//	narrowLeast  64     narrow scopes in catalogues of few products too    not measured alone
//	listMost     512    gathering and sorting documents against a set      none: description words 1.37, exact 1.35
//	fewShare     2      scoring matches against scoring names              names: garbled name 1.1; matches:
//	                                                                       1.2, and 3 where a stretch inside
//	                                                                       a name finds a third of them
//	nameSteps    1/5,   passing by names that are not similar enough yet   not measured alone
//	             1/10,  against looking at names that the page does not
//	             1/20   need
//	namesEach    2      scoring names once more against scoring too many   not measured alone
//	scoreRoom    2      memory of scores against sorting them more often   not measured alone
//	markCost     4      walking an order against marking places            not measured alone
//	wordsEach    64     marking places against sorting them                not measured alone
//	columnCost   2      counting a column against intersecting sets        sets alone: exact, facets 2.8; columns alone:
//	                                                                       purchasable, facets 5.2; 1: purchasable, facets 1.7
//	maxBlocks    32     memory between queries against making it anew      none: exact 1.2, and what is made anew is garbage
//	sampled      1/16   a look at all entries against dropping far ones    never dropping: nearest to a curve 2.9
//	keptRoom     512    memory of hits against sorting them more often     not measured alone
//
// Counted in instructions, which other work on the machine does not change, on 99,051 products where nothing
// else is said; sampled and the garbled names of fewShare in time. How instructions are counted is told where
// package indexes has its tuned numbers; times are those of both sides, one after the other in turns, by
//
//	BENCH_PRODUCTS=100000 go test ./bench -ldflags=-funcalign=64 -run '^$' -bench 'Search/100k/two_typos$'
package runtime

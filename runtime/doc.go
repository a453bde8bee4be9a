// Package runtime answers questions from one opened generation: lookups, search, facets, pages of ready JSON; and it
// knows which generation is current and swaps it under running requests.
//
// It never speaks HTTP and never sees source records: a snapshot describes itself.
//
// Read query.go first, then search.go, which is the way of a query:
//
//	text.go       what the text means: its words, and for each the ways in which a field can hold it; synonyms.go, those
//	              that mean the same
//	scope.go      where to look: in few documents when the words leave no more, else in the whole catalogue
//	sources.go    which documents hold a word in a field
//	strict.go     what matches: the strict buckets; fuzzy.go and trigram.go, the fallbacks
//	filters.go    what of that passes the filters
//	ladder.go     the order of relevance, as far as the page needs it; trigram_rank.go, that by similarity; pages.go, the
//	              other orders
//	facets.go     what the filters' values would find
//
// explain.go says of each hit why it is one, in explain_match.go, and what its place comes from, in explain_order.go.
//
// A set of documents is a docset.Dense, lent by the query's work (work.go) and given back. generation.go and bodies.go
// are the lookups and the JSON; hold.go is the life of a generation, current.go which one is in force, watch.go when that
// is asked again, hashing.go whether its content is what its name states.
package runtime

// Package runtime answers questions from one opened generation: lookups, search, facets, pages of ready JSON; and it
// knows which generation is current and swaps it under running requests.
//
// It never speaks HTTP and never sees source records: a snapshot describes itself.
//
// Read query.go first, then search.go, which is the way of a query:
//
//	text.go       what the text means: its words, and for each the ways in which a field can hold it
//	strict.go     what matches: the strict buckets; fuzzy.go and trigram.go, the fallbacks
//	filters.go    what of that passes the filters
//	ladder.go     the order of relevance, as far as the page needs it; pages.go, the other orders
//	facets.go     what the filters' values would find
//
// A set of documents is an indexes.Dense, lent by the query's work (work.go) and given back. generation.go and bodies.go
// are the lookups and the JSON; hold.go is the life of a generation, current.go which one is in force.
package runtime

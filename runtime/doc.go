// Package runtime answers questions from one opened generation: lookups, search, facets, pages of ready JSON; and it
// knows which generation is current and swaps it under running requests.
//
// It never speaks HTTP and never sees source records: a snapshot describes itself.
//
// Read generation.go first, then search.go (the ladder of buckets) and current.go (the swap).
package runtime

// Package quality tests whether the search finds what users look for. It contains queries as planners,
// acousticians and visitors type them, and judgements of products for each query. The judgements were made by
// reading the catalogue, not the engine's answers. The tests print a table of standard measures by query
// class, and fail if a class is below its minimum. bench/peers sends the same queries to other engines.
//
// A judgement defines which products the search should find, but not how. If a judgement is incorrect,
// correct it; if the engine misses products, correct the engine. The queries for the sample catalogue are
// known to the authors of the engine. Those in the three blind collections were written and judged by people
// who had not seen rules, lists or answers. The authors of rules read only the collection open. The
// collections locked and third (third was written one release later) are used only for measurements.
//
// Read judged.txt first (its header describes the format of all collections), then judged.go and
// quality_test.go.
package quality

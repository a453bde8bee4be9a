// Package quality checks whether the search finds what people look for. It contains queries as planners,
// acousticians and visitors type them, judgements made by reading the catalogue and not the engine's answers,
// and the usual measures of the answers. The tests print a table of the measures by query class, and fail if
// a class is below its floor. bench/peers asks other engines the same queries.
//
// A judgement defines which products should be found, and not how. Correct the judgement if it is wrong, and
// the engine if it misses products. There are four collections. The authors of the engine have read the
// queries for the sample catalogue. The three blind collections are by writers and second judges who had not
// seen rules, lists or answers. The authors of rules read only the open half. The locked half and the third
// collection, written a release later, are only scored.
//
// Read judged.txt first (its head describes the format of all collections), then judged.go and
// quality_test.go.
package quality

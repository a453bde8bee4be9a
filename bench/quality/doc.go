// Package quality checks whether the search finds what people look for. It has queries as planners,
// acousticians and visitors type them, judgements made by reading the catalogue and not the answers of the
// engine, and the usual measures over the answers. The tests print a table of the measures by class of query,
// and fail if a class is below its floor. bench/peers uses the same queries for other engines.
//
// A judgement defines which products should be found, and not how. Correct the judgement if it is wrong, and
// the engine if it misses products. There are four collections. The authors of the engine have read the
// queries of the sample catalogue. The three blind collections are by writers and second judges who had not
// seen rules, lists or answers. The authors of rules read only the open half. The locked half and the third
// one, which was written a release later, are only scored.
//
// Read judged.txt first, whose head describes the format of all collections, then judged.go and
// quality_test.go.
package quality

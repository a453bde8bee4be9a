// Package quality asks whether the search finds what people look for: queries as planners, acousticians and visitors type
// them, judged by reading the sample catalogue and not by what the engine answered, and the usual measures over the
// answers. There are tests alone: they print a table of the measures by class of query, and fail when a class falls under its floor.
//
// They never say how a query should be answered, only what should come: judged.txt is to be mended where it misjudges, and
// the engine where it misses.
//
// Read judged.txt first, then quality_test.go.
package quality

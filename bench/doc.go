// Package bench measures builds, searches, facets and bodies over synthetic catalogues.
//
// No other package imports bench. Only quality, scenarios and the hunt for slow questions (`make hunt`)
// require figures to meet limits. `make bench` runs the benchmarks of this package. BENCH_PRODUCTS sets the
// number of products, HOSTILE_QUERIES the number of hostile query texts, HUNT_EVALUATIONS the number of
// questions that the hunt evaluates, and BENCH_RESULTS the file for import results.
//
// Its folders:
//
//	queries    derives questions in every class from the products in a catalogue
//	quality    tests whether the search finds what users look for (`make quality`), with minimum values
//	explorer   runs Lighthouse over the explorer's pages (`make bench-explorer`, after internal/browser's benchmark)
//	scenarios  loads real servers: HTTP (`make bench-http`, `make bench-against`), one server with everything at
//	           once (`make soak`), three that share a store and a Redis (`make bench-fleet`); the last two check
//	           promises
//	results    defines the lines of JSON that contain all figures
//	step       ends the commands in scenarios and peers at their first error
//	peers      measures other search engines with the same catalogue and questions (`make bench-peers`); it is a
//	           separate module; peers/report writes the report on all results (`make bench-report`)
//
// `make figures` runs all measurements for the report. Read catalogue.go first.
package bench

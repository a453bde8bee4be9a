// Package bench measures builds, searches, facets and bodies over synthetic catalogues.
//
// No other package imports it. It measures; only quality, scenarios and the hunt for slow questions
// (`make hunt`) judge the figures. Its benchmarks run with `make bench`.
// BENCH_PRODUCTS sets the size of the catalogue, HOSTILE_QUERIES the number of hostile texts,
// HUNT_EVALUATIONS the number of questions in the hunt, BENCH_RESULTS the file for import results.
//
// Its folders:
//
//	queries    questions in every class, made from the products in a catalogue
//	quality    whether the search finds what people look for (`make quality`); its tests require minimum values
//	explorer   Lighthouse over the pages of the explorer (`make bench-explorer`, which first runs the benchmark in
//	           internal/browser)
//	scenarios  real servers: HTTP (`make bench-http`, `make bench-against`), one server with everything at once
//	           (`make soak`) and three that share a store and a Redis (`make bench-fleet`); both check promises
//	results    the lines of JSON with all figures
//	step       how the commands of scenarios and peers end at their first error
//	peers      other search engines over the same catalogue and questions; a separate module (`make bench-peers`)
//	           with the report on all results in peers/report (`make bench-report`)
//
// `make figures` runs all measurements for the report. Read catalogue.go first.
package bench

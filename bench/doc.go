// Package bench measures builds, searches, facets and bodies over synthetic catalogues.
//
// No other package imports it. It only measures, and decides nothing about a figure, except in quality,
// scenarios and the hunt for slow questions (`make hunt`). Its benchmarks run with `make bench`.
// BENCH_PRODUCTS sets the size of the catalogue, HOSTILE_QUERIES the number of hostile texts,
// HUNT_EVALUATIONS the number of questions of the hunt, BENCH_RESULTS the file of results of imports.
//
// Its folders:
//
//	queries    questions of every class, made from the products of a catalogue
//	quality    whether the search finds what people look for (`make quality`); its test has minimum values
//	explorer   Lighthouse over the pages of the explorer (`make bench-explorer`, which first runs the benchmark in
//	           internal/browser)
//	scenarios  real servers: HTTP (`make bench-http`, `make bench-against`), one server with everything at once
//	           (`make soak`) and three of one store and one Redis (`make bench-fleet`), which check promises
//	results    the lines of JSON of all figures
//	step       how the commands of scenarios and peers end at their first error
//	peers      other search engines over the same catalogue and questions; a separate module (`make bench-peers`)
//	           with the report of all results in peers/report (`make bench-report`)
//
// `make figures` runs all measurements of the report. Read catalogue.go first.
package bench

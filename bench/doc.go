// Package bench measures what the others promise: builds, searches, facets and bodies over synthetic
// catalogues.
//
// Nothing else imports it, and but for quality, scenarios and the hunt for slow questions (`make hunt`) it
// never decides whether a figure is good: it only measures. Its benchmarks run with `make bench`;
// BENCH_PRODUCTS sets the size of the catalogue, HOSTILE_QUERIES how many hostile texts are searched for,
// HUNT_EVALUATIONS how many questions the hunt asks.
//
// Below it, a folder each:
//
//	queries    questions of every class, made of a catalogue's products
//	quality    whether the search finds what people look for (`make quality`); its test has floors
//	explorer   Lighthouse over the explorer's pages (`make bench-explorer`, which runs the benchmark of internal/browser first)
//	scenarios  real servers: HTTP, which needs programs of its own (`make bench-http`), and servers that are held
//	           against their promises, one that lives through everything at once (`make soak`) and three of one
//	           store and one Redis (`make bench-fleet`); these fail too
//	results    the lines of JSON that scenarios and peers write and the report is made of
//	step       how the commands of scenarios and peers end at their first error
//	peers      other search engines over the same catalogue and questions; a module of its own (`make bench-peers`)
//	           and, in peers/report, the report of it all, made of the results (`make bench-report`)
//
// Read catalogue.go first.
package bench

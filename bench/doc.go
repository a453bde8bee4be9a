// Package bench measures what the others promise: builds, searches, facets and bodies over synthetic catalogues.
//
// Nothing imports it, and it never decides whether a figure is good: it only measures. Its benchmarks run with
// `make bench`; BENCH_PRODUCTS sets the size of the catalogue, HOSTILE_QUERIES how many hostile texts are searched for.
//
// bench/load measures HTTP, which needs programs of its own (`make bench-http`).
//
// Read catalogue.go first.
package bench

// Command report makes the report of the benchmarks, in Markdown with plots, of the lines that bench/peers and bench/load
// append to bench/results.ndjson. It measures nothing: every figure is a line's, or computed from lines.
//
// Read results.go first: what the lines are and which of them count. Then bars.go: what is expected of them.
package main

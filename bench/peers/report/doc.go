// Command report makes the report of the benchmarks, in Markdown with plots, of the lines that bench/peers and bench/load
// append to bench/results.ndjson. It measures nothing: every figure is a line's, or computed from lines.
//
//	results.go      what the lines are and which of them count
//	report.md.tmpl  the report: its prose and its tables
//	bars.go         what is expected, and whether it is met
//	plots.go        which classes the plots show, and how
//	svg.go          lines, dots, bars and letters on a page
//	units.go        how figures are written
//
// Read results.go first, then report.md.tmpl.
package main

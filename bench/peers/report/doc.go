// Command report makes the report of the benchmarks, in Markdown with plots, of the lines of bench/results.
// It measures nothing: every figure is a line's, or computed from lines.
//
//	report.go       the lines by class, by suite and by size; what is expected, and whether it is met
//	report.md.tmpl  the report: its prose, and the columns of its tables
//	main.go         the functions that the report calls, table above all, and how figures are written
//	plots.go        which classes the plots show, and where; plots.svg.tmpl draws them
//
// Read report.go first, then report.md.tmpl.
package main

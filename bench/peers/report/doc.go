// Command report writes the report of the benchmarks, in Markdown with plots, and the table of speed in
// README, from the lines of bench/results. It measures nothing: every figure is in a line, or computed from
// lines.
//
//	report.go       the lines by class, suite and size; the limits, and whether they are met
//	report.md.tmpl  the text of the report, and the columns of its tables
//	main.go         the functions that the report calls, and the formats of figures
//	plots.go        the classes in the plots and their positions; plots.svg.tmpl draws them
//
// Read report.go first, then report.md.tmpl.
package main

// Command report writes the benchmark report, in Markdown with plots, and README's speed table, from the
// lines in bench/results. It measures nothing: every figure is in a line, or computed from lines.
//
//	report.go       the lines by class, suite and size; the limits, and whether they are met
//	report.md.tmpl  the text of the report, and the columns of its tables
//	main.go         the functions that the report calls, and the formats for figures
//	plots.go        the classes in the plots and their positions; plots.svg.tmpl draws them
//
// Read report.go first, then report.md.tmpl.
package main

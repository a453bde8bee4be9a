// Command report writes the benchmark report, in Markdown with plots, and README's speed table, from the
// lines in bench/results. It measures nothing: every figure is in a line or is computed from lines.
//
//	report.go       groups the lines by class, suite and size, and compares figures with limits
//	report.md.tmpl  contains the text of the report and the columns of its tables
//	main.go         contains the functions that the template calls, and the formats of figures
//	plots.go        chooses the classes in the plots and their positions; plots.svg.tmpl draws them
//
// Read report.go first, then report.md.tmpl.
package main

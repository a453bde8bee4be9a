// Package layout converts the rows of a sheet to tables, each with its columns, its context and complete
// rows. It resolves set-ups side by side, merged cells, ditto marks and blank cells that repeat the row
// above. In the resulting tables, each row is a complete set-up.
//
// It interprets cells only to separate notes from rows, and knows nothing about products. It uses two
// packages, and neither of them imports the package above it:
//
//	layout ──> layout/header   which rows name the columns of a table, and what each column is
//	  └──────────────> layout/grid   the buffered rows, upright or transposed, and their keys, titles and notes
//
// Read table.go first, which defines a table, then scan.go, which converts the rows of a sheet to tables. The
// files in the order in which they handle a row:
//
//	scan.go      buffers rows and finds the first table in them; mapped.go does so with a map
//	rows.go      reads the rows below the header: values, summaries, the next table; notes.go reads notes
//	fill.go      completes rows of values: merged cells, ditto marks, the product from the row above, links
//	budget.go    limits an import
package layout

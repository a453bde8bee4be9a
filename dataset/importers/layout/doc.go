// Package layout finds the tables in a sheet: rows in; tables out, each with its columns, its context and its
// complete rows. Set-ups side by side, merged cells, ditto marks and filling down are done here. After it
// every table has its set-ups in rows and every row is whole.
//
// It never reads what a cell means beyond what tells notes and rows apart, and knows nothing of products. Two
// rooms are below it, and neither knows the room above:
//
//	layout ──> layout/header   which rows name the columns of a table, and what each column is
//	  └──────────────> layout/grid   the rows that are held: their texts, upright or turned; what a line of them says
//
// Read table.go first: what a table is. Then scan.go: how the rows of a sheet become tables. The way of a
// row:
//
//	scan.go      rows are pulled ahead, and the first table in them is found; mapped.go, by a map
//	rows.go      the rows below the header: values, summaries, the next table; notes.go, lines that are no values
//	fill.go      a row of values is completed: merged cells, ditto marks, the product of the row above, links
//	budget.go    what an import may take
package layout

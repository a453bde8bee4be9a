// Package layout finds the tables in a sheet: rows in; tables out, each with its columns, its context and its
// complete rows. Transposing, merged cells, set-ups side by side, ditto marks and filling down are done here.
// After it every table has its set-ups in rows and every row is whole.
//
// It never reads what a cell means beyond what tells names, notes and rows apart, and knows nothing of
// products.
//
// Read table.go first: what a table is. Then scan.go: how the rows of a sheet become tables. The way of a
// row:
//
//	scan.go      rows are pulled ahead, and the first table in them is found; mapped.go, by a map
//	grid.go      the rows that are held, and their transposition; look.go, what a cell may be; header.go, which rows
//	             name the columns; score.go, how well they fit the rows below; blocks.go, data sheets beside each other
//	resolve.go   what the columns of a table are; context.go, what the rows above it say; quantity.go, columns whose
//	             cells say what the coefficients are; names.go, columns that only their cells explain; pivot.go, lines of
//	             transposed tables, and set-ups side by side
//	rows.go      the rows below the header: values, notes, titles, summaries, the next table
//	fill.go      a row of values is completed: merged cells, ditto marks, the product of the row above, links
//	budget.go    what an import may take
package layout

// Package table turns the tables that people keep into products: whatever the file is, whichever way the
// table lies in it, whatever its columns are called in German or English. It opens the files and hands each
// sheet through the rooms:
//
//	workbook ─ rows ─> layout ─ Table, Row ─> cells ─ Row ─> products ─ Product ─> dataset's checks
//	                       └────── columns ─────┘             identity
//
// It never reads a name or a cell itself, and writes no snapshot. What becomes of each column is in the
// Account.
//
// Read table.go first. The rooms are the packages columns, layout, cells, identity
// and products beside this one.
package table

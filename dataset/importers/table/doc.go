// Package table converts tables into products, regardless of the file format, the direction of the table and
// the language of its column names. It opens the files and passes each sheet through these packages:
//
//	workbook ─ rows ─> layout ─ Table, Row ─> cells ─ Row ─> products ─ Product ─> dataset's checks
//	                       └────── columns ─────┘             identity
//
// It does not interpret names or cells, and never writes a snapshot. The Account reports how each column was
// used. Read table.go first.
package table

// Package header finds the rows of a grid that name the columns of a table, and resolves each column: by its
// name, by the words above it, by a map, or by its cells if the name is not enough.
//
// It reads rows of values only to compare them with names. Package layout returns these rows.
//
// Read header.go first, which finds and joins the names. score.go compares them with the rows below, and
// mapped.go reads them from a map. Then read resolve.go, which defines the order of resolving columns.
// quantity.go resolves columns whose cells name the quantity. names.go resolves columns by their cells, and
// finds product names. pivot.go resolves lines of transposed tables, and set-ups side by side.
package header

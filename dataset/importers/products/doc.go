// Package products makes products of the rows of tables: which rows are of one product, what becomes of texts
// in which they differ, which set-ups become entries, and how their bands are united. Rows in; product values
// out.
//
// It never reads a cell or writes JSON. What it makes does not depend on the order of the rows.
//
// Read set.go first.
package products

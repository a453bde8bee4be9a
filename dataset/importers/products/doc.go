// Package products makes products of the rows of tables: what becomes of texts in which the rows of one
// product differ, which set-ups become entries, and how their bands are united. Rows in; product values out.
// Which rows are of one product is found by the room identity.
//
// It never reads a cell or writes JSON. What it makes does not depend on the order of the rows.
//
// Read set.go first.
package products

// Package products converts the rows of tables to products. It decides what happens to strings that differ
// between the rows of a product, which set-ups become entries, and how their bands are merged. Package
// identity decides which rows belong to one product.
//
// It never reads a file. The result does not depend on the order of the rows.
//
// Read set.go first.
package products

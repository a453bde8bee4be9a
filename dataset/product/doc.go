// Package product knows what a product is: its Go types, the table of its fields, how each view of it is
// written as JSON, how a stored record is read back, and the JSON Schema of source records.
//
// It never reads sources, opens files or speaks HTTP. Package dataset reads and validates source records.
//
// Read fields.go first, the table. product.go has the types.
package product

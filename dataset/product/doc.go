// Package product defines products: the Go types, the table of fields, the JSON of each view, the reader of
// stored records and the JSON Schema of source records.
//
// It never reads sources, opens files or speaks HTTP. Package dataset reads and validates source records.
//
// Read fields.go first: it contains the table of fields. product.go defines the types.
package product

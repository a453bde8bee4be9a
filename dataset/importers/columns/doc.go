// Package columns converts column names to Columns. It defines the fields, bands and quantities in tables,
// the units and spellings of numbers, and the map, which is a file that defines the columns of tables. It
// also finds set-ups (setup.go), mountings (mounting.go) and companies (company.go) in text, with the lists
// in patterns.txt.
//
// It never reads a row, and knows nothing about products.
//
// Read field.go first, then column.go.
package columns

// Package columns parses the names of columns: a text in, a Column out. It has the fields, bands and
// quantities of tables, the units and spellings of numbers, and the map, which is a file with the columns of
// tables. It also reads set-ups (setup.go), mountings (mounting.go) and companies (company.go) in texts, with
// the lists of patterns.txt.
//
// It never reads a row, and knows nothing of products.
//
// Read field.go first, then column.go.
package columns

// Package columns knows what the names of a table's columns mean: a text in, a Column out. It has the fields,
// bands and quantities of tables, the units and the spellings of numbers, and the map, which is the columns
// of a table in a file. It also reads the words for a set-up (setup.go), the mounting (mounting.go) and the
// company (company.go) in a text, by the lists of patterns.txt.
//
// It never reads a row, and knows nothing of products.
//
// Read field.go first, then column.go.
package columns

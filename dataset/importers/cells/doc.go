// Package cells converts a table row to fields, curves and faults. It recognises the forms of values, such as
// lengths, ratings, fire classes, dates and addresses, and decides what a coefficient measures.
//
// It reads one row at a time, except to count units in a table, and knows nothing about products.
//
// Read row.go first, then evidence.go, which explains the priority of the words for coefficients in a table.
// reader.go reads a row, curves.go makes its curves, measures.go reads lengths and ratings, setup.go
// reads words for a set-up, and forms.go reads all other cells with the words of words.csv. findings.go
// collects warnings.
package cells

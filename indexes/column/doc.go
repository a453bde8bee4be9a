// Package column reads and writes numbers in sections of a snapshot: columns of numbers of one width, lists
// and texts that are stored one after another, and document numbers. Numbers are read in place.
//
// The package verifies the bounds of lists, texts and document numbers. Callers verify the numbers of a
// Narrow. All sections are written with this package. It does not know what a column means or which sections
// exist. Read column.go first:
//
//	column.go  columns, and the machine's byte order
//	lists.go   many lists in two columns, starts and values; the bounds check; texts, which are lists of bytes
//	narrow.go  a column of numbers that is as narrow as the largest number allows
//	writer.go  the writer of all sections
package column

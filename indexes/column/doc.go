// Package column holds numbers as the sections of a snapshot have them, read where they lie: columns of one
// width, lists and texts that lie one behind the other, and document numbers, which are what most columns
// hold.
//
// It is where a number from a file is held against the bounds of what it points into, and where a section is
// written. It never knows what a column means, nor which sections there are.
//
//	column.go  columns, and the machine's byte order
//	lists.go   starts and values: many lists in two columns, and the one check of bounds; texts, which are lists of bytes
//	narrow.go  a column of numbers as narrow as its largest one allows
//	writer.go  the way in which every section is written
package column

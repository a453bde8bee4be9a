// Package export writes products of a generation in the forms that other programs take.
//
// It never speaks HTTP: package serve streams what it writes, and the command line prints it.
package export

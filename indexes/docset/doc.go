// Package docset provides sets of documents. Dense sets are used for computations, and stored sets are read
// in place in a snapshot. A Counter counts how many sets contain each document.
//
// The package does not know what a set means or which sections exist. It never changes a stored set.
//
// Read dense.go first, then set.go. The files are:
//
//	dense.go    sets as words of 64 bits, for intermediate results
//	scope.go    the scope of dense sets: all documents, or a few listed documents
//	set.go      stored sets, and their two sections
//	bitmap.go   large stored sets: frozen roaring bitmaps, read in place
//	builder.go  stores sets without duplicates; freeze.go makes the bitmaps
//	counter.go  the bit-sliced counter
package docset

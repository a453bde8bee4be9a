// Package docset holds sets of documents: dense ones, which computations work with, and stored ones, which
// are read where they lie in a snapshot; and counts in how many sets each document lies.
//
// It never knows what the documents of a set have in common, nor which section is of which kind; nothing in
// it changes a stored set.
//
// Read dense.go first, then set.go:
//
//	dense.go    a set as words of 64 bits, for intermediate results
//	scope.go    the documents that the dense sets of a computation speak of: all, or a few listed ones
//	set.go      stored sets, and the two sections that they lie in
//	bitmap.go   the large ones: roaring bitmaps in their frozen form, walked without being opened
//	builder.go  stores sets, equal ones once; freeze.go makes the bitmaps
//	counter.go  the bit-sliced counter
package docset

// Package compiler is the pipeline from source records to a snapshot: it reads and checks records in parallel, renders
// every JSON body once, numbers the products, builds the indexes, writes the file and switches CURRENT.
//
// It never answers queries. What it writes depends on the published records, the vocabulary and the format version
// alone: no clock, no map order, no input names, no randomness.
//
// Read build.go first: the stages stand there in their order. commit.go has the last of them, up to the switch of
// CURRENT, and what the build knows of the snapshot before. checkbodies.go is no part of a build: it holds the bodies of
// a finished snapshot against the rest of it.
package compiler

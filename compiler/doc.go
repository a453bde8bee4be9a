// Package compiler is the pipeline from source records to a snapshot: it reads and checks records in parallel, renders
// every JSON body once, numbers the products, builds the indexes, writes the file and switches CURRENT.
//
// It never answers queries. What it writes depends on the published records, the vocabulary and the format version
// alone: no clock, no map order, no input names, no randomness.
//
// Read build.go first: the stages stand there in their order.
package compiler

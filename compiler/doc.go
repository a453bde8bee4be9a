// Package compiler is the pipeline from source records to a snapshot: it reads and checks records in
// parallel, renders each product once, numbers the products, builds the indexes, writes the file and switches
// CURRENT.
//
// It never answers queries. What it writes depends on the published records, the vocabulary, the dictionary,
// the synonyms and the format version alone: no clock, no map order, no input names, no randomness.
//
// Read build.go first: the stages stand there in their order. In the order in which a record meets them, the
// files are:
//
//	input.go        inputs, read ahead and no longer than the build lasts
//	batch.go        records in batches, past the workers and in order again
//	render.go       a worker's first half: the stored record of a product, with its tags and the gzip form
//	documents.go    its second half: what the indexes know of a product; details.go, which values are searched,
//	                amounts.go, which are only numbers; measurements.go, the entries by norm; collation.go, the order of
//	                labels
//	collect.go      the records beside each other: findings.go, their faults; families.go, their values by family
//	dictionary.go   behind the records, the translations of a dictionary; synonyms.go, the files of synonyms
//	spill.go        where documents and bodies wait on disk until the products have numbers
//	commit.go       the last stage, up to the switch of CURRENT, and what the build knows of the snapshot before
//	report.go       what the build tells of itself
//
// rebuild.go does the same again for a finished snapshot, whose records are its input, and compares.
package compiler

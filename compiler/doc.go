// Package compiler is the pipeline from source records to a snapshot. It reads and checks records in
// parallel, renders each product once, numbers the products, builds the indexes, writes the file and switches
// CURRENT.
//
// It never answers queries. The snapshot depends only on the published records, the vocabulary, the
// dictionary, the synonyms and the format version. It does not depend on a clock, map order, input names or
// random numbers.
//
// Read build.go first: it lists the stages in order. The other files, in the order in which a record passes
// through them:
//
//	input.go        inputs, read ahead and closed when the build ends
//	batch.go        batches of records: to the workers, and back into their order
//	render.go       first task of a worker: the stored record of a product, with its tags and the gzip form
//	documents.go    second task: the data for the indexes; details.go, which values are searchable,
//	                amounts.go, which are only numbers; measurements.go, the entries; collation.go, sorting
//	collect.go      checks across records: findings.go, their faults; families.go, their values by family
//	dictionary.go   the translations of a dictionary; synonyms.go, the files of synonyms
//	spill.go        the temporary file of documents and bodies until the products have numbers
//	commit.go       the last stage, up to the switch of CURRENT, and the comparison with the snapshot before
//	report.go       the report of the build
//
// rebuild.go builds a finished snapshot again from its own records, and compares the result.
package compiler

// Package compiler is the pipeline from source records to a snapshot. It reads and checks records in
// parallel, renders each product once, numbers the products, builds the indexes, writes the file and switches
// CURRENT to it.
//
// The package does not answer queries. A snapshot depends only on the published records, the vocabulary, the
// dictionary, the synonyms and the format version. It does not depend on the time, the order of maps, the
// names of inputs or random numbers.
//
// Read build.go first. It lists the stages in order. The other files follow in the order in which a record
// passes through them:
//
//	input.go        inputs, which are read ahead and closed when the build ends
//	batch.go        batches of records, which workers process and the collector receives in order
//	render.go       first task of a worker: the stored record of a product, with its ETags and gzip form
//	documents.go    second task: the data for the indexes; details.go, which values are searchable;
//	                amounts.go, which are only numbers; measurements.go, the entries; collation.go, sort keys
//	collect.go      checks across records; findings.go, the faults; families.go, the values by family
//	dictionary.go   the translations in a dictionary; synonyms.go, the files of synonyms
//	spill.go        the temporary file of documents and bodies until the products have numbers
//	commit.go       the last stage, up to the switch of CURRENT; comparison with the previous snapshot
//	report.go       the report of the build
//
// rebuild.go rebuilds a finished snapshot from the records in it, and compares the result.
package compiler

// Package dataset reads and validates source records and vocabularies. It also contains the sample catalogue.
//
// It never writes snapshot files, searches or speaks HTTP. Its subfolders import foreign files and read
// dictionaries. They also generate records, write JSON and compute ratings.
//
// Read package product first: a record becomes a product. Its file limits.go explains the limits of a record.
// Then follow a record through the files:
//
//	inputs.go   finds the input files; regular.go and open.go open and decompress them
//	reader.go   reads the records of lines and arrays; reader_documents.go reads records that are objects;
//	            window.go contains the part of the input that is in memory
//	inspect.go  validates the JSON text
//	parse.go    parses a record into a product with fields.go, parser.go, geometry.go and parse_*.go
//	check.go    compares a product with the other products: ids, slugs, manufacturers, vocabulary
//
// The importers also use words.go (words for vocabulary values), notes.go (counted warnings) and natural.go
// (the order of strings and places).
package dataset

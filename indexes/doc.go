// Package indexes holds the index structures of a snapshot over document numbers: bodies in ready parts, identifier
// tables, facet bitmaps, sort orders; and for the text, terms and short beginnings of them with their postings, stems
// and parts of compounds that lead to terms, term ends for misspelled words, each document's words in order, pairs of
// frequent neighbours and long phrases with their postings, names with their trigrams and their documents. Each structure
// has its builder and its reader side by side, and its layout above them.
//
// It never knows source records and never speaks HTTP: the compiler hands it Documents, the runtime reads the answers.
//
// Read sections.go first: it is the one list of what a snapshot holds. Then document.go, builder.go and index.go.
// bodysums.go has the checksums that what is sent of a body is held against; halt.go ends the writing with its context.
package indexes

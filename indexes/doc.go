// Package indexes holds the index structures of a snapshot over document numbers: bodies in ready parts, identifier
// tables, facet bitmaps, sort orders, terms with their postings, names, trigrams and prefixes. Each structure has its
// builder and its reader side by side, and its layout above them.
//
// It never knows source records and never speaks HTTP: the compiler hands it Documents, the runtime reads the answers.
//
// Read sections.go first: it is the one list of what a snapshot holds. Then document.go, builder.go and index.go.
package indexes

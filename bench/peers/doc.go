// Command peers holds sabine against what people would use instead: Bleve, SQLite with FTS5, PostgreSQL with tsvector
// and pg_trgm. All build an index of one catalogue and answer the same questions, one after the other, in turn.
//
// It is a module of its own, so that sabine does not depend on its peers. Every engine is set up as well as one knows how
// to for data that are only read, and is told the class of a question, which a search box would have to guess; a file
// each says how it goes about each class. Every engine builds and answers in a process of its own, so that its memory
// and its garbage are its own.
//
// Read engine.go first.
package main

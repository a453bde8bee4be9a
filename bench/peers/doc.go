// Command peers holds sabine against what people would use instead: Bleve, SQLite with FTS5, PostgreSQL with
// tsvector and pg_trgm. All build an index of one catalogue and answer the same questions.
//
// It is a module of its own, so that sabine does not depend on its peers. It fills three tables:
//
//   - In the first, every engine is set up as well as we know how to for data that are only read. It is given
//     only the text, and the terms of sabine's analyser, of which it finds what the API defines: plan.go says
//     what that is, once for all; sql.go and bleve.go do it. databases.go is what differs between
//     the databases.
//   - In the second, the peers are set up as their documentation advises, with their own analysers: own.go and
//     own.sql do it. How many of the answers are good is measured beside how long they take.
//   - In the third, the engines of the second answer the judged queries of package quality.
//
// Every engine builds and answers in a process of its own, so that its memory and its garbage are its own. It
// answers all questions of a class in a row, and then it is another engine's turn.
//
// Read engine.go first, then plan.go and panel.go.
package main

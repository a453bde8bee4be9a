// Command peers compares sabine with what people would use instead: Bleve, SQLite with FTS5, PostgreSQL with
// tsvector and pg_trgm. All build an index of one catalogue and answer the same questions.
//
// It is a separate module, so that sabine does not depend on its peers. It fills three tables:
//
//   - In the first, every engine has the best set-up that we know for read-only data. It gets the text, and the
//     terms of sabine's analyser, and finds what the API defines: plan.go defines that for all engines, sql.go
//     and bleve.go implement it. databases.go has the differences between the databases.
//   - In the second, the peers have the set-up that their documentation advises, with their own analysers, in
//     own.go and own.sql. The share of good answers is measured in addition to the times.
//   - In the third, the engines of the second answer the judged queries of package quality.
//
// Every engine builds and answers in a process of its own, so that its memory and its garbage are separate.
// It answers all questions of a class in a row, then another engine does.
//
// Read engine.go first, then plan.go and panel.go.
package main

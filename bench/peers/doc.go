// Command peers compares sabine with what people would use instead: Bleve, SQLite with FTS5, PostgreSQL with
// tsvector and pg_trgm. All build an index of one catalogue and answer the same questions.
//
// It is a separate module, so that sabine does not depend on its peers. It fills three tables:
//
//   - In the first, every engine has the best set-up that we know for read-only data. It gets the text, and the
//     terms from sabine's analyser, and finds what the API defines: plan.go defines that for all engines,
//     sql.go and bleve.go implement it. databases.go contains the differences between the databases.
//   - In the second, the peers have the set-up that their documentation advises, with their own analysers, in
//     own.go and own.sql. The share of good answers is measured in addition to the times.
//   - In the third, the engines from the second answer the judged queries from package quality.
//
// Every engine builds and answers in a separate process, with its own memory and garbage.
// It answers all questions in a class in a row, and then the next engine does.
//
// Read engine.go first, then plan.go and panel.go.
package main

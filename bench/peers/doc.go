// Command peers compares sabine with what developers would use instead: Bleve, SQLite with FTS5, and
// PostgreSQL with tsvector or pg_trgm. All engines index the same catalogue and answer the same questions.
//
// It is a separate module, so that sabine does not depend on its peers. It fills three tables:
//
//   - In the first, every engine has the best set-up that we know for read-only data. It gets the query text and
//     the terms from sabine's analyser, and finds what the API defines. plan.go states this definition for all
//     peers; sql.go and bleve.go implement it. databases.go contains the differences between the databases.
//   - In the second, the peers have the set-up that their documentation advises, with their own analysers, in
//     own.go and own.sql. This table contains the proportion of good answers in addition to the times.
//   - In the third, the engines from the second table answer the judged queries from package quality.
//
// Every engine builds and answers in a separate process, with its own memory and garbage collector. An engine
// answers all questions in a class before the next engine starts.
//
// Read engine.go first, then plan.go and panel.go.
package main

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"sabine/bench/quality"
	"sabine/bench/results"
	"sabine/runtime"
)

// judge has sabine and the engines of the second table answer the queries of the judged collections.
func judge(folder string, engines []string, file *results.File) {
	unmeasured := must(results.Append("")) // builds of a few products
	defer unmeasured.Close()
	for _, read := range quality.Collections {
		c := must(read())
		dir := filepath.Join(folder, "judged-"+c.Name)
		catalogue := copyInputs(c, dir)
		for _, name := range engines {
			build(name, dir, catalogue, unmeasured)
			for _, row := range quality.TableOf(askAll(name, dir, c.Queries)) {
				key := results.Key{Suite: results.Judged, Engine: name, Class: row.Class, Products: len(c.Products),
					Collection: c.Name}
				check(file.Add(results.Line{Key: key, Questions: row.Queries, Success10: &row.Success10, NDCG10: &row.NDCG10}))
				if row.Class == quality.All {
					fmt.Printf("%s, %s: success@10 %.3f, nDCG@10 %.3f\n", c.Name, name, row.Success10, row.NDCG10)
				}
			}
		}
	}
}

// askAll has an engine answer queries in a process of its own.
func askAll(name, dir string, queries []*quality.Query) (answers []*quality.Answer) {
	s := setupOf(name)
	w := start(s, filepath.Join(dir, s.folder))
	defer w.end()
	var b Block
	for _, q := range queries {
		b.Questions = append(b.Questions, runtime.Query{Text: q.Text, Limit: pageSize})
	}
	var replies []reply
	w.call("Ask", &b, &replies)
	for i, q := range queries {
		var hits []uuid.UUID
		for _, id := range replies[i].Answer.IDs {
			hits = append(hits, must(uuid.Parse(id)))
		}
		answers = append(answers, q.Measure(hits, replies[i].Answer.Total))
	}
	return answers
}

// copyInputs writes the inputs of a collection into a folder, which the engines build from.
func copyInputs(c *quality.Collection, dir string) (catalogue string) {
	catalogue = filepath.Join(dir, "catalogue")
	check(os.MkdirAll(catalogue, 0o755))
	for _, in := range c.Inputs {
		from := must(in.Open())
		check(os.WriteFile(filepath.Join(catalogue, filepath.Base(in.Name)), must(io.ReadAll(from)), 0o644))
		check(from.Close())
	}
	return catalogue
}

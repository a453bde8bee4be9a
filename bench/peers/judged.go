package main

import (
	"errors"
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
func (o *options) judge(file *results.File) error {
	for _, read := range []func() (*quality.Collection, error){quality.Sample, quality.Open, quality.Locked} {
		c, err := read()
		if err != nil {
			return err
		}
		dir := filepath.Join(o.dir, "judged-"+c.Name)
		err = copyInputs(c, filepath.Join(dir, "catalogue"))
		for _, name := range o.own {
			if err == nil {
				err = judgeOn(c, name, dir, file)
			}
		}
		if err != nil {
			return fmt.Errorf("judged on %s: %w", c.Name, err)
		}
	}
	return nil
}

// judgeOn has an engine judged that is built in a folder which has the catalogue.
func judgeOn(c *quality.Collection, name, dir string, file *results.File) error {
	unmeasured, err := results.Append("") // builds of a few products
	if err != nil {
		return err
	}
	defer unmeasured.Close()
	if err := build(name, dir, filepath.Join(dir, "catalogue"), unmeasured); err != nil {
		return err
	}
	answers, err := askAll(name, dir, c.Queries)
	if err != nil {
		return err
	}
	for _, row := range quality.TableOf(answers) {
		key := results.Key{Suite: results.Judged, Engine: name, Class: row.Class, Products: len(c.Products),
			Collection: c.Name}
		line := results.Line{Key: key, Questions: row.Queries, Success10: &row.Success10, NDCG10: &row.NDCG10}
		if err := file.Add(line); err != nil {
			return err
		}
		if row.Class == quality.All {
			fmt.Printf("%s, %s: success@10 %.3f, nDCG@10 %.3f\n", c.Name, name, row.Success10, row.NDCG10)
		}
	}
	return nil
}

// askAll has an engine answer queries in a process of its own.
func askAll(name, dir string, queries []*quality.Query) (answers []*quality.Answer, err error) {
	w, err := start(name, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.end()) }()
	var b Block
	for _, q := range queries {
		b.Questions = append(b.Questions, runtime.Query{Text: q.Text, Limit: pageSize})
	}
	var replies []reply
	if err := w.call("Ask", &b, &replies); err != nil {
		return nil, err
	}
	for i, q := range queries {
		a := &replies[i].Answer
		hits := make([]uuid.UUID, len(a.IDs))
		for place, id := range a.IDs {
			if hits[place], err = uuid.Parse(id); err != nil {
				return nil, err
			}
		}
		answers = append(answers, q.Measure(hits, a.Total))
	}
	return answers, nil
}

// copyInputs writes the inputs of a collection into a folder, which the engines build from.
func copyInputs(c *quality.Collection, folder string) error {
	err := os.MkdirAll(folder, 0o755)
	for _, in := range c.Inputs {
		from, openErr := in.Open()
		if err := errors.Join(err, openErr); err != nil {
			return err
		}
		text, readErr := io.ReadAll(from)
		err = errors.Join(readErr, from.Close(), os.WriteFile(filepath.Join(folder, filepath.Base(in.Name)), text, 0o644))
	}
	return err
}

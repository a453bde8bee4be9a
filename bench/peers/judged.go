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

// judge has the engines of the second table, and sabine, answer the queries of the judged collections.
func (o *options) judge(file *results.File) error {
	for _, read := range []func() (*quality.Collection, error){quality.Sample, quality.Open, quality.Locked} {
		c, err := read()
		if err != nil {
			return err
		}
		if err := o.judgeOn(c, file); err != nil {
			return fmt.Errorf("judged on %s: %w", c.Name, err)
		}
	}
	return nil
}

func (o *options) judgeOn(c *quality.Collection, file *results.File) error {
	dir := filepath.Join(o.dir, "judged-"+c.Name)
	catalogue := filepath.Join(dir, "catalogue")
	if err := copyInputs(c, catalogue); err != nil {
		return err
	}
	unmeasured, err := results.Append("") // builds of a few products
	if err != nil {
		return err
	}
	defer unmeasured.Close()
	for _, name := range append([]string{results.Sabine}, o.own...) {
		if err := build(name, dir, catalogue, unmeasured); err != nil {
			return err
		}
		answers, err := askAll(name, dir, c.Queries)
		if err != nil {
			return err
		}
		for _, row := range quality.TableOf(answers) {
			line := results.Line{Key: results.Key{Suite: results.Judged, Engine: name, Class: row.Class,
				Products: len(c.Products), Collection: c.Name}}
			line.Questions, line.Success10, line.NDCG10 = row.Queries, &row.Success10, &row.NDCG10
			if err := file.Add(line); err != nil {
				return err
			}
			if row.Class == quality.All {
				fmt.Printf("%s, %s: success@10 %.3f, nDCG@10 %.3f\n", c.Name, name, row.Success10, row.NDCG10)
			}
		}
	}
	return nil
}

// askAll has an engine answer queries in a process of its own.
func askAll(name, dir string, queries []*quality.Query) (answers []*quality.Answer, err error) {
	s, err := setupOf(name)
	if err != nil {
		return nil, err
	}
	w, err := start(name, filepath.Join(dir, s.folder))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.end()) }()
	var b Block
	for _, q := range queries {
		b.Questions = append(b.Questions, question{Query: runtime.Query{Text: q.Text, Limit: pageSize}})
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
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, in := range c.Inputs {
		from, err := in.Open()
		if err != nil {
			return err
		}
		text, err := io.ReadAll(from)
		if err := errors.Join(err, from.Close(), os.WriteFile(filepath.Join(folder, filepath.Base(in.Name)), text,
			0o644)); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"context"
	"os"
	"strconv"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

func buildSabine(dir, catalogue string) error {
	inputs, _, err := dataset.Inputs([]string{catalogue}, os.Stdin)
	if err != nil {
		return err
	}
	_, err = compiler.Build(context.Background(), compiler.Options{Inputs: inputs, Folder: snapshot.Folder{Dir: dir}})
	return err
}

// sabine is asked as its server asks it. It is not told the task.
type sabine struct{ generation *runtime.Generation }

func openSabine(dir string) (engine, error) {
	g, err := openGeneration(dir)
	if err != nil {
		return nil, err
	}
	return &sabine{g}, nil
}

func openGeneration(dir string) (*runtime.Generation, error) {
	folder := snapshot.Folder{Dir: dir}
	name, err := folder.Current()
	if err != nil {
		return nil, err
	}
	return runtime.Open(context.Background(), folder.Path(name))
}

func (s *sabine) Close() error { return s.generation.Close() }

func (s *sabine) Ask(q *question) (answer, error) {
	r := s.generation.Search(&q.Query)
	a := answer{IDs: make([]string, len(r.Docs)), Total: r.Total}
	for i, d := range r.Docs {
		a.IDs[i] = s.generation.ID(d).String()
	}
	if f := r.Facets; f != nil {
		a.facets = func() []count { return countsOf(f) }
	}
	return a, nil
}

func countsOf(f *runtime.Facets) []count {
	counts := make([]count, 0, 128)
	add := func(f family, buckets []runtime.ValueCount) {
		for _, b := range buckets {
			counts = append(counts, count{f, b.Value, b.Count})
		}
	}
	add(category, f.Categories)
	add(character, f.Characters)
	add(installation, f.Installations)
	for _, b := range f.Manufacturers {
		counts = append(counts, count{manufacturer, b.Slug, b.Count})
	}
	add(fireClass, f.FireClasses)
	counts = appendSplit(counts, epd, f.HasEPD)
	return appendSplit(counts, purchasable, f.Purchasable)
}

func appendSplit(counts []count, f family, s runtime.Split) []count {
	return append(counts, count{f, strconv.FormatBool(true), s.True}, count{f, strconv.FormatBool(false), s.False})
}

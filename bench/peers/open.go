package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sabine/bench/results"
	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// How often a snapshot is opened and verified; the median counts.
const (
	openings      = 50
	verifications = 5
)

// open measures what sabine's snapshot costs a server to open, to verify and in Go's heap, and how large its sections
// are. The heap is that of a process of its own, which holds only what answers and is asked all questions.
func (p *panel) open(catalogue string) error {
	source, err := os.Stat(catalogue)
	if err != nil {
		return err
	}
	line := results.Line{Key: results.Key{Suite: results.Open, Engine: results.Sabine, Products: len(p.products)},
		SourceBytes: source.Size()}
	w, err := start(results.Sabine, p.dir)
	if err != nil {
		return err
	}
	for _, class := range p.classes {
		for i := range class.Questions {
			var heap int64
			if err := w.call("Heap", &class.Questions[i].Query, &heap); err != nil {
				return err
			}
			line.Heap = max(line.Heap, heap)
		}
	}
	sections, err := measureSnapshot(filepath.Join(p.dir, results.Sabine), &line)
	return errors.Join(err, w.end(), p.file.Add(append([]results.Line{line}, sections...)...))
}

// measureSnapshot completes the line of a snapshot and returns those of its sections.
func measureSnapshot(dir string, line *results.Line) (sections []results.Line, err error) {
	path, err := currentSnapshot(dir)
	if err != nil {
		return nil, err
	}
	line.Open, err = median(openings, func() error {
		file, err := snapshot.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = indexes.Open(file)
		return err
	})
	if err != nil {
		return nil, err
	}
	file, err := snapshot.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	verify := func() error { return file.VerifyChecksums(context.Background()) }
	err = verify() // which warms the page cache
	verified, verifyErr := median(verifications, verify)
	all := int64(0)
	for _, s := range file.Sections() {
		key := results.Key{Suite: results.Section, Products: line.Products, Section: s.Kind.String()}
		sections = append(sections, results.Line{Key: key, Bytes: s.Length})
		all += s.Length
	}
	line.VerifyPace = float64(all) / verified.Seconds()
	return sections, errors.Join(err, verifyErr)
}

// median returns the median time of n runs.
func median(n int, run func() error) (time.Duration, error) {
	all := make([]time.Duration, n)
	for i := range all {
		start := time.Now()
		if err := run(); err != nil {
			return 0, err
		}
		all[i] = time.Since(start)
	}
	slices.Sort(all)
	return all[n/2], nil
}

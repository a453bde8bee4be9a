package main

import (
	"context"
	goruntime "runtime"
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

// Open tells what sabine's snapshot costs a server to open and check; behind that line come those of the
// sections.
func (w *Worker) Open(_ struct{}, lines *[]results.Line) error {
	path, err := currentSnapshot(w.dir)
	if err != nil {
		return err
	}
	of := results.Key{Suite: results.Open, Engine: results.Sabine}
	open, err := median(openings, func() error {
		file, err := snapshot.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		index, err := indexes.Open(file)
		if err == nil {
			of.Products = index.Meta.Products
		}
		return err
	})
	if err != nil {
		return err
	}
	file, err := snapshot.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	verify := func() error { return file.VerifyChecksums(context.Background()) }
	if err := verify(); err != nil { // which warms the page cache
		return err
	}
	verified, err := median(verifications, verify)
	all := int64(0)
	*lines = []results.Line{{Key: of, Open: open}}
	for _, s := range file.Sections() {
		key := results.Key{Suite: results.Section, Products: of.Products, Section: s.Kind.String()}
		*lines = append(*lines, results.Line{Key: key, Bytes: s.Length})
		all += s.Length
	}
	(*lines)[0].VerifyPace = float64(all) / verified.Seconds()
	return err
}

// Heap answers questions and keeps nothing of them, and tells the most of Go's heap in use then.
func (w *Worker) Heap(questions []question, bytes *int64) error {
	e, err := w.opened()
	if err != nil {
		return err
	}
	var memory goruntime.MemStats
	for i := range questions {
		if _, err := e.Ask(&questions[i]); err != nil {
			return err
		}
		goruntime.ReadMemStats(&memory)
		*bytes = max(*bytes, int64(memory.HeapInuse))
	}
	return nil
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

package main

import (
	"context"
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

// open measures what sabine's snapshot costs a server to open, to verify and in Go's heap, and how large its
// sections are. The heap is that of a process of its own, which holds only what answers and is asked all
// questions.
func (p *panel) open(catalogue string) {
	dir := filepath.Join(p.dir, results.Sabine)
	line := results.Line{Key: results.Key{Suite: results.Open, Engine: results.Sabine, Products: len(p.products)},
		SourceBytes: sizeOf(catalogue)}
	w := start(setupOf(results.Sabine), dir)
	for _, class := range p.classes {
		for i := range class.Questions {
			var heap int64
			w.call("Heap", &class.Questions[i].Query, &heap)
			line.Heap = max(line.Heap, heap)
		}
	}
	w.end()
	path := currentSnapshot(dir)
	line.Open = median(openings, func() {
		file := must(snapshot.Open(path))
		must(indexes.Open(file))
		check(file.Close())
	})
	file := must(snapshot.Open(path))
	defer file.Close()
	verify := func() { check(file.VerifyChecksums(context.Background())) }
	verify() // which warms the page cache
	verified := median(verifications, verify)
	all, lines := int64(0), []results.Line{line}
	for _, s := range file.Sections() {
		key := results.Key{Suite: results.Section, Products: line.Products, Section: s.Kind.String()}
		lines = append(lines, results.Line{Key: key, Bytes: s.Length})
		all += s.Length
	}
	lines[0].VerifyPace = float64(all) / verified.Seconds()
	check(p.file.Add(lines...))
}

// median returns the median time of n runs.
func median(n int, run func()) time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		start := time.Now()
		run()
		all[i] = time.Since(start)
	}
	slices.Sort(all)
	return all[n/2]
}

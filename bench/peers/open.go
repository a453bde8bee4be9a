package main

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"io"
	goruntime "runtime"
	"runtime/debug"
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

// measureOpen tells what sabine's snapshot costs a server: it opens it again and again, and then answers questions from it, in a
// process that holds nothing but what answers. Behind that line come those of the sections.
func measureOpen(dir string, in io.Reader) ([]results.Line, error) {
	lines, err := measureFile(dir)
	if err != nil {
		return nil, err
	}
	debug.SetGCPercent(serverGCPercent)
	e, err := openSabine(dir)
	if err != nil {
		return nil, err
	}
	questions := gob.NewDecoder(bufio.NewReader(in))
	var memory goruntime.MemStats
	for {
		var q question
		if err := questions.Decode(&q); errors.Is(err, io.EOF) {
			return lines, e.Close()
		} else if err != nil {
			return nil, err
		}
		if _, err := e.Ask(&q); err != nil {
			return nil, err
		}
		goruntime.ReadMemStats(&memory)
		lines[0].Heap = max(lines[0].Heap, int64(memory.HeapInuse))
	}
}

func measureFile(dir string) ([]results.Line, error) {
	path, err := currentSnapshot(dir)
	if err != nil {
		return nil, err
	}
	products := 0
	open, err := median(openings, func() error {
		file, err := snapshot.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		index, err := indexes.Open(file)
		if err == nil {
			products = index.Meta.Products
		}
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
	if err := verify(); err != nil { // which warms the page cache
		return nil, err
	}
	verified, err := median(verifications, verify)
	lines := []results.Line{{Key: results.Key{Suite: results.Open, Engine: results.Sabine, Products: products}, Open: open}}
	all := int64(0)
	for _, s := range file.Sections() {
		key := results.Key{Suite: results.Section, Products: products, Section: s.Kind.String()}
		lines = append(lines, results.Line{Key: key, Bytes: s.Length})
		all += s.Length
	}
	lines[0].VerifyPace = float64(all) / verified.Seconds()
	return lines, err
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

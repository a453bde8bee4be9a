package main

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"time"

	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// An opened says what sabine's snapshot costs a server.
type opened struct {
	Products int
	Open     time.Duration // without verification
	Verify   time.Duration // of the checksums of all sections
	Bytes    int64
	Sections []section
	Heap     uint64 // the most of Go's heap in use while questions were answered
}

type section struct {
	Name  string
	Bytes int64
}

// serverGCPercent is what sabine serve sets GOGC to.
const serverGCPercent = 400

// How often it is opened and verified; the median counts.
const (
	openings      = 50
	verifications = 5
)

// openApart measures a snapshot in a process of its own, which holds nothing but what answers.
func openApart(o *options, questions []question) (result opened, err error) {
	w, err := start(roleOpen, setups[0].name, filepath.Join(o.dir, setups[0].name))
	if err != nil {
		return result, err
	}
	for i := range questions {
		if err := w.questions.Encode(&questions[i]); err != nil {
			return result, errors.Join(fmt.Errorf("asking %s: %w", w.name, err), w.end())
		}
	}
	if err := w.stdin.Close(); err != nil {
		return result, err
	}
	err = w.replies.Decode(&result)
	return result, errors.Join(err, w.command.Wait())
}

// measureOpen opens a snapshot again and again, and then answers the questions from it.
func measureOpen(dir string, in io.Reader) (o opened, err error) {
	if err := o.open(dir); err != nil {
		return o, err
	}
	debug.SetGCPercent(serverGCPercent)
	e, err := openSabine(dir)
	if err != nil {
		return o, err
	}
	questions := gob.NewDecoder(bufio.NewReader(in))
	var memory goruntime.MemStats
	for {
		var q question
		if err := questions.Decode(&q); errors.Is(err, io.EOF) {
			return o, e.Close()
		} else if err != nil {
			return o, err
		}
		if _, err := e.Ask(&q); err != nil {
			return o, err
		}
		goruntime.ReadMemStats(&memory)
		o.Heap = max(o.Heap, memory.HeapInuse)
	}
}

func (o *opened) open(dir string) error {
	folder := snapshot.Folder{Dir: dir}
	name, err := folder.Current()
	if err != nil {
		return err
	}
	o.Open, err = median(openings, func() error {
		file, err := snapshot.Open(folder.Path(name))
		if err != nil {
			return err
		}
		defer file.Close()
		index, err := indexes.Open(file)
		if err == nil {
			o.Products = index.Meta.Products
		}
		return err
	})
	if err != nil {
		return err
	}
	file, err := snapshot.Open(folder.Path(name))
	if err != nil {
		return err
	}
	defer file.Close()
	verify := func() error { return file.VerifyChecksums(context.Background()) }
	if err := verify(); err != nil { // which warms the page cache
		return err
	}
	o.Verify, err = median(verifications, verify)
	for _, s := range file.Sections() {
		o.Sections = append(o.Sections, section{s.Kind.String(), s.Length})
		o.Bytes += s.Length
	}
	return err
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

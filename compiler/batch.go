package compiler

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"golang.org/x/sync/errgroup"

	"sabine/dataset"
	"sabine/indexes"
)

// A batch is a group of records in input order. It goes from the reader to a worker and then to the
// collector, and is reused.
type batch struct {
	items []item
	bytes int           // total size of the records' JSON
	out   []byte        // entries for the spill, concatenated
	done  chan struct{} // receives a token when a worker has processed every item
}

// An item is a record, or the fault that prevented reading it, with a worker's results.
type item struct {
	raw       dataset.Raw
	fault     *dataset.Fault // when not nil, why the record could not be read
	parsed    dataset.Parsed
	corrected dataset.Corrected

	// For a published product:
	document         indexes.Document // without collation keys
	start, body, end int              // entry in out: the document up to body, then the body
}

// A batch is full at either limit. The limits bound the memory for records in the pipeline.
const (
	batchItems = 64
	batchBytes = 256 << 10
)

// maxRetained is the largest buffer, in bytes, that a batch retains for its next use.
const maxRetained = 8 << 20

func (b *batch) reset() {
	clear(b.items) // drops the records
	b.items, b.bytes = b.items[:0], 0
	if b.out = b.out[:0]; cap(b.out) > maxRetained {
		b.out = nil
	}
}

func (b *batch) full() bool { return len(b.items) == batchItems || b.bytes >= batchBytes }

// A pipeline passes records through workers and preserves their order. Each batch goes to the
// workers and, at the same time, into the queue of the collector, which waits for the batches one by one.
type pipeline struct {
	jobs  int
	begin func() func(*batch, *item) // makes the function that processes items in one goroutine
	free  chan *batch                // unused batches; their number bounds the records in the pipeline
	work  chan *batch
	queue chan *batch
}

func newPipeline(jobs int, begin func() func(*batch, *item)) *pipeline {
	n := 2*jobs + 2 // per worker one in progress and one waiting; one being filled, one being collected
	l := &pipeline{jobs: jobs, begin: begin, free: make(chan *batch, n), work: make(chan *batch, n),
		queue: make(chan *batch, n)}
	for range n {
		l.free <- &batch{done: make(chan struct{}, 1)}
	}
	return l
}

// start begins to pass all records through the pipeline, in goroutines of group. collect receives the batches
// in order, in one goroutine. ctx is the group's context. The group does not wait for the records when ctx
// ends, because an input can need seconds to read the next record in a table or to notice the end.
func (l *pipeline) start(ctx context.Context, group *errgroup.Group, records iter.Seq2[dataset.Raw, error],
	collect func(*batch) error) {
	fed := make(chan error, 1)
	go func() {
		defer close(l.work)
		defer close(l.queue)
		fed <- l.feed(ctx, records)
	}()
	group.Go(func() error {
		select {
		case err := <-fed:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	for range l.jobs {
		group.Go(func() error { return l.process(ctx) })
	}
	group.Go(func() error { return l.collect(ctx, collect) })
}

// feed fills batches with records.
func (l *pipeline) feed(ctx context.Context, records iter.Seq2[dataset.Raw, error]) error {
	var b *batch
	for raw, err := range records {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		it := item{raw: raw}
		if err != nil && !errors.As(err, &it.fault) {
			return fmt.Errorf("read the inputs: %w", err)
		}
		if b == nil {
			select {
			case b = <-l.free:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		b.items = append(b.items, it)
		if b.bytes += len(raw.JSON); b.full() {
			l.send(b)
			b = nil
		}
	}
	if b != nil {
		l.send(b)
	}
	return ctx.Err()
}

// send passes a batch on. It never blocks: both channels have room for all batches.
func (l *pipeline) send(b *batch) {
	l.work <- b
	l.queue <- b
}

// process processes batches until the channel is closed.
func (l *pipeline) process(ctx context.Context) error {
	work := l.begin()
	for {
		b, err := next(ctx, l.work)
		if b == nil {
			return err
		}
		for i := range b.items {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			work(b, &b.items[i])
		}
		b.done <- struct{}{}
	}
}

// next returns the next batch. It returns nil after the last one, or when the context ends.
func next(ctx context.Context, batches <-chan *batch) (*batch, error) {
	select {
	case b := <-batches:
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// collect passes finished batches to a function in order.
func (l *pipeline) collect(ctx context.Context, collect func(*batch) error) error {
	for {
		b, err := next(ctx, l.queue)
		if b == nil {
			return err
		}
		select {
		case <-b.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := collect(b); err != nil {
			return err
		}
		b.reset()
		l.free <- b
	}
}

// A worker processes a record as far as possible without other records. It is not safe for concurrent use.
type worker struct {
	renderer    *renderer
	analyser    *analyser
	corrections *dataset.Corrections // nil: none
}

func newWorker() *worker { return &worker{renderer: newRenderer(), analyser: newAnalyser()} }

// work corrects and parses a record, and renders and analyses it when it is a published product.
func (w *worker) work(b *batch, it *item) {
	if it.fault != nil {
		return
	}
	it.parsed, it.corrected = w.corrections.Parse(it.raw)
	it.raw.JSON = nil // no longer needed
	p := it.parsed.Product
	if p == nil || !p.Published {
		return
	}
	document := w.analyser.document(p)
	it.start = len(b.out)
	b.out = appendDocument(b.out, &document)
	it.body = len(b.out)
	b.out = w.renderer.appendRecord(b.out, p)
	it.end = len(b.out)
	document.CollationDE, document.CollationEN = nil, nil // owned by the analyser
	it.document = document
}

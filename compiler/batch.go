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

// A batch is a group of records in input order. The reader passes it to a worker and then to the collector.
// It is reused afterwards.
type batch struct {
	items []item
	bytes int           // total size of the records' JSON in bytes
	out   []byte        // entries for the spill, one after another
	done  chan struct{} // receives a value after a worker has processed all items
}

// An item is a record, or the fault that prevented reading a record, with the results of a worker.
type item struct {
	raw       dataset.Raw
	fault     *dataset.Fault // why the record could not be read; nil if it was read
	parsed    dataset.Parsed
	corrected dataset.Corrected

	// The following fields are set for a published product.
	document         indexes.Document // without collation keys
	start, body, end int              // entry in out: the document from start to body, then the body
}

// A batch is full when it reaches either limit. The limits bound the memory for records in the pipeline.
const (
	batchItems = 64
	batchBytes = 256 << 10
)

// maxRetained is the maximum size in bytes of a buffer that a batch retains for reuse.
const maxRetained = 8 << 20

func (b *batch) reset() {
	clear(b.items) // frees the records
	b.items, b.bytes = b.items[:0], 0
	if b.out = b.out[:0]; cap(b.out) > maxRetained {
		b.out = nil
	}
}

// A pipeline passes records through workers and preserves their order. Each batch is sent to the workers and
// simultaneously to the queue of the collector, which waits for one batch after another.
type pipeline struct {
	jobs  int
	begin func() func(*batch, *item) // returns the function that processes items in one goroutine
	free  chan *batch                // unused batches; their number limits the records in the pipeline
	work  chan *batch
	queue chan *batch
}

func newPipeline(jobs int, begin func() func(*batch, *item)) *pipeline {
	n := 2*jobs + 2 // one in progress and one waiting for each worker, one being filled, one being collected
	l := &pipeline{jobs: jobs, begin: begin, free: make(chan *batch, n), work: make(chan *batch, n),
		queue: make(chan *batch, n)}
	for range n {
		l.free <- &batch{done: make(chan struct{}, 1)}
	}
	return l
}

// start starts passing all records through the pipeline, in goroutines of group, whose context is ctx.
// collect receives the batches in order, in one goroutine. When ctx ends, the group does not wait for the
// records, because an input can need seconds to read the next record of a table or to notice the end.
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

// feed reads records into batches.
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
		if b.bytes += len(raw.JSON); len(b.items) == batchItems || b.bytes >= batchBytes {
			l.send(b)
			b = nil
		}
	}
	if b != nil {
		l.send(b)
	}
	return ctx.Err()
}

// send passes a batch on. It never blocks, since both channels have capacity for all batches.
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

// next returns the next batch, or nil after the last batch or when the context ends.
func next(ctx context.Context, batches <-chan *batch) (*batch, error) {
	select {
	case b := <-batches:
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// collect passes finished batches to a function, in input order.
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

// A worker does the work on a record that needs no other records. It is not safe for concurrent use.
type worker struct {
	renderer    *renderer
	analyser    *analyser
	corrections *dataset.Corrections // nil if there are none
}

func newWorker() *worker { return &worker{renderer: newRenderer(), analyser: newAnalyser()} }

// work corrects and parses a record. If the record is a published product, work also renders and analyses it.
func (w *worker) work(b *batch, it *item) {
	if it.fault != nil {
		return
	}
	it.parsed, it.corrected = w.corrections.Parse(it.raw)
	it.raw.JSON = nil // frees the memory
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
	document.CollationDE, document.CollationEN = nil, nil // the analyser reuses their memory
	it.document = document
}

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
	document         indexes.Document // without collation keys, which are only in the batch's out
	start, body, end int              // entry in out: the document from start to body, then the body until end
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

// A pipeline passes records through workers and preserves their order. Each batch is sent to toWork, from
// which any worker takes it, and simultaneously to toCollect. The collector takes the batches from toCollect
// in order, and waits until each one is done.
type pipeline struct {
	jobs      int         // number of workers
	newWork   newWork     // called once in each worker's goroutine
	free      chan *batch // unused batches; their number limits the records in the pipeline
	toWork    chan *batch
	toCollect chan *batch
}

// A newWork is called in the goroutine of a worker. It returns the function that processes the worker's items.
type newWork func() func(*batch, *item)

func newPipeline(jobs int, newWork newWork) *pipeline {
	n := 2*jobs + 2 // one in progress and one waiting for each worker, one being filled, one being collected
	p := &pipeline{jobs, newWork, make(chan *batch, n), make(chan *batch, n), make(chan *batch, n)}
	for range n {
		p.free <- &batch{done: make(chan struct{}, 1)}
	}
	return p
}

// start starts passing all records through the pipeline, in goroutines of group, whose context is ctx.
// receive is called with the finished batches in input order, in one goroutine, and must not retain them.
// When ctx ends, the group does not wait for the records, because an input can need seconds to read the next
// record of a table or to notice the end.
func (p *pipeline) start(ctx context.Context, group *errgroup.Group, records iter.Seq2[dataset.Raw, error],
	receive func(*batch) error) {
	fed := make(chan error, 1)
	go func() {
		defer close(p.toWork)
		defer close(p.toCollect)
		fed <- p.feed(ctx, records)
	}()
	group.Go(func() error {
		select {
		case err := <-fed:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	for range p.jobs {
		group.Go(func() error { return p.process(ctx) })
	}
	group.Go(func() error { return p.collect(ctx, receive) })
}

// feed reads records into batches and sends them. A record that could not be read becomes an item with a fault.
func (p *pipeline) feed(ctx context.Context, records iter.Seq2[dataset.Raw, error]) error {
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
			case b = <-p.free:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		b.items = append(b.items, it)
		if b.bytes += len(raw.JSON); len(b.items) == batchItems || b.bytes >= batchBytes {
			p.send(b)
			b = nil
		}
	}
	if b != nil {
		p.send(b)
	}
	return ctx.Err()
}

// send passes a batch on. It never blocks, since both channels have capacity for all batches.
func (p *pipeline) send(b *batch) {
	p.toWork <- b
	p.toCollect <- b
}

// process processes batches until the channel is closed.
func (p *pipeline) process(ctx context.Context) error {
	work := p.newWork()
	for {
		b, err := next(ctx, p.toWork)
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

// collect calls receive with the finished batches in input order, and reuses each batch afterwards.
func (p *pipeline) collect(ctx context.Context, receive func(*batch) error) error {
	for {
		b, err := next(ctx, p.toCollect)
		if b == nil {
			return err
		}
		select {
		case <-b.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := receive(b); err != nil {
			return err
		}
		b.reset()
		p.free <- b
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
	document.CollationDE, document.CollationEN = nil, nil // the next document overwrites them; b.out has a copy
	it.document = document
}

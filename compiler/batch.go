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

// A batch is some records in input order, handed from the reader to a worker and on to the collector. Batches
// are reused.
type batch struct {
	items []item
	bytes int           // of the records' text
	out   []byte        // the entries for the spill, one behind the other
	done  chan struct{} // a worker puts one token in when it has worked on every item
}

// An item is a record, or the fault of what could not be read as one, and what a worker made of it.
type item struct {
	raw    dataset.Raw
	fault  *dataset.Fault // when not nil, why it could not be read
	parsed dataset.Parsed
	done   dataset.Corrected

	// Of a published product:
	document         indexes.Document // without its collation keys
	start, body, end int              // its entry in the batch's out: the document, then from body on the body
}

// A batch is full at either number, which bounds the memory of the records under way.
const (
	batchItems = 64
	batchBytes = 256 << 10
)

// maxKept is the largest buffer that a batch keeps for its next use.
const maxKept = 8 << 20

func (b *batch) reset() {
	clear(b.items) // drops the records
	b.items, b.bytes = b.items[:0], 0
	if b.out = b.out[:0]; cap(b.out) > maxKept {
		b.out = nil
	}
}

func (b *batch) full() bool { return len(b.items) == batchItems || b.bytes >= batchBytes }

// A line passes records through the workers and keeps their order: each batch goes to the workers and, at the
// same time, into a queue of the collector, which waits for each in turn.
type line struct {
	jobs  int
	begin func() func(*batch, *item) // begins a goroutine that works on items
	free  chan *batch                // batches not in use; their number bounds what is under way
	work  chan *batch
	queue chan *batch
}

func newLine(jobs int, begin func() func(*batch, *item)) *line {
	n := 2*jobs + 2 // one at each worker and one waiting for it, one being filled, one being collected
	l := &line{jobs: jobs, begin: begin, free: make(chan *batch, n), work: make(chan *batch, n),
		queue: make(chan *batch, n)}
	for range n {
		l.free <- &batch{done: make(chan struct{}, 1)}
	}
	return l
}

// start begins to pass all records through, in goroutines of a group that has the context; collect gets the
// batches in order, in one goroutine. The group does not wait for the records when the context ends: what an
// input needs until it yields the next one, or notices the end, may be seconds of work on a table.
func (l *line) start(ctx context.Context, group *errgroup.Group, records iter.Seq2[dataset.Raw, error],
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
func (l *line) feed(ctx context.Context, records iter.Seq2[dataset.Raw, error]) error {
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

// send passes a batch on. It never waits: both channels have room for every batch that there is.
func (l *line) send(b *batch) {
	l.work <- b
	l.queue <- b
}

// process works on batches until there are no more.
func (l *line) process(ctx context.Context) error {
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

// next returns the next batch, nil at the end of them or of the context.
func next(ctx context.Context, batches <-chan *batch) (*batch, error) {
	select {
	case b := <-batches:
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// collect hands batches on in their order, each when it is done.
func (l *line) collect(ctx context.Context, collect func(*batch) error) error {
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

// A worker does everything to a record that does not need the other records. It is for one goroutine.
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
	it.parsed, it.done = w.corrections.Parse(it.raw)
	it.raw.JSON = nil // not needed any more
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
	document.CollationDE, document.CollationEN = nil, nil // the analyser's
	it.document = document
}

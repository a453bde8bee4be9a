package compiler

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"sabine/dataset"
)

// readSize is how much is read from an input at a time, ahead of what is parsed.
const readSize = 256 << 10

// guarded returns inputs that stop when the context ends, even while a read of a pipe or terminal waits for data, and
// that add what is read to count.
func guarded(ctx context.Context, inputs []dataset.Input, count *atomic.Int64) []dataset.Input {
	all := make([]dataset.Input, len(inputs))
	for i, in := range inputs {
		all[i] = dataset.Input{Name: in.Name, Open: func() (io.ReadCloser, error) {
			r, err := in.Open()
			if err != nil {
				return nil, err
			}
			return readAhead(ctx, r, count), nil
		}}
	}
	return all
}

// sizeOf returns how many bytes the inputs have together, 0 when one of them does not know.
func sizeOf(inputs []dataset.Input) (bytes int64) {
	for _, in := range inputs {
		if in.Size == 0 {
			return 0
		}
		bytes += in.Size
	}
	return bytes
}

// An aheadReader reads an input in a goroutine of its own, one piece ahead.
type aheadReader struct {
	ctx    context.Context // of the build, for every Read
	count  *atomic.Int64
	pieces chan piece
	spare  chan []byte   // buffers of pieces that were read out
	closed chan struct{} // closed by Close
	close  sync.Once
	ended  chan struct{} // closed by the goroutine at its end
	buf    []byte        // of the piece in hand
	rest   []byte        // what is left of that piece
	err    error         // behind rest
}

// A piece is what one read gave.
type piece struct {
	buf []byte // all of the buffer
	n   int
	err error
}

func readAhead(ctx context.Context, r io.ReadCloser, count *atomic.Int64) *aheadReader {
	a := &aheadReader{ctx: ctx, count: count,
		pieces: make(chan piece), spare: make(chan []byte, 2), closed: make(chan struct{}), ended: make(chan struct{})}
	a.spare <- make([]byte, readSize)
	a.spare <- make([]byte, readSize)
	go a.run(r)
	return a
}

// run reads until the end, a fault, or Close.
func (a *aheadReader) run(r io.ReadCloser) {
	defer close(a.ended)
	defer func() { _ = r.Close() }()
	for {
		var p piece
		select {
		case p.buf = <-a.spare:
		case <-a.closed:
			return
		}
		p.n, p.err = r.Read(p.buf)
		select {
		case a.pieces <- p:
		case <-a.closed:
			return
		}
		if p.err != nil {
			return
		}
	}
}

func (a *aheadReader) Read(b []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.err != nil {
			return 0, a.err
		}
		if a.buf != nil {
			a.spare <- a.buf
			a.buf = nil
		}
		select {
		case p := <-a.pieces:
			a.buf, a.rest, a.err = p.buf, p.buf[:p.n], p.err
		case <-a.ctx.Done():
			a.err = a.ctx.Err()
		}
	}
	n := copy(b, a.rest)
	a.rest = a.rest[n:]
	a.count.Add(int64(n))
	return n, nil
}

// Close ends the goroutine and waits for it, unless the build was interrupted: then a read that still waits for data,
// which nothing can end, is left behind.
func (a *aheadReader) Close() error {
	a.close.Do(func() { close(a.closed) })
	select {
	case <-a.ctx.Done():
	case <-a.ended:
	}
	return nil
}

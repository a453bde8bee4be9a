package compiler

import (
	"context"
	"io"
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
	*io.PipeReader
	ctx   context.Context // of the build
	stop  func() bool     // stops waiting for the end of ctx
	ended chan struct{}   // closed by the goroutine at its end
	count *atomic.Int64
}

func readAhead(ctx context.Context, r io.ReadCloser, count *atomic.Int64) *aheadReader {
	from, to := io.Pipe()
	stop := context.AfterFunc(ctx, func() { _ = to.CloseWithError(ctx.Err()) })
	a := &aheadReader{from, ctx, stop, make(chan struct{}), count}
	go func() {
		defer close(a.ended)
		_, err := io.CopyBuffer(to, struct{ io.Reader }{r}, make([]byte, readSize)) // a file's own WriteTo has a smaller buffer
		_ = to.CloseWithError(err)
		_ = r.Close()
	}()
	return a
}

func (a *aheadReader) Read(b []byte) (int, error) {
	n, err := a.PipeReader.Read(b)
	a.count.Add(int64(n))
	return n, err
}

// Close ends the goroutine and waits for it, unless the build was interrupted: then a read that still waits for data,
// which nothing can end, is left behind.
func (a *aheadReader) Close() error {
	a.stop()
	_ = a.PipeReader.Close()
	select {
	case <-a.ctx.Done():
	case <-a.ended:
	}
	return nil
}

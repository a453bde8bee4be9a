package compiler

import (
	"context"
	"io"
	"sync/atomic"

	"sabine/dataset"
)

// readSize is the number of bytes in each read from an input, ahead of the parser.
const readSize = 256 << 10

// cancellable returns inputs whose reads end when the context ends, even if a pipe or terminal is waiting for
// data. It adds the number of bytes read to count.
func cancellable(ctx context.Context, inputs []dataset.Input, count *atomic.Int64) []dataset.Input {
	all := make([]dataset.Input, len(inputs))
	for i, in := range inputs {
		all[i] = in
		all[i].Tables = cancellable(ctx, in.Tables, count)
		all[i].Open = func() (io.ReadCloser, error) {
			r, err := in.Open()
			if err != nil {
				return nil, err
			}
			return readAhead(ctx, r, count), nil
		}
	}
	return all
}

// sizeOf returns the total size of the inputs in bytes, or 0 if the size of any input is unknown.
func sizeOf(inputs []dataset.Input) (bytes int64) {
	for _, in := range inputs {
		size := in.Size
		if len(in.Tables) > 0 {
			size = sizeOf(in.Tables)
		}
		if size == 0 {
			return 0
		}
		bytes += size
	}
	return bytes
}

// An aheadReader reads an input in a separate goroutine, one buffer ahead, until the context ends.
type aheadReader struct {
	*io.PipeReader
	stop  func() bool // cancels the callback that runs when the context ends
	count *atomic.Int64
}

func readAhead(ctx context.Context, r io.ReadCloser, count *atomic.Int64) *aheadReader {
	from, to := io.Pipe()
	stop := context.AfterFunc(ctx, func() { _ = to.CloseWithError(ctx.Err()) })
	go func() {
		// The struct hides WriteTo of a file, which would use a smaller buffer.
		_, err := io.CopyBuffer(to, struct{ io.Reader }{r}, make([]byte, readSize))
		_ = r.Close() // close r before the pipe, so that all inputs are closed when all have been read
		_ = to.CloseWithError(err)
	}()
	return &aheadReader{from, stop, count}
}

func (a *aheadReader) Read(b []byte) (int, error) {
	n, err := a.PipeReader.Read(b)
	a.count.Add(int64(n))
	return n, err
}

// Close does not wait for the goroutine, which ends after its current read. A read from a pipe or terminal
// cannot be interrupted and can wait for data forever.
func (a *aheadReader) Close() error {
	a.stop()
	return a.PipeReader.Close()
}

package compiler

import (
	"context"
	"io"
	"sync/atomic"

	"sabine/dataset"
)

// readSize is how much is read from an input at a time, ahead of what is parsed.
const readSize = 256 << 10

// guarded returns inputs that stop when the context ends, even while a read of a pipe or terminal waits for
// data, and that add what is read to count.
func guarded(ctx context.Context, inputs []dataset.Input, count *atomic.Int64) []dataset.Input {
	all := make([]dataset.Input, len(inputs))
	for i, in := range inputs {
		all[i] = in
		all[i].Tables = guarded(ctx, in.Tables, count)
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

// sizeOf returns how many bytes the inputs have together, 0 when one of them does not know.
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

// An aheadReader reads an input in a goroutine of its own, one piece ahead, until the context ends.
type aheadReader struct {
	*io.PipeReader
	stop  func() bool // stops waiting for the end of the context
	count *atomic.Int64
}

func readAhead(ctx context.Context, r io.ReadCloser, count *atomic.Int64) *aheadReader {
	from, to := io.Pipe()
	stop := context.AfterFunc(ctx, func() { _ = to.CloseWithError(ctx.Err()) })
	go func() {
		// A file's own WriteTo has a smaller buffer.
		_, err := io.CopyBuffer(to, struct{ io.Reader }{r}, make([]byte, readSize))
		_ = r.Close() // first, so that a build which has read everything has closed everything
		_ = to.CloseWithError(err)
	}()
	return &aheadReader{from, stop, count}
}

func (a *aheadReader) Read(b []byte) (int, error) {
	n, err := a.PipeReader.Read(b)
	a.count.Add(int64(n))
	return n, err
}

// Close does not wait for the goroutine, which ends with its read of the input: one of a pipe or terminal may
// wait for data for ever, and nothing can end that.
func (a *aheadReader) Close() error {
	a.stop()
	return a.PipeReader.Close()
}

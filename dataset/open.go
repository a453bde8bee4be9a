package dataset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A compression is a supported compression format.
type compression struct {
	name, suffix, magic string
	open                func(io.Reader) (io.ReadCloser, error)
}

var compressions = []compression{
	{"gzip", ".gz", "\x1f\x8b", func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
	{"zstd", ".zst", "\x28\xb5\x2f\xfd", openZstd},
}

// maxZstdWindow is the maximum window of a zstd stream in bytes. With --long, the zstd command accepts the
// same window.
const maxZstdWindow = 128 << 20

func openZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// plainName returns the name of an input in lower case and without a compression extension.
func plainName(name string) string {
	name = strings.ToLower(name)
	for _, c := range compressions {
		if plain, ok := strings.CutSuffix(name, c.suffix); ok {
			return plain
		}
	}
	return name
}

// isLinesName reports whether the file with the given name is NDJSON.
func isLinesName(name string) bool {
	name = plainName(name)
	return strings.HasSuffix(name, ".ndjson") || strings.HasSuffix(name, ".jsonl")
}

// A sourceError is a failure to read an input, in contrast to a fault in its content. It has no Unwrap
// method, because a failure that wraps io.EOF is not the end of the input.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return e.err.Error() }

// source wraps read failures in a sourceError, to distinguish them from decompressor errors.
type source struct{ r io.Reader }

func (s source) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &sourceError{err}
	}
	return n, err
}

// opened is the decompressed text of an input.
type opened struct {
	text io.ReadCloser
	file io.Closer
	ctx  context.Context // ends the reading, if not nil
}

func (o *opened) Read(b []byte) (int, error) {
	if o.ctx != nil && o.ctx.Err() != nil {
		return 0, &sourceError{o.ctx.Err()}
	}
	return o.text.Read(b)
}

// Close closes the file first: zstd reads ahead, and its Close waits for the read to end.
// It ignores errors, because the file was only read.
func (o *opened) Close() error {
	_ = o.file.Close()
	_ = o.text.Close()
	return nil
}

// openInput opens and decompresses an input.
func openInput(ctx context.Context, in Input) (io.ReadCloser, error) {
	file, err := in.Open()
	if err != nil {
		return nil, err
	}
	text, err := decompressed(in.Name, bufio.NewReaderSize(source{file}, windowSize))
	if err != nil {
		_ = file.Close() // report the first error
		return nil, err
	}
	return &opened{text, file, ctx}, nil
}

// OpenText opens the decompressed text of an input that contains no records. Reading fails when the context
// ends. Read errors name the input. For damaged compressed data, the error is a *Fault.
func OpenText(ctx context.Context, in Input) (io.ReadCloser, error) {
	text, err := openInput(ctx, in)
	if err != nil {
		return nil, err
	}
	return &namedText{ReadCloser: text, name: in.Name}, nil
}

// A namedText is the text of an input. Its errors report the name and the location of damage.
type namedText struct {
	io.ReadCloser
	name string
	at   int64 // number of bytes read
}

func (t *namedText) Read(b []byte) (int, error) {
	n, err := t.ReadCloser.Read(b)
	t.at += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = unreadable(t.name, t.at, err)
	}
	return n, err
}

// decompressed returns the decompressed text. It detects the compression by the first bytes. It returns a
// *Fault if the name has a compression extension but the text is not compressed.
func decompressed(name string, r *bufio.Reader) (io.ReadCloser, error) {
	head, err := r.Peek(4)
	var failed *sourceError
	if errors.As(err, &failed) {
		return nil, unreadable(name, 0, err)
	}
	for _, c := range compressions {
		if bytes.HasPrefix(head, []byte(c.magic)) {
			text, err := c.open(r)
			if err != nil {
				return nil, unreadable(name, 0, err)
			}
			return text, nil
		}
	}
	for _, c := range compressions {
		if strings.HasSuffix(strings.ToLower(name), c.suffix) {
			return nil, &Fault{Place: inInput(name, -1), Problem: "not " + c.name + " data, although the name ends in " + c.suffix}
		}
	}
	return io.NopCloser(r), nil
}

// unreadable returns the error for an input that cannot be read after an offset. It is a *Fault if the
// content is damaged. Other errors mean that the read failed.
func unreadable(name string, offset int64, err error) error {
	var failed *sourceError
	switch {
	case errors.As(err, &failed):
		return fmt.Errorf("%s: %w", name, failed.err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Fault{Place: inInput(name, offset), Problem: "the compressed data is truncated here"}
	}
	return &Fault{Place: inInput(name, offset), Problem: "the compressed data is damaged: " + err.Error()}
}

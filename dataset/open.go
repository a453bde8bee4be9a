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

// A compression is a form that an input may be compressed in.
type compression struct {
	name, suffix, magic string
	open                func(io.Reader) (io.ReadCloser, error)
}

var compressions = []compression{
	{"gzip", ".gz", "\x1f\x8b", func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
	{"zstd", ".zst", "\x28\xb5\x2f\xfd", openZstd},
}

// maxZstdWindow is the memory that a zstd stream may ask for, what zstd's own tool allows with --long.
const maxZstdWindow = 128 << 20

func openZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// plainName returns an input's name in lower case, without the extension of a compression.
func plainName(name string) string {
	name = strings.ToLower(name)
	for _, c := range compressions {
		if plain, ok := strings.CutSuffix(name, c.suffix); ok {
			return plain
		}
	}
	return name
}

// isLinesName reports whether a name says that the input is NDJSON.
func isLinesName(name string) bool {
	name = plainName(name)
	return strings.HasSuffix(name, ".ndjson") || strings.HasSuffix(name, ".jsonl")
}

const vocabularyFileName = "vocabulary.json"

// A sourceError is a failure to read an input, as opposed to a fault in its content. It does not unwrap: a
// failure that happens to wrap io.EOF is not the end of the input.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return e.err.Error() }

// source marks failures to read so that they differ from the errors of a decompressor.
type source struct{ r io.Reader }

func (s source) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &sourceError{err}
	}
	return n, err
}

// opened is an input's decompressed text.
type opened struct {
	text io.ReadCloser
	file io.Closer
	ctx  context.Context // ends the text, if not nil
}

func (o *opened) Read(b []byte) (int, error) {
	if o.ctx != nil && o.ctx.Err() != nil {
		return 0, &sourceError{o.ctx.Err()}
	}
	return o.text.Read(b)
}

// Close closes the file first: zstd reads ahead, and its Close waits for that read.
func (o *opened) Close() {
	_ = o.file.Close() // it was only read
	_ = o.text.Close()
}

// openInput opens an input and what it is compressed with.
func openInput(ctx context.Context, in Input) (*opened, error) {
	file, err := in.Open()
	if err != nil {
		return nil, err
	}
	text, err := decompressed(in.Name, bufio.NewReaderSize(source{file}, windowSize))
	if err != nil {
		_ = file.Close() // it was not read
		return nil, err
	}
	return &opened{text, file, ctx}, nil
}

// OpenText opens an input of another form than records: its text without what it is compressed with, until
// the context ends. Errors of reading name the input; those of damaged compressed data are a *Fault.
func OpenText(ctx context.Context, in Input) (io.ReadCloser, error) {
	o, err := openInput(ctx, in)
	if err != nil {
		return nil, err
	}
	return &namedText{opened: o, name: in.Name}, nil
}

// A namedText is the text of an input, whose errors say where it is damaged.
type namedText struct {
	*opened
	name string
	at   int64
}

func (t *namedText) Read(b []byte) (int, error) {
	n, err := t.opened.Read(b)
	t.at += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = unreadable(t.name, t.at, err)
	}
	return n, err
}

// Close ends reading.
func (t *namedText) Close() error {
	t.opened.Close()
	return nil
}

// decompressed returns the text of what may be compressed, which its first bytes tell, or else its name. A
// *Fault says that it is not compressed as its name says.
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

// unreadable returns why an input cannot be read on from an offset: a *Fault if its content is damaged, any
// other error if the reading of it fails.
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

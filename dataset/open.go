package dataset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"

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

// isVocabularyName reports whether a name says that the input is a vocabulary.
func isVocabularyName(name string) bool {
	return plainName(filepath.Base(name)) == vocabularyFileName
}

const vocabularyFileName = "vocabulary.json"

// A sourceError is a failure to read an input, as opposed to a fault in its content. It does not unwrap: a failure that
// happens to wrap io.EOF is not the end of the input.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return e.err.Error() }

// source counts what is read, and marks failures to read so that they differ from the errors of a decompressor.
type source struct {
	r    io.Reader
	read *atomic.Int64
}

func (s *source) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	s.read.Add(int64(n))
	if err != nil && err != io.EOF {
		err = &sourceError{err}
	}
	return n, err
}

// opened is an input's decompressed text.
type opened struct {
	io.Reader
	closers []io.Closer // innermost first
}

func (o *opened) Close() {
	for i := len(o.closers) - 1; i >= 0; i-- {
		_ = o.closers[i].Close() // it was only read
	}
}

// ending is a text that ends with a context, when there is one.
type ending struct {
	ctx  context.Context
	text io.Reader
}

func (e *ending) Read(b []byte) (int, error) {
	if e.ctx != nil && e.ctx.Err() != nil {
		return 0, &sourceError{e.ctx.Err()}
	}
	return e.text.Read(b)
}

// openInput opens an input and what it is compressed with, which its first bytes tell, or else its name. A *Fault says
// that it is not compressed as its name says.
func openInput(in Input, read *atomic.Int64) (*opened, error) {
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	o := &opened{closers: []io.Closer{r}}
	buffered := bufio.NewReaderSize(&source{r, read}, windowSize)
	o.Reader = buffered
	if err := o.decompress(in.Name, buffered); err != nil {
		o.Close()
		return nil, err
	}
	return o, nil
}

func (o *opened) decompress(name string, r *bufio.Reader) error {
	head, err := r.Peek(4)
	var failed *sourceError
	if errors.As(err, &failed) {
		return fmt.Errorf("%s: %w", name, failed.err)
	}
	for _, c := range compressions {
		if bytes.HasPrefix(head, []byte(c.magic)) {
			return o.decompressAs(c, name, r)
		}
	}
	for _, c := range compressions {
		if strings.HasSuffix(strings.ToLower(name), c.suffix) {
			return &Fault{Place: Place{Input: name, Index: -1, Offset: -1}, Problem: "not " + c.name + ", which its name says it is"}
		}
	}
	return nil
}

func (o *opened) decompressAs(c compression, name string, r io.Reader) error {
	inner, err := c.open(r)
	var failed *sourceError
	switch {
	case errors.As(err, &failed):
		return fmt.Errorf("%s: %w", name, failed.err)
	case err != nil:
		return &Fault{Place: Place{Input: name, Index: -1, Offset: 0}, Problem: damaged(err)}
	}
	o.Reader = inner
	o.closers = append(o.closers, inner)
	return nil
}

// damaged says why compressed data cannot be read to its end.
func damaged(err error) string {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "the compressed data is cut off here"
	}
	return "the compressed data is damaged: " + err.Error()
}

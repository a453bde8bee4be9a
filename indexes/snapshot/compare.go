package snapshot

import (
	"bytes"
	"context"
	"fmt"
)

// Compare returns a Writer that does not write a file. It compares each written section with the section of
// the same kind in f. Sections may be written in any order. Writes return a *CorruptError for the first byte
// that differs, for a different section length, and for a section that f lacks. Call Compared at the end.
func Compare(f *File) *Writer {
	return &Writer{Context: context.Background(), sink: &comparison{file: f}}
}

// Compared ends a comparison. It returns the kinds of the sections that f contains but that were not written.
func (w *Writer) Compared() (left []Kind, err error) {
	if err := w.endSection(); err != nil {
		return nil, err
	}
	for _, s := range w.sink.(*comparison).file.sections {
		if find(w.sections, s.Kind) == nil {
			left = append(left, s.Kind)
		}
	}
	w.sink = nil
	return left, nil
}

// A comparison is a sink that compares the written bytes with the sections of a file.
type comparison struct {
	file *File
	open *Cursor // reader of the current section; it stores the first error
}

func (c *comparison) begin(kind Kind, _ int) (SectionInfo, error) {
	c.open = c.file.Cursor(kind)
	return SectionInfo{Kind: kind}, c.open.Err()
}

func (c *comparison) Write(p []byte) (int, error) {
	start := c.open.Offset()
	got := c.open.Bytes(uint64(min(len(p), c.open.left())))
	if bytes.Equal(got, p) {
		return len(p), nil
	}
	at := 0
	for at < len(got) && got[at] == p[at] {
		at++
	}
	c.open.Fail(start+at, fmt.Sprintf("%q, as written by this program, not %q", excerpt(p[at:]), excerpt(got[at:])))
	return at, c.open.Err()
}

func excerpt(b []byte) []byte { return b[:min(len(b), 16)] }

func (c *comparison) end(*SectionInfo) error {
	if more := c.open.left(); more > 0 {
		c.open.Fail(c.open.Offset(), fmt.Sprintf("the end of the section, as written by this program, not %d more bytes", more))
	}
	return c.open.Err()
}

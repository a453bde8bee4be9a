package dataset

import (
	"bytes"
	"io"
)

// A window is the part of an input that is in memory: what is being read, and what was read ahead. Lines are
// found in it, and a decoder of JSON reads it.
type window struct {
	r     io.Reader
	buf   []byte
	pos   int   // of the next byte, in buf
	mark  int   // the bytes from here on are kept, in buf; -1: none are
	start int64 // offset of buf[0] in the input
	line  int   // 1-based, of the next byte
	err   error // of r, io.EOF at the end
	left  int   // how many bytes a decoder may read yet

	dropped bool // the marked text outgrew maxRecordBytes and was let go
}

// windowSize is how much is read at a time.
const windowSize = 128 << 10

func newWindow(r io.Reader) *window {
	return &window{r: r, buf: make([]byte, 0, windowSize), mark: -1, line: 1}
}

// offset returns the offset of the next byte in the input.
func (w *window) offset() int64 { return w.start + int64(w.pos) }

// keep marks the next byte: text will return what is read from there on.
func (w *window) keep() { w.mark, w.dropped = w.pos, false }

// text returns what was read since keep. The next read overwrites it.
func (w *window) text() []byte { return w.buf[w.mark:w.pos] }

// release ends what keep began.
func (w *window) release() { w.mark = -1 }

// skip moves past n bytes.
func (w *window) skip(n int) {
	w.line += bytes.Count(w.buf[w.pos:w.pos+n], []byte{'\n'})
	w.pos += n
}

// back moves back by n bytes, which must be among those that were kept, or read since the last call of more.
func (w *window) back(n int) {
	w.pos -= n
	w.line -= bytes.Count(w.buf[w.pos:w.pos+n], []byte{'\n'})
}

// more reads on. It returns false at the end of the input, or when it cannot be read: see err.
func (w *window) more() bool {
	if w.err != nil {
		return false
	}
	if w.mark >= 0 && w.pos-w.mark > maxRecordBytes {
		w.dropped, w.mark = true, w.pos
	}
	from := w.pos
	if w.mark >= 0 {
		from = w.mark
	}
	// else there is room behind: a decompressor reads little at a time
	if kept := w.buf[from:]; len(kept) == 0 || len(w.buf) == cap(w.buf) {
		if len(kept) > cap(w.buf)/2 {
			w.buf = make([]byte, 0, 2*cap(w.buf))
		}
		w.buf = append(w.buf[:0], kept...)
		w.start += int64(from)
		w.pos -= from
		if w.mark >= 0 {
			w.mark = 0
		}
	}
	for range 100 { // as bufio.Reader does, lest a reader that gives nothing hold us forever
		n, err := w.r.Read(w.buf[len(w.buf):cap(w.buf)])
		w.buf = w.buf[:len(w.buf)+n]
		w.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	w.err = io.ErrNoProgress
	return false
}

// Read reads for a decoder.
func (w *window) Read(b []byte) (int, error) {
	switch _, ok := w.peek(); {
	case w.left <= 0:
		return 0, errTooLong
	case !ok:
		return 0, w.err
	}
	n := copy(b[:min(len(b), w.left)], w.buf[w.pos:])
	w.left -= n
	w.skip(n)
	return n, nil
}

// peek returns the next byte; ok is false when there is none.
func (w *window) peek() (c byte, ok bool) {
	if w.pos == len(w.buf) && !w.more() {
		return 0, false
	}
	return w.buf[w.pos], true
}

// skipSpace moves to the next byte that is not white space and returns it.
func (w *window) skipSpace() (c byte, ok bool) {
	for {
		ahead := w.buf[w.pos:]
		w.skip(len(ahead) - len(bytes.TrimLeft(ahead, space)))
		if w.pos < len(w.buf) {
			return w.buf[w.pos], true
		}
		if !w.more() {
			return 0, false
		}
	}
}

// skipBOM moves past a byte-order mark.
func (w *window) skipBOM() {
	for len(w.buf) < 3 && w.more() {
	}
	if bytes.HasPrefix(w.buf, []byte("\uFEFF")) {
		w.pos = 3
	}
}

// skipLine moves past the next newline, or to the end of the input. It returns false if it was there already.
func (w *window) skipLine() bool {
	if _, ok := w.peek(); !ok {
		return false
	}
	for {
		if i := bytes.IndexByte(w.buf[w.pos:], '\n'); i >= 0 {
			w.pos += i + 1
			w.line++
			return true
		}
		w.pos = len(w.buf)
		if !w.more() {
			return true
		}
	}
}

// rewind moves back to where keep was called, or as far as what followed is in memory.
func (w *window) rewind() {
	w.back(w.pos - w.mark)
	w.release()
}

package dataset

import (
	"bytes"
	"io"
)

// A window is the part of an input that is in memory: the current text and the read-ahead. It finds lines,
// and a JSON decoder reads from it.
type window struct {
	r     io.Reader
	buf   []byte
	pos   int   // index of the next byte in buf
	mark  int   // index in buf of the start of the retained text; -1: no text is retained
	start int64 // offset of buf[0] in the input
	line  int   // 1-based line of the next byte
	err   error // error of r; io.EOF at the end
	left  int   // number of bytes that a decoder can still read; set by reading.peek

	dropped bool // whether the marked text exceeded maxRecordBytes and was discarded
}

// windowSize is the initial size of the buffer in bytes.
const windowSize = 128 << 10

func newWindow(r io.Reader) *window {
	return &window{r: r, buf: make([]byte, 0, windowSize), mark: -1, line: 1}
}

// offset returns the offset of the next byte in the input.
func (w *window) offset() int64 { return w.start + int64(w.pos) }

// setMark marks the next byte as the start of the text that text returns.
func (w *window) setMark() { w.mark, w.dropped = w.pos, false }

// text returns the text since setMark. It is valid until the next read.
func (w *window) text() []byte { return w.buf[w.mark:w.pos] }

// clearMark removes the mark, so that the text need not be retained.
func (w *window) clearMark() { w.mark = -1 }

// skip moves forward by n bytes.
func (w *window) skip(n int) {
	w.line += bytes.Count(w.buf[w.pos:w.pos+n], []byte{'\n'})
	w.pos += n
}

// unread moves back by n bytes, which must be in the marked text or read since the last call to more.
func (w *window) unread(n int) {
	w.pos -= n
	w.line -= bytes.Count(w.buf[w.pos:w.pos+n], []byte{'\n'})
}

// more reads more text. It returns false at the end of the input or after a read error, which err contains.
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
	// Move the retained text only if the buffer is full, because a decompressor returns little at a time.
	if retained := w.buf[from:]; len(retained) == 0 || len(w.buf) == cap(w.buf) {
		if len(retained) > cap(w.buf)/2 {
			w.buf = make([]byte, 0, 2*cap(w.buf))
		}
		w.buf = append(w.buf[:0], retained...)
		w.start += int64(from)
		w.pos -= from
		if w.mark >= 0 {
			w.mark = 0
		}
	}
	for range 100 { // like bufio.Reader: do not loop forever if a reader returns nothing
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

// Read implements io.Reader for a JSON decoder.
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

// peek returns the next byte, or ok = false if there is none.
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

// skipBOM moves past a byte-order mark at the beginning of the input.
func (w *window) skipBOM() {
	for len(w.buf) < 3 && w.more() {
	}
	if bytes.HasPrefix(w.buf, []byte("\uFEFF")) {
		w.pos = 3
	}
}

// skipLine moves past the next newline or to the end of the input. It returns false if the input has ended.
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

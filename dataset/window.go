package dataset

import (
	"bytes"
	"io"
)

// A window is the part of an input that is in memory: the text being read, and what was read ahead. It finds the ends of
// JSON values and lines by brackets, quotes and newlines alone, so that a catalogue of any size can be read record by
// record; the text of each record is inspected afterwards.
type window struct {
	r     io.Reader
	buf   []byte
	pos   int   // of the next byte, in buf
	mark  int   // the bytes from here on are kept, in buf; -1: none are
	start int64 // offset of buf[0] in the input
	err   error // of r, io.EOF at the end

	dropped bool // the marked text outgrew maxRecordBytes and was let go

	counted  int64 // offset up to which newlines are counted
	newlines int
}

// windowSize is how much is read at a time.
const windowSize = 128 << 10

func newWindow(r io.Reader) *window {
	return &window{r: r, buf: make([]byte, 0, windowSize), mark: -1}
}

// offset returns the offset of the next byte in the input.
func (w *window) offset() int64 { return w.start + int64(w.pos) }

// line returns the 1-based line of the next byte.
func (w *window) line() int {
	w.countLines()
	return w.newlines + 1
}

func (w *window) countLines() {
	if w.counted < w.offset() {
		w.newlines += bytes.Count(w.buf[w.counted-w.start:w.pos], []byte{'\n'})
		w.counted = w.offset()
	}
}

// keep marks the next byte: text will return what is read from there on.
func (w *window) keep() { w.mark, w.dropped = w.pos, false }

// text returns what was read since keep. The next read overwrites it.
func (w *window) text() []byte { return w.buf[w.mark:w.pos] }

// since returns what was read from an offset on, which must not lie before keep; nil if it was dropped.
func (w *window) since(offset int64) []byte {
	if offset < w.start {
		return nil
	}
	return w.buf[offset-w.start : w.pos]
}

// rewind moves back to where keep was called; it returns false if that is no longer in memory.
func (w *window) rewind() bool {
	if w.dropped || w.mark < 0 {
		return false
	}
	w.countLines()
	w.newlines -= bytes.Count(w.text(), []byte{'\n'})
	w.pos = w.mark
	w.counted = w.offset()
	return true
}

// tooLong reports whether what was read since keep is longer than a record may be. Its text is not complete then.
func (w *window) tooLong() bool { return w.dropped || w.pos-w.mark > maxRecordBytes }

// release ends what keep began.
func (w *window) release() { w.mark = -1 }

// more reads on. It returns false at the end of the input, or when it cannot be read: see err.
func (w *window) more() bool {
	if w.err != nil {
		return false
	}
	w.countLines()
	if w.mark >= 0 && w.pos-w.mark > maxRecordBytes {
		w.dropped, w.mark = true, w.pos
	}
	from := w.pos
	if w.mark >= 0 {
		from = w.mark
	}
	if kept := w.buf[from:]; len(kept) == 0 || len(w.buf) == cap(w.buf) { // else there is room behind: a decompressor reads little at a time
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
		for ; w.pos < len(w.buf); w.pos++ {
			if !isSpace(w.buf[w.pos]) {
				return w.buf[w.pos], true
			}
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

// skipLine moves past the next newline, or to the end of the input. The line without its newline is the first length bytes
// of text; ok is false if there are no more lines.
func (w *window) skipLine() (length int, ok bool) {
	if _, ok := w.peek(); !ok {
		return 0, false
	}
	for {
		if i := bytes.IndexByte(w.buf[w.pos:], '\n'); i >= 0 {
			w.pos += i + 1
			return w.pos - 1 - w.mark, true
		}
		w.pos = len(w.buf)
		if !w.more() {
			return w.pos - w.mark, true
		}
	}
}

// skipValue moves past the value that begins here, as far as brackets, quotes and commas tell. If the value is broken at
// the next byte, expected says what should have been there; otherwise it is "".
func (w *window) skipValue() (expected string) {
	c, ok := w.peek()
	if !ok {
		return "a value"
	}
	switch c {
	case '"':
		return w.skipString()
	case '{', '[':
		return w.skipNested()
	}
	return w.skipScalar()
}

// skipNested counts both kinds of brackets together: the inspection finds those that do not match.
func (w *window) skipNested() (expected string) {
	depth := 0
	for {
		for w.pos < len(w.buf) {
			switch w.buf[w.pos] {
			case '"':
				if expected := w.skipString(); expected != "" {
					return expected
				}
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					w.pos++
					return ""
				}
			}
			w.pos++
		}
		if !w.more() {
			return "the end of the object or array that begins before"
		}
	}
}

func (w *window) skipString() (expected string) {
	w.pos++
	for {
		w.pos += plainBytes(w.buf[w.pos:])
		c, ok := w.peek()
		switch {
		case !ok:
			return "the quote that ends the text"
		case c == '"':
			w.pos++
			return ""
		case c == '\\':
			w.pos++
			if _, ok := w.peek(); !ok {
				return "an escape"
			}
			w.pos++
		case c < ' ':
			return "a control character as an escape"
		}
	}
}

// skipScalar skips what may be a number or a literal: the inspection finds what is neither.
func (w *window) skipScalar() (expected string) {
	for length := 0; ; length++ {
		c, ok := w.peek()
		isPart := ok && ('0' <= c && c <= '9' || 'a' <= lowerASCII(c) && lowerASCII(c) <= 'z' || c == '-' || c == '+' || c == '.')
		switch {
		case !isPart && length == 0:
			return "a value"
		case !isPart:
			return ""
		}
		w.pos++
	}
}

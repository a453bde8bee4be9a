package jsonwriter

import (
	"io"
	"strconv"
)

// A Text is compact JSON in the making. Commas come by themselves. The zero value is an empty text.
type Text struct {
	// ShortEscapes writes line ends and tabs as \n, \r and \t, and not by their numbers. The bodies of snapshots
	// have them so, and what hashes those bytes must find them again.
	ShortEscapes bool

	b []byte
}

// Reset empties the text and keeps its memory.
func (t *Text) Reset() { t.b = t.b[:0] }

// Reuse makes the text an empty one that writes into the capacity of b.
func (t *Text) Reuse(b []byte) { t.b = b[:0] }

// Bytes returns the text, which the next Reset makes invalid.
func (t *Text) Bytes() []byte { return t.b }

// Len returns how many bytes the text has.
func (t *Text) Len() int { return len(t.b) }

// Truncate takes everything back that was written after the first n bytes.
func (t *Text) Truncate(n int) { t.b = t.b[:n] }

// Again appends a stretch of the text as it is and returns where it begins now.
func (t *Text) Again(start, end int) int {
	n := len(t.b)
	t.b = append(t.b, t.b[start:end]...)
	return n
}

// Flush writes the text to w and drops it, but for its last byte, which decides whether a comma follows.
func (t *Text) Flush(w io.Writer) error {
	last := len(t.b) - 1
	_, err := w.Write(t.b[:last])
	t.b[0] = t.b[last]
	t.b = t.b[:1]
	return err
}

// next puts the comma before an element or a key, unless it is the first one or the value of a key.
func (t *Text) next() {
	if n := len(t.b); n > 0 {
		switch t.b[n-1] { // no value ends so: a string ends with its quote
		case '{', '[', ':':
		default:
			t.b = append(t.b, ',')
		}
	}
}

// Object writes an object with the members that the function writes.
func (t *Text) Object(members func()) {
	t.next()
	t.b = append(t.b, '{')
	members()
	t.b = append(t.b, '}')
}

// Array writes an array with the elements that the function writes.
func (t *Text) Array(elements func()) {
	t.next()
	t.b = append(t.b, '[')
	elements()
	t.b = append(t.b, ']')
}

// Key writes the key of the next member; its value follows.
func (t *Text) Key(name string) *Text {
	t.String(name)
	t.b = append(t.b, ':')
	return t
}

// QuotedKey is Key for a name that is JSON already, with its colon.
func (t *Text) QuotedKey(name string) {
	t.next()
	t.b = append(t.b, name...)
}

// KeyInt is Key for a number.
func (t *Text) KeyInt(name int) *Text {
	t.next()
	t.b = append(appendInt(append(t.b, '"'), int64(name)), '"', ':')
	return t
}

// KeyNumber writes a member whose key is a whole number and whose value is a finite one. Most members of a
// record are such: coefficients by their bands.
func (t *Text) KeyNumber(name int, v float64) {
	t.next()
	t.b = AppendNumber(append(appendInt(append(t.b, '"'), int64(name)), '"', ':'), v)
}

// String writes a string.
func (t *Text) String(s string) {
	t.next()
	t.b = appendString(t.b, s, t.ShortEscapes)
}

// Strings writes an array of strings, empty when there are none.
func (t *Text) Strings(list []string) {
	t.Array(func() {
		for _, s := range list {
			t.String(s)
		}
	})
}

// Number writes a finite number.
func (t *Text) Number(v float64) {
	t.next()
	t.b = AppendNumber(t.b, v)
}

// Int writes a whole number.
func (t *Text) Int(n int64) {
	t.next()
	t.b = appendInt(t.b, n)
}

// Bool writes true or false.
func (t *Text) Bool(v bool) {
	t.next()
	t.b = strconv.AppendBool(t.b, v)
}

// Null writes null.
func (t *Text) Null() {
	t.next()
	t.b = append(t.b, "null"...)
}

// Raw writes a value that is JSON already.
func (t *Text) Raw(json []byte) {
	t.next()
	t.b = append(t.b, json...)
}

// Line ends the text with a newline and returns it.
func (t *Text) Line() []byte {
	t.b = append(t.b, '\n')
	return t.b
}

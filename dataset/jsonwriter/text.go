package jsonwriter

import (
	"io"
	"strconv"
)

// A Text builds compact JSON and inserts commas. The zero value is empty.
type Text struct {
	// ShortEscapes writes line ends and tabs as \n, \r and \t instead of \u escapes. Snapshot bodies have
	// this form. It must not change, because the bytes are hashed.
	ShortEscapes bool

	b []byte
}

// Reset empties the text and retains its memory.
func (t *Text) Reset() { t.b = t.b[:0] }

// Reuse empties the text and makes it use the memory of b.
func (t *Text) Reuse(b []byte) { t.b = b[:0] }

// Bytes returns the text. It is valid until the next Reset.
func (t *Text) Bytes() []byte { return t.b }

// Len returns the length of the text in bytes.
func (t *Text) Len() int { return len(t.b) }

// Truncate removes everything after the first n bytes.
func (t *Text) Truncate(n int) { t.b = t.b[:n] }

// Again appends a copy of a span of the text and returns the offset of the copy.
func (t *Text) Again(start, end int) int {
	n := len(t.b)
	t.b = append(t.b, t.b[start:end]...)
	return n
}

// Flush writes all bytes except the last one to w and removes them. The last byte determines whether a comma
// follows. The text must not be empty.
func (t *Text) Flush(w io.Writer) error {
	last := len(t.b) - 1
	_, err := w.Write(t.b[:last])
	t.b[0] = t.b[last]
	t.b = t.b[:1]
	return err
}

// next writes a comma if it follows an element or a member.
func (t *Text) next() {
	if n := len(t.b); n > 0 {
		switch t.b[n-1] { // no value ends with these bytes: a string ends with its quote
		case '{', '[', ':':
		default:
			t.b = append(t.b, ',')
		}
	}
}

// Object writes an object. The function writes its members.
func (t *Text) Object(members func()) {
	t.next()
	t.b = append(t.b, '{')
	members()
	t.b = append(t.b, '}')
}

// Array writes an array. The function writes its elements.
func (t *Text) Array(elements func()) {
	t.next()
	t.b = append(t.b, '[')
	elements()
	t.b = append(t.b, ']')
}

// Key writes the key of the next member. The caller writes the value next.
func (t *Text) Key(name string) *Text {
	t.String(name)
	t.b = append(t.b, ':')
	return t
}

// QuotedKey is like Key for a name that is already JSON with its colon.
func (t *Text) QuotedKey(name string) {
	t.next()
	t.b = append(t.b, name...)
}

// KeyInt is like Key for a number.
func (t *Text) KeyInt(name int) *Text {
	t.next()
	t.b = append(appendInt(append(t.b, '"'), int64(name)), '"', ':')
	return t
}

// String writes a string.
func (t *Text) String(s string) {
	t.next()
	t.b = appendString(t.b, s, t.ShortEscapes)
}

// Strings writes an array of strings. A nil slice becomes an empty array.
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

// Raw writes a value that is already JSON.
func (t *Text) Raw(json []byte) {
	t.next()
	t.b = append(t.b, json...)
}

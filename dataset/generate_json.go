package dataset

import (
	"strconv"
	"unicode/utf8"
)

// jsonText builds the text of one record. It sets commas by itself: a member or element that follows another gets one.
type jsonText struct {
	b []byte
}

func (j *jsonText) reset() { j.b = j.b[:0] }

// line ends the record and returns it.
func (j *jsonText) line() []byte {
	j.b = append(j.b, '\n')
	return j.b
}

// next sets the comma before a member or an element.
func (j *jsonText) next() {
	if n := len(j.b); n > 0 {
		switch j.b[n-1] {
		case '{', '[', ':', '\n':
		default:
			j.b = append(j.b, ',')
		}
	}
}

func (j *jsonText) key(name string) {
	j.string(name)
	j.b = append(j.b, ':')
}

func (j *jsonText) object(members func()) {
	j.next()
	j.b = append(j.b, '{')
	members()
	j.b = append(j.b, '}')
}

func (j *jsonText) array(elements func()) {
	j.next()
	j.b = append(j.b, '[')
	elements()
	j.b = append(j.b, ']')
}

func (j *jsonText) string(s string) {
	j.next()
	j.b = appendJSONString(j.b, s)
}

func (j *jsonText) number(v float64) {
	j.next()
	j.b = strconv.AppendFloat(j.b, v, 'f', -1, 64)
}

// raw adds a value that is JSON already.
func (j *jsonText) raw(value []byte) {
	j.next()
	j.b = append(j.b, value...)
}

func (j *jsonText) word(literal string) {
	j.next()
	j.b = append(j.b, literal...)
}

func (j *jsonText) null() { j.word("null") }

func (j *jsonText) bool(v bool) { j.word(strconv.FormatBool(v)) }

// text adds a member that is a string, or null when it is "".
func (j *jsonText) text(name, value string) {
	j.key(name)
	if value == "" {
		j.null()
		return
	}
	j.string(value)
}

func (j *jsonText) strings(name string, values []string) { //nolint:unparam // the name belongs to every field
	j.key(name)
	j.array(func() {
		for _, v := range values {
			j.string(v)
		}
	})
}

// appendJSONString appends s in quotes. What the tables of the generator hold is UTF-8, so that only the characters that JSON names are escaped.
func appendJSONString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

package compiler

import (
	"math"
	"strconv"

	"sabine/dataset/acoustics"
)

// jsonText is compact JSON in the making: UTF-8, keys in the order in which they are written, numbers as
// JSON.stringify writes them, strings with no more escapes than JSON asks for. Commas come by themselves.
type jsonText struct{ b []byte }

// open begins an object or array, close ends it; bracket is one of {, [, } and ].
func (t *jsonText) open(bracket byte)  { t.b = append(t.b, bracket) }
func (t *jsonText) close(bracket byte) { t.b = append(t.b, bracket) }

// objects writes an array of n objects, the members of each as members writes them.
func (t *jsonText) objects(n int, members func(i int)) {
	t.open('[')
	for i := range n {
		t.next()
		t.open('{')
		members(i)
		t.close('}')
	}
	t.close(']')
}

// next puts the comma before an element or a key, unless it is the first one.
func (t *jsonText) next() {
	if last := t.b[len(t.b)-1]; last != '{' && last != '[' { // no value ends so: a string ends with its quote
		t.b = append(t.b, ',')
	}
}

// key writes the key of the next field; its value follows.
func (t *jsonText) key(key string) {
	t.next()
	t.b = appendString(t.b, key)
	t.b = append(t.b, ':')
}

func (t *jsonText) null() { t.b = append(t.b, "null"...) }

func (t *jsonText) string(key, value string) {
	t.key(key)
	t.b = appendString(t.b, value)
}

func (t *jsonText) stringOrNull(key string, value *string) {
	t.key(key)
	if value == nil {
		t.null()
		return
	}
	t.b = appendString(t.b, *value)
}

func (t *jsonText) bool(key string, value bool) {
	t.key(key)
	t.b = strconv.AppendBool(t.b, value)
}

func (t *jsonText) number(key string, value float64) {
	t.key(key)
	t.b = appendNumber(t.b, value)
}

func (t *jsonText) numberOrNull(key string, value *float64) {
	t.key(key)
	if value == nil {
		t.null()
		return
	}
	t.b = appendNumber(t.b, *value)
}

func (t *jsonText) integerOrNull(key string, value *int64) {
	t.key(key)
	if value == nil {
		t.null()
		return
	}
	t.b = strconv.AppendInt(t.b, *value, 10)
}

func (t *jsonText) ratingOrNull(key string, value *acoustics.Hundredths) {
	t.key(key)
	if value == nil {
		t.null()
		return
	}
	t.b = appendNumber(t.b, value.Float())
}

// strings writes an array of strings, empty when there are none.
func (t *jsonText) strings(key string, values []string) {
	t.key(key)
	t.open('[')
	for _, v := range values {
		t.next()
		t.b = appendString(t.b, v)
	}
	t.close(']')
}

// curve writes a frequency map, its bands in the ascending order in which a curve has them.
func (t *jsonText) curve(key string, c acoustics.Curve) {
	t.key(key)
	if c == nil {
		t.null()
		return
	}
	t.open('{')
	for _, p := range c {
		t.next()
		t.b = append(t.b, '"')
		t.b = strconv.AppendInt(t.b, int64(p.BandHz), 10)
		t.b = append(t.b, `":`...)
		t.b = appendNumber(t.b, p.Value)
	}
	t.close('}')
}

// appendNumber appends a finite number as ECMAScript's JSON.stringify writes it: the shortest digits that read back the
// same, with an exponent from 1e21 on and below 1e-6, of as few digits as it has; minus zero is 0.
func appendNumber(dst []byte, v float64) []byte {
	if v == 0 {
		return append(dst, '0')
	}
	if abs := math.Abs(v); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, v, 'e', -1, 64)
	if n := len(dst); dst[n-2] == '0' && dst[n-4] == 'e' { // strconv writes two digits at least: 1e-07
		dst = append(dst[:n-2], dst[n-1])
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// appendString appends a string of valid UTF-8 in quotes. Only quotes, backslashes and control characters are escaped.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

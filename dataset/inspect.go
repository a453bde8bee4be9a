package dataset

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// An Inspection is what Inspect found out about a JSON text.
type Inspection struct {
	// Faults make the text unfit although its syntax is right: keys that stand twice in an object, texts that are not UTF-8,
	// numbers beyond float64, more levels than maxDepth. They have a path and a problem only.
	Faults []Fault

	// End is how many bytes were inspected: all, unless the text stops being JSON there, and Expected says what should have been
	// there, or is too deep there, as the last fault says.
	End      int
	Expected string
}

// Inspect reads a JSON text from end to end, once, before anything else looks at it: gjson, which reads the fields later,
// relies on the text being JSON, takes the first of two equal keys and passes over bad UTF-8.
func Inspect(text []byte) Inspection {
	in := inspectors.Get().(*inspector)
	*in = inspector{text: text, validUTF8: utf8.Valid(text), steps: in.steps[:0], keys: in.keys[:0]}
	in.space()
	if in.value(1) {
		in.space()
		if in.pos < len(text) {
			in.fail("the end of the record")
		}
	}
	result := Inspection{in.faults, in.pos, in.expected}
	clear(in.keys[:cap(in.keys)]) // pieces of the text
	clear(in.steps[:cap(in.steps)])
	*in = inspector{steps: in.steps, keys: in.keys}
	inspectors.Put(in)
	return result
}

// inspectors keeps finished inspectors, whose memory the next one uses.
var inspectors = sync.Pool{New: func() any { return new(inspector) }}

// An inspector is one inspection in progress. Its methods return false when it is over: the text is broken or too deep.
type inspector struct {
	text      []byte
	pos       int
	validUTF8 bool // the whole text: the single strings need no look then
	steps     []inspectStep
	keys      [][]byte // of all objects that are being read, the innermost object's last
	faults    []Fault
	expected  string // what should have been at pos
}

// inspectStep is a step whose name is not a string yet, since a path is rarely needed.
type inspectStep struct {
	key   []byte
	index int
}

func (in *inspector) fail(expected string) bool {
	in.expected = expected
	return false
}

// find notes a fault of the value being read.
func (in *inspector) find(problem string) {
	p := make(path, len(in.steps))
	for i, s := range in.steps {
		p[i] = step{string(s.key), s.index}
	}
	in.faults = append(in.faults, Fault{Path: p.String(), Problem: problem})
}

func (in *inspector) space() {
	for in.pos < len(in.text) && isSpace(in.text[in.pos]) {
		in.pos++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// at reports whether the next byte is c.
func (in *inspector) at(c byte) bool { return in.pos < len(in.text) && in.text[in.pos] == c }

// skip moves past the next byte if it is c, and reports whether it was.
func (in *inspector) skip(c byte) bool {
	if !in.at(c) {
		return false
	}
	in.pos++
	return true
}

// value reads one value, which lies depth levels deep if it is an array or object.
func (in *inspector) value(depth int) bool {
	if in.pos == len(in.text) {
		return in.fail("a value")
	}
	switch in.text[in.pos] {
	case '{', '[':
		if depth > maxDepth {
			in.find("more than " + strconv.Itoa(maxDepth) + " levels deep")
			return false
		}
		return in.nested(depth, in.text[in.pos] == '{')
	case '"':
		content, fault, ok := in.str()
		if ok && (fault || !in.validUTF8) {
			in.checkString(content, fault)
		}
		return ok
	case 't':
		return in.literal("true")
	case 'f':
		return in.literal("false")
	case 'n':
		return in.literal("null")
	}
	return in.number()
}

// nested reads an object or an array.
func (in *inspector) nested(depth int, isObject bool) bool {
	here, end, expected := inspectStep{}, byte(']'), "a comma or the end of the array"
	if isObject {
		here, end, expected = inspectStep{index: -1}, '}', "a comma or the end of the object"
	}
	first := len(in.keys)
	in.steps = append(in.steps, here)
	in.pos++
	in.space()
	for more := !in.at(end); more; {
		if isObject && !in.key() || !in.value(depth+1) {
			return false
		}
		in.space()
		if more = in.skip(','); more {
			in.space()
			if !isObject {
				in.steps[len(in.steps)-1].index++
			}
		}
	}
	if !in.skip(end) {
		return in.fail(expected)
	}
	in.checkKeys(in.keys[first:])
	in.keys = in.keys[:first]
	in.steps = in.steps[:len(in.steps)-1]
	return true
}

// key reads the key of a member, and moves to its value.
func (in *inspector) key() bool {
	if !in.at('"') {
		return in.fail("a key in quotes")
	}
	start := in.pos
	key, fault, ok := in.str()
	if !ok {
		return false
	}
	if bytes.IndexByte(key, '\\') >= 0 {
		key = []byte(gjson.ParseBytes(in.text[start:in.pos]).Str)
	}
	in.keys = append(in.keys, key)
	in.steps[len(in.steps)-1].key = key
	if fault || !in.validUTF8 {
		in.checkString(key, fault)
	}
	in.space()
	if !in.skip(':') {
		return in.fail("a colon behind the key")
	}
	in.space()
	return true
}

// fewKeys is the number of keys up to which comparing all pairs is faster than sorting.
const fewKeys = 32

// checkKeys finds the keys that stand twice in one object.
func (in *inspector) checkKeys(keys [][]byte) {
	if len(keys) > fewKeys {
		sorted := slices.SortedFunc(slices.Values(keys), bytes.Compare)
		for i := 1; i < len(sorted); i++ {
			if bytes.Equal(sorted[i-1], sorted[i]) && (i == 1 || !bytes.Equal(sorted[i-2], sorted[i])) {
				in.duplicateKey(sorted[i])
			}
		}
		return
	}
	for i, key := range keys {
		for _, before := range keys[:i] {
			if len(before) == len(key) && bytes.Equal(before, key) {
				in.duplicateKey(key)
				break
			}
		}
	}
}

func (in *inspector) duplicateKey(key []byte) {
	in.steps[len(in.steps)-1].key = key
	in.find("the key stands twice")
}

// plain are the bytes of a string that mean themselves.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return
}()

// plainBytes returns how many bytes up to the next quote, backslash or control character mean themselves.
func plainBytes(text []byte) (n int) {
	for n < len(text) && plain[text[n]] {
		n++
	}
	return n
}

// str reads a string and returns what is between its quotes. fault is true if an escape is half of a surrogate pair,
// which is no character and has no UTF-8.
func (in *inspector) str() (content []byte, fault, ok bool) {
	in.pos++
	start := in.pos
	for {
		in.pos += plainBytes(in.text[in.pos:])
		if in.pos == len(in.text) {
			return nil, false, in.fail("the quote that ends the text")
		}
		switch in.text[in.pos] {
		case '"':
			in.pos++
			return in.text[start : in.pos-1], fault, true
		case '\\':
			lone, ok := in.escape()
			if !ok {
				return nil, false, false
			}
			fault = fault || lone
		default:
			return nil, false, in.fail("a control character as an escape")
		}
	}
}

// escape reads an escape; lone tells that it is half a surrogate pair without the other half.
func (in *inspector) escape() (lone, ok bool) {
	in.pos++
	if in.pos == len(in.text) {
		return false, in.fail("an escape")
	}
	if in.text[in.pos] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, in.text[in.pos]) < 0 {
			return false, in.fail(`one of " \ / b f n r t u behind the backslash`)
		}
		in.pos++
		return false, true
	}
	unit, ok := in.hex4()
	if !ok || unit < 0xD800 || unit > 0xDFFF {
		return false, ok
	}
	if unit > 0xDBFF || !in.at('\\') || in.pos+1 == len(in.text) || in.text[in.pos+1] != 'u' {
		return true, true
	}
	in.pos++
	unit, ok = in.hex4()
	return unit < 0xDC00 || unit > 0xDFFF, ok
}

// hex4 reads the u and the four digits of an escape.
func (in *inspector) hex4() (unit int, ok bool) {
	for range 4 {
		in.pos++
		digit := -1
		if in.pos < len(in.text) {
			digit = strings.IndexByte("0123456789abcdef", lowerASCII(in.text[in.pos]))
		}
		if digit < 0 {
			return 0, in.fail("four hexadecimal digits behind \\u")
		}
		unit = unit<<4 | digit
	}
	in.pos++
	return unit, true
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// checkString notes what is wrong with a string at the value being read.
func (in *inspector) checkString(content []byte, loneSurrogate bool) {
	if !utf8.Valid(content) {
		in.find("not valid UTF-8")
	}
	if loneSurrogate {
		in.find("half of a surrogate pair, expected Unicode characters")
	}
}

func (in *inspector) literal(word string) bool {
	for i := range len(word) {
		if !in.skip(word[i]) {
			return in.fail(word)
		}
	}
	return true
}

func (in *inspector) number() bool {
	start := in.pos
	minus := in.skip('-')
	if !in.skip('0') && !in.digits() {
		if minus {
			return in.fail("a digit")
		}
		return in.fail("a value")
	}
	if in.skip('.') && !in.digits() {
		return in.fail("a digit behind the point")
	}
	power := in.skip('e') || in.skip('E')
	if power {
		_ = in.skip('+') || in.skip('-')
		if !in.digits() {
			return in.fail("a digit in the exponent")
		}
	}
	if number := in.text[start:in.pos]; power || len(number) > 300 { // shorter ones are below 1e300
		if _, err := strconv.ParseFloat(string(number), 64); err != nil {
			in.find(inOneLine(string(number)) + " is beyond the range of numbers (64-bit floating point)")
		}
	}
	return true
}

// digits reads decimal digits and reports whether there was one.
func (in *inspector) digits() bool {
	start := in.pos
	for in.pos < len(in.text) && '0' <= in.text[in.pos] && in.text[in.pos] <= '9' {
		in.pos++
	}
	return in.pos > start
}

package dataset

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// An Inspection is the result of Inspect.
type Inspection struct {
	// Faults are problems of a text with valid syntax: duplicate keys in an object, invalid UTF-8, numbers
	// out of range for float64, more levels than maxDepth. Only their Path and Problem are set.
	Faults []Fault

	// End is the number of inspected bytes. It is less than the length of the text if the JSON is invalid
	// there, or too deep, as the last fault reports. For invalid JSON, Expected describes the valid
	// continuation.
	End      int
	Expected string
}

// Inspect validates a complete JSON text. It must run first, because gjson, which reads the fields later,
// requires valid JSON, uses the first of two equal keys and ignores invalid UTF-8.
func Inspect(text []byte) Inspection {
	in := inspectors.Get().(*inspector)
	defer inspectors.Put(in)
	if in.begin(text); in.isSound() {
		return Inspection{End: len(text)}
	}
	in.begin(text, lenient...)
	err := in.value()
	result := Inspection{Faults: in.faults, End: in.rest()}
	switch {
	case err == nil && result.End < len(text):
		result.Expected = "the end of the record"
	case err != nil && !errors.Is(err, errTooDeep):
		in.begin(text, lenient...)
		_, err = in.decoder.ReadValue() // reports more precise errors than reading single tokens
		end, expected := syntaxError(err, int64(len(text)))
		result.End, result.Expected = int(end), expected
	}
	return result
}

// lenient are the options of a decoder that stops only at syntax errors.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// inspectors is a pool of inspectors with memory to reuse.
var inspectors = sync.Pool{New: func() any { return new(inspector) }}

// An inspector is the state of an inspection.
type inspector struct {
	text    []byte
	buffer  bytes.Buffer
	decoder jsontext.Decoder
	path    path // path of the current value
	faults  []Fault
}

// begin resets the inspector to the beginning of a text.
func (in *inspector) begin(text []byte, options ...jsontext.Options) {
	in.text, in.buffer, in.path, in.faults = text, *bytes.NewBuffer(text), in.path[:0], nil
	in.decoder.Reset(&in.buffer, options...)
}

// isSound reports whether the text is JSON without faults. It is faster than value, which finds the faults,
// and nearly all texts are sound.
func (in *inspector) isSound() bool {
	for {
		token, err := in.decoder.ReadToken()
		depth := in.decoder.StackDepth()
		if err != nil || depth > maxDepth || token.Kind() == '0' && isOutOfRange(token.String()) {
			return false
		}
		if depth == 0 {
			return in.rest() == len(in.text)
		}
	}
}

// rest returns the offset of the first unread byte that is not white space, or the length of the text.
func (in *inspector) rest() int {
	return len(in.text) - len(bytes.TrimLeft(in.text[in.decoder.InputOffset():], space))
}

// space is JSON's white space.
const space = " \t\r\n"

// isOutOfRange reports whether a number is out of range for float64. Numbers of up to 300 digits without an
// exponent never are.
func isOutOfRange(number string) bool {
	if len(number) <= 300 && strings.IndexByte(number, 'e') < 0 && strings.IndexByte(number, 'E') < 0 {
		return false
	}
	_, err := strconv.ParseFloat(number, 64)
	return err != nil
}

var errTooDeep = errors.New("more than " + strconv.Itoa(maxDepth) + " levels of nesting")

// value reads a value and records its faults. It returns the first syntax error.
func (in *inspector) value() error {
	kind := in.decoder.PeekKind()
	if kind != '{' && kind != '[' {
		text, err := in.decoder.ReadValue()
		if err == nil && kind == '"' {
			in.checkString(text)
		}
		if err == nil && kind == '0' && isOutOfRange(string(text)) {
			in.fault(inOneLine(string(text)) + " is out of range for a 64-bit floating-point number")
		}
		return err
	}
	here := len(in.path)
	if here == maxDepth {
		in.fault(errTooDeep.Error())
		return errTooDeep
	}
	_, _ = in.decoder.ReadToken()
	in.path = append(in.path, step{})
	keys := map[string]bool{}
	for index := 0; in.decoder.PeekKind() != kind+2; index++ { // in ASCII, '}' is '{'+2 and ']' is '['+2
		in.path[here] = element(index)
		if kind == '{' {
			if err := in.key(keys); err != nil {
				return err
			}
		}
		if err := in.value(); err != nil {
			return err
		}
	}
	_, err := in.decoder.ReadToken()
	in.path = in.path[:here]
	return err
}

// key reads the key of a member and replaces the last step of the path by it.
func (in *inspector) key(keys map[string]bool) error {
	text, err := in.decoder.ReadValue()
	if err != nil {
		return err
	}
	key := string(text[1 : len(text)-1])
	if strings.Contains(key, `\`) {
		unquoted, _ := jsontext.AppendUnquote(nil, text) // checkString reports an error
		key = string(unquoted)
	}
	in.path[len(in.path)-1] = member(key)
	in.checkString(text)
	if keys[key] {
		in.fault("duplicate key")
	}
	keys[key] = true
	return nil
}

// checkString records the faults in a string.
func (in *inspector) checkString(text []byte) {
	if !utf8.Valid(text) {
		in.fault("not valid UTF-8")
	}
	if _, err := jsontext.AppendUnquote(nil, bytes.ToValidUTF8(text, nil)); err != nil {
		in.fault("invalid escape sequence: unpaired surrogate")
	}
}

// fault records a fault in the current value.
func (in *inspector) fault(problem string) {
	in.faults = append(in.faults, Fault{Path: in.path.String(), Problem: problem})
}

// expectations map texts in decoder errors to the expected continuation.
var expectations = []struct{ problem, expected string }{
	{"at start of value", "a value"},
	{"at start of string", "a key in quotes"},
	{"member name must be a string", "a key in quotes"},
	{"after object name", "a colon after the key"},
	{"after object value", "a comma or the end of the object"},
	{"after array element", "a comma or the end of the array"},
	{"literal true", "true"},
	{"literal false", "false"},
	{"literal null", "null"},
	{"in number", "a digit"},
	{"escape sequence", `one of " \ / b f n r t after the backslash, or u and four hexadecimal digits`},
	{"non-control character", "an escape sequence for the control character"},
	{"max depth", "at most " + strconv.Itoa(maxDepth) + " levels of nesting"},
}

// syntaxError returns the offset of a decoder error and the expected continuation. end is the end of the
// text.
func syntaxError(err error, end int64) (offset int64, expected string) {
	var syntax *jsontext.SyntacticError
	switch {
	case !errors.As(err, &syntax):
		return end, "a value"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return end, "the rest of the value"
	}
	for _, known := range expectations {
		if strings.Contains(syntax.Err.Error(), known.problem) {
			return syntax.ByteOffset, known.expected
		}
	}
	return syntax.ByteOffset, "JSON: " + syntax.Err.Error()
}

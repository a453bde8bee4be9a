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

// An Inspection is what Inspect found out about a JSON text.
type Inspection struct {
	// Faults make the text unfit although its syntax is right: keys that stand twice in an object, texts that
	// are not UTF-8, numbers beyond float64, more levels than maxDepth. They have a path and a problem only.
	Faults []Fault

	// End is how many bytes were inspected: all, unless the text stops being JSON there, and Expected says what
	// should have been there, or is too deep there, as the last fault says.
	End      int
	Expected string
}

// Inspect reads a JSON text from end to end, once, before anything else looks at it: gjson, which reads the
// fields later, relies on the text being JSON, takes the first of two equal keys and passes over bad UTF-8.
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
		_, err = in.decoder.ReadValue() // its errors are more exact than those of single tokens
		end, expected := syntaxError(err, int64(len(text)))
		result.End, result.Expected = int(end), expected
	}
	return result
}

// lenient are the options of a decoder that reads on after a fault that is no error of syntax.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// inspectors keeps finished inspectors, whose memory the next one uses.
var inspectors = sync.Pool{New: func() any { return new(inspector) }}

// An inspector is one inspection in progress.
type inspector struct {
	text    []byte
	buffer  bytes.Buffer
	decoder jsontext.Decoder
	path    path // to the value being read
	faults  []Fault
}

// begin begins reading a text.
func (in *inspector) begin(text []byte, options ...jsontext.Options) {
	in.text, in.buffer, in.path, in.faults = text, *bytes.NewBuffer(text), in.path[:0], nil
	in.decoder.Reset(&in.buffer, options...)
}

// isSound reports whether the text is JSON without faults, as nearly all are: value, which finds them, takes
// longer.
func (in *inspector) isSound() bool {
	for {
		token, err := in.decoder.ReadToken()
		depth := in.decoder.StackDepth()
		if err != nil || depth > maxDepth || token.Kind() == '0' && isBeyondRange(token.String()) {
			return false
		}
		if depth == 0 {
			return in.rest() == len(in.text)
		}
	}
}

// rest returns where the text goes on after what was read and white space, or its length.
func (in *inspector) rest() int {
	return len(in.text) - len(bytes.TrimLeft(in.text[in.decoder.InputOffset():], space))
}

// space is JSON's white space.
const space = " \t\r\n"

// isBeyondRange reports whether a number has no float64.
func isBeyondRange(number string) bool {
	if len(number) <= 300 && strings.IndexByte(number, 'e') < 0 && strings.IndexByte(number, 'E') < 0 { // below 1e300
		return false
	}
	_, err := strconv.ParseFloat(number, 64)
	return err != nil
}

var errTooDeep = errors.New("more than " + strconv.Itoa(maxDepth) + " levels deep")

// value reads a value and notes its faults, up to an error of syntax.
func (in *inspector) value() error {
	kind := in.decoder.PeekKind()
	if kind != '{' && kind != '[' {
		text, err := in.decoder.ReadValue()
		if err == nil && kind == '"' {
			in.checkString(text)
		}
		if err == nil && kind == '0' && isBeyondRange(string(text)) {
			in.find(inOneLine(string(text)) + " is out of range for a 64-bit floating-point number")
		}
		return err
	}
	here := len(in.path)
	if here == maxDepth {
		in.find(errTooDeep.Error())
		return errTooDeep
	}
	_, _ = in.decoder.ReadToken()
	in.path = append(in.path, element(-1))
	keys := map[string]bool{}
	for in.decoder.PeekKind() != kind+2 { // the bracket's other half
		in.path[here].index++
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

// key reads the key of a member and moves to it.
func (in *inspector) key(keys map[string]bool) error {
	text, err := in.decoder.ReadValue()
	if err != nil {
		return err
	}
	key := string(text[1 : len(text)-1])
	if strings.Contains(key, `\`) {
		unquoted, _ := jsontext.AppendUnquote(nil, text) // checkString notes an error
		key = string(unquoted)
	}
	in.path[len(in.path)-1] = member(key)
	in.checkString(text)
	if keys[key] {
		in.find("duplicate key")
	}
	keys[key] = true
	return nil
}

// checkString notes what is wrong with a string.
func (in *inspector) checkString(text []byte) {
	if !utf8.Valid(text) {
		in.find("not valid UTF-8")
	}
	if _, err := jsontext.AppendUnquote(nil, bytes.ToValidUTF8(text, nil)); err != nil {
		in.find("invalid escape sequence: half of a surrogate pair")
	}
}

// find notes a fault of the value being read.
func (in *inspector) find(problem string) {
	in.faults = append(in.faults, Fault{Path: in.path.String(), Problem: problem})
}

// expectations say what should have been where a decoder's error says that something is wrong.
var expectations = []struct{ where, expected string }{
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
	{"non-control character", "a control character as an escape"},
	{"max depth", "at most " + strconv.Itoa(maxDepth) + " levels"},
}

// syntaxError returns where a decoder found an error of syntax, in a text that ends at an offset, and what
// should have been there.
func syntaxError(err error, end int64) (offset int64, expected string) {
	var syntax *jsontext.SyntacticError
	switch {
	case !errors.As(err, &syntax):
		return end, "a value"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return end, "the rest of the value"
	}
	for _, known := range expectations {
		if strings.Contains(syntax.Err.Error(), known.where) {
			return syntax.ByteOffset, known.expected
		}
	}
	return syntax.ByteOffset, "JSON: " + syntax.Err.Error()
}

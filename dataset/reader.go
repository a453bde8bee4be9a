package dataset

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Raw is the unchecked text of a record, with its place. The text can differ from the input in white space.
// Parse validates the text.
type Raw struct {
	Place Place
	JSON  []byte

	// Faults and Warnings are about the cells from which a conversion made the record. Parse adds them to its
	// result.
	Faults, Warnings []Fault

	// Key refers to the product of a correction. If it is nil, the JSON contains the reference.
	Key *Key

	// Stored is true for a record from a snapshot. It can be larger than a source record, because it contains
	// default values and nulls and longer forms of small numbers.
	Stored bool
}

// A Reader reads the records of several inputs in order and merges their vocabularies. Only one record is in
// memory at a time.
type Reader struct {
	// Context, if not nil, ends the reading: Records yields its error. Closing an input is not sufficient,
	// because a few compressed bytes can expand to gigabytes of text.
	Context context.Context

	inputs     []Input
	ordinal    int // ordinal of the next record
	vocabulary vocabularies
	unknown    map[string]int
	warnings   []Fault
}

// NewReader returns a reader of the inputs.
func NewReader(inputs []Input) *Reader {
	return &Reader{inputs: inputs, unknown: map[string]int{}}
}

// Records yields all records in order. For an unreadable record it yields a *Fault as the error. It continues
// with the next line of NDJSON. In other formats it continues with the next input, and the fault is Whole. An
// error of any other type ends the sequence.
func (r *Reader) Records() iter.Seq2[Raw, error] {
	return func(yield func(Raw, error) bool) {
		for _, in := range r.inputs {
			d := reading{Reader: r, name: in.Name, yield: yield}
			err := d.input(in)
			var fault *Fault
			switch {
			case err == nil:
			case errors.Is(err, errStopped):
				return
			case errors.As(err, &fault):
				fault.Whole = true // the rest of the input is not read
				if d.yieldFault(fault) != nil {
					return
				}
			default:
				yield(Raw{}, err)
				return
			}
		}
	}
}

// Vocabulary returns the merged vocabulary of the inputs, or nil. It is complete when Records has ended.
func (r *Reader) Vocabulary() *Vocabulary { return r.vocabulary.merged }

// Unknown returns the names of unknown members of containers and how often each occurs. It is complete when
// Records has ended.
func (r *Reader) Unknown() map[string]int { return r.unknown }

// Warnings returns the warnings about vocabularies and tables. It is complete when Records has ended.
func (r *Reader) Warnings() []Fault { return r.warnings }

// errStopped is returned when the consumer of Records has stopped.
var errStopped = errors.New("reading was cancelled")

// input reads the input. If it returns a *Fault, the caller continues with the next input.
func (d *reading) input(in Input) error {
	switch {
	case IsSynonymsName(in.Name): // contains no records
		return nil
	case len(in.Tables) > 0:
		return d.convert(in)
	}
	text, err := openInput(d.Context, in)
	if err != nil {
		return err
	}
	defer text.Close()
	d.w = newWindow(text)
	d.w.setMark() // retain what is read before the format is known: Convert needs it
	d.w.skipBOM()
	switch {
	case IsVocabularyName(in.Name):
		return d.vocabularyFile()
	case isLinesName(in.Name):
		return d.lines()
	}
	const expected = "an array, an object or NDJSON"
	c, ok := d.w.skipSpace()
	head := d.w.buf[d.w.mark:]
	d.w.clearMark()
	switch {
	case c == '[':
		return d.arrayFile()
	case c == '{':
		return d.documents()
	case ok && in.Convert != nil:
		all := io.MultiReader(bytes.NewReader(head), text)
		in.Tables = []Input{{Name: in.Name, Open: func() (io.ReadCloser, error) { return io.NopCloser(all), nil }}}
		return d.convert(in)
	case !ok && d.readError() == nil:
		return &Fault{Place: inInput(in.Name, -1), Problem: "empty input, expected " + expected}
	}
	return d.invalid(d.w.offset(), expected)
}

// convert reads the records of tables.
func (d *reading) convert(in Input) error {
	var stopped error
	err := in.Convert(&Conversion{
		Context: cmp.Or(d.Context, context.Background()), Tables: in.Tables, Vocabulary: d.Vocabulary(),
		Warn: func(f Fault) {
			f.Place.Ordinal = d.ordinal // number before the records of the tables
			d.warnings = append(d.warnings, f)
		},
		Yield: func(raw Raw, fault *Fault) bool {
			if fault != nil {
				stopped = d.yieldFault(fault)
			} else {
				stopped = d.yieldRecord(raw)
			}
			return stopped == nil
		},
	})
	return cmp.Or(stopped, err)
}

// A reading is the state of reading an input.
type reading struct {
	*Reader
	name  string
	w     *window // nil if the input consists of tables
	yield func(Raw, error) bool

	json *jsontext.Decoder // reads the window; set by startDecoder
	base int64             // offset of the decoder's first byte in the input
	next int64             // offset of the token that peek found
}

// yieldRecord yields a record.
func (d *reading) yieldRecord(raw Raw) error {
	raw.Place.Ordinal = d.ordinal
	d.ordinal++
	if !d.yield(raw, nil) {
		return errStopped
	}
	return nil
}

// yieldFault yields a fault instead of a record.
func (d *reading) yieldFault(f *Fault) error {
	f.Place.Ordinal = d.ordinal
	d.ordinal++
	if !d.yield(Raw{}, f) {
		return errStopped
	}
	return nil
}

// invalid returns the error for invalid JSON at an offset: the read error if there is one, otherwise a
// *Fault.
func (d *reading) invalid(offset int64, expected string) error {
	if err := d.readError(); err != nil {
		return err // the JSON is incomplete because the read failed
	}
	return &Fault{Place: inInput(d.name, offset), Problem: invalidAt(offset, expected)}
}

// readError returns the error that ended the input, or nil. It is a *Fault if the compressed data is damaged.
func (d *reading) readError() error {
	if d.w.err == nil || errors.Is(d.w.err, io.EOF) {
		return nil
	}
	return unreadable(d.name, d.w.start+int64(len(d.w.buf)), d.w.err)
}

// errTooLong is returned when a record or another value exceeds maxRecordBytes.
var errTooLong = errors.New(overLimit + ", the maximum size of a record")

// lines reads the rest of the input as NDJSON, one record per line.
func (d *reading) lines() error {
	for {
		d.w.clearMark()
		d.w.skipSpace() // also skips blank lines: a small compressed file can contain gigabytes of them
		d.w.setMark()
		place := Place{Input: d.name, Line: d.w.line, Index: -1, Offset: d.w.offset()}
		ok := d.w.skipLine()
		if err := d.readError(); err != nil && !bytes.HasSuffix(d.w.text(), []byte{'\n'}) {
			return err // the last line is incomplete
		}
		if !ok {
			return nil
		}
		record := bytes.TrimRight(d.w.text(), space)
		var err error
		if d.w.dropped || len(record) > maxRecordBytes {
			err = d.yieldFault(&Fault{Place: place, Problem: errTooLong.Error()})
		} else {
			err = d.yieldRecord(Raw{Place: place, JSON: bytes.Clone(record)})
		}
		if err != nil {
			return err
		}
	}
}

// startDecoder starts a new decoder at the next byte. A new decoder reads ahead only a little, while a used
// decoder retains the buffer of its largest value.
func (d *reading) startDecoder() {
	d.base = d.w.offset()
	d.json = jsontext.NewDecoder(d.w, lenient...)
}

// peek returns the kind of the next token, or 0 if there is none, and sets next to its offset. It limits
// the white space before the token, and then the value, to maxRecordBytes each.
func (d *reading) peek() jsontext.Kind {
	d.w.left = maxRecordBytes - len(d.json.UnreadBuffer())
	kind := d.json.PeekKind()
	unread := d.json.UnreadBuffer()
	ahead := bytes.TrimLeft(unread, space)
	if in, length := d.json.StackIndex(d.json.StackDepth()); in != 0 && length > 0 { // a comma or colon is next
		delimiter := ","
		if in == '{' && length%2 == 1 {
			delimiter = ":"
		}
		ahead = bytes.TrimLeft(bytes.TrimPrefix(ahead, []byte(delimiter)), space)
	}
	d.next = d.base + d.json.InputOffset() + int64(len(unread)-len(ahead))
	d.w.left = maxRecordBytes - len(ahead)
	return kind
}

// value reads the value or the key that peek found. It is valid until the next read.
func (d *reading) value() ([]byte, error) {
	value, err := d.json.ReadValue()
	if len(value) > maxRecordBytes {
		return nil, errTooLong
	}
	return value, err
}

// decoderError returns the error for a value that starts at an offset, given the error of the decoder. It
// returns the read error if there is one, otherwise a *Fault.
func (d *reading) decoderError(at int64, err error) error {
	if errors.Is(err, errTooLong) {
		return &Fault{Place: inInput(d.name, at), Problem: errTooLong.Error()}
	}
	offset, expected := syntaxError(err, d.w.offset()-d.base)
	if in, length := d.json.StackIndex(d.json.StackDepth()); in == '{' && length%2 == 0 && expected == "a value" {
		expected = "a key in quotes"
	}
	return d.invalid(max(d.base+offset, d.next), expected) // after an extra comma, report the following token
}

// arrayFile reads an input that is an array.
func (d *reading) arrayFile() error {
	d.startDecoder()
	d.peek()
	if err := d.elements(); err != nil {
		return err
	}
	return d.expectEnd("array")
}

// expectEnd returns an error unless the input ends here, after the value with the given name.
func (d *reading) expectEnd(name string) error {
	d.w.unread(len(d.json.UnreadBuffer()))
	if _, ok := d.w.skipSpace(); ok {
		return d.invalid(d.w.offset(), "the end of the input after the "+name)
	}
	return d.readError()
}

// elements reads the array of records that peek found. It stops at an element that is invalid JSON or too
// long.
func (d *reading) elements() error {
	_, _ = d.json.ReadToken() // the bracket
	for index := 0; d.peek() != ']'; index++ {
		place := Place{Input: d.name, Index: index, Offset: d.next}
		text, err := d.value()
		if err != nil {
			err = d.decoderError(place.Offset, err)
			var fault *Fault
			if errors.As(err, &fault) {
				fault.Place = place
				fault.Problem += "; the rest of the input was not read"
			}
			return err
		}
		if err := d.yieldRecord(Raw{Place: place, JSON: bytes.Clone(text)}); err != nil {
			return err
		}
	}
	_, _ = d.json.ReadToken()
	return nil
}

// invalidAt describes invalid JSON at an offset.
func invalidAt(offset int64, expected string) string {
	return "invalid JSON at byte " + strconv.FormatInt(offset, 10) + ": expected " + expected
}

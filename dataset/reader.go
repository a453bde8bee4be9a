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

// Raw is the text of one record, as it stands in its input but for white space, and where it stood. Only
// Parse says whether the text is JSON and holds what a record must.
type Raw struct {
	Place Place
	JSON  []byte

	// Faults and Warnings are what a conversion found in the cells that the record is made of. Parse passes them
	// on.
	Faults, Warnings []Fault

	// Key is what the product of a correction is looked up by; nil: what its JSON says.
	Key *Key

	// Stored says that the record was made of what a snapshot holds: it may have more bytes than that of a
	// source may, since defaults, nulls and small numbers are longer there.
	Stored bool
}

// A Reader reads the records of several inputs, one after the other, and gathers their vocabularies. It keeps
// one record in memory at a time.
type Reader struct {
	// Context, when not nil, ends the reading: Records yields its error. An input alone can't do that, since a
	// few of its compressed bytes may be gigabytes of text.
	Context context.Context

	inputs     []Input
	ordinal    int // of the next record
	vocabulary vocabularies
	unknown    map[string]int
	warnings   []Fault
}

// NewReader returns a reader of the inputs.
func NewReader(inputs []Input) *Reader {
	return &Reader{inputs: inputs, unknown: map[string]int{}}
}

// Records yields every record in order. For a record that cannot be read it yields a *Fault as the error and
// goes on after it: at the next line of NDJSON, otherwise at the next input, and then the fault is Whole. An
// error of any other type ends the sequence.
func (r *Reader) Records() iter.Seq2[Raw, error] {
	return func(yield func(Raw, error) bool) {
		for _, in := range r.inputs {
			err := r.readInput(in, yield)
			var fault *Fault
			switch {
			case err == nil:
			case errors.Is(err, errEnough):
				return
			case errors.As(err, &fault):
				fault.Whole = true // it ended the reading of the input
				r.number(fault)
				if !yield(Raw{}, fault) {
					return
				}
			default:
				yield(Raw{}, err)
				return
			}
		}
	}
}

// Vocabulary returns what the inputs declared, nil if nothing. It is complete when Records has ended.
func (r *Reader) Vocabulary() *Vocabulary { return r.vocabulary.merged }

// Unknown returns the names of other members of containers than records and vocabulary, and how often each
// occurred. It is complete when Records has ended.
func (r *Reader) Unknown() map[string]int { return r.unknown }

// Warnings returns what is doubtful in the vocabularies. It is complete when Records has ended.
func (r *Reader) Warnings() []Fault { return r.warnings }

// number gives a fault its ordinal among everything that Records yields.
func (r *Reader) number(f *Fault) {
	f.Place.Ordinal = r.ordinal
	r.ordinal++
}

// errEnough says that the consumer of Records has stopped.
var errEnough = errors.New("the records are wanted no longer")

// readInput reads one input. A *Fault it returns ended the reading of this input only.
func (r *Reader) readInput(in Input, yield func(Raw, error) bool) error {
	switch {
	case IsSynonymsName(in.Name): // it has no records
		return nil
	case len(in.Tables) > 0:
		return r.convert(in, yield)
	}
	text, err := openInput(r.Context, in)
	if err != nil {
		return err
	}
	defer text.Close()
	d := reading{Reader: r, name: in.Name, w: newWindow(text), yield: yield}
	d.w.keep()
	d.w.skipBOM()
	switch {
	case IsVocabularyName(in.Name):
		return d.vocabularyFile()
	case isLinesName(in.Name):
		return d.lines()
	}
	const expected = "an array, an object or NDJSON"
	c, ok := d.w.skipSpace()
	begun := d.w.buf[d.w.mark:]
	d.w.release()
	switch {
	case c == '[':
		return d.arrayFile()
	case c == '{':
		return d.documents()
	case ok && in.Convert != nil:
		all := io.MultiReader(bytes.NewReader(begun), text)
		in.Tables = []Input{{Name: in.Name, Open: func() (io.ReadCloser, error) { return io.NopCloser(all), nil }}}
		return r.convert(in, yield)
	case !ok && d.atEnd() == nil:
		return &Fault{Place: inInput(in.Name, -1), Problem: "empty input, expected " + expected}
	}
	return d.invalid(d.w.offset(), expected)
}

// convert reads the records of tables.
func (r *Reader) convert(in Input, yield func(Raw, error) bool) error {
	d := reading{Reader: r, name: in.Name, yield: yield}
	var enough error
	err := in.Convert(&Conversion{
		Context: cmp.Or(r.Context, context.Background()), Tables: in.Tables, Vocabulary: r.Vocabulary(),
		Warn: func(f Fault) {
			f.Place.Ordinal = r.ordinal // it stands before the records of the tables
			r.warnings = append(r.warnings, f)
		},
		Yield: func(raw Raw, fault *Fault) bool {
			if fault != nil {
				enough = d.pass(fault)
			} else {
				enough = d.give(raw)
			}
			return enough == nil
		},
	})
	return cmp.Or(enough, err)
}

// A reading is one input being read.
type reading struct {
	*Reader
	name  string
	w     *window
	yield func(Raw, error) bool

	json *jsontext.Decoder // reads the window
	base int64             // offset of its first byte in the input
	next int64             // offset of the token that peek found
}

// give yields a record.
func (d *reading) give(raw Raw) error {
	raw.Place.Ordinal = d.ordinal
	d.ordinal++
	if !d.yield(raw, nil) {
		return errEnough
	}
	return nil
}

// pass yields a fault after which reading of this input goes on.
func (d *reading) pass(f *Fault) error {
	d.number(f)
	if !d.yield(Raw{}, f) {
		return errEnough
	}
	return nil
}

// invalid returns why the input stops being JSON at an offset: the error of reading it if there is one, else
// a *Fault.
func (d *reading) invalid(offset int64, expected string) error {
	if err := d.atEnd(); err != nil {
		return err // what is missing was not read
	}
	return &Fault{Place: inInput(d.name, offset), Problem: invalidAt(offset, expected)}
}

// atEnd returns nil unless the input could not be read to its end: a *Fault if its content is damaged, any
// other error if it cannot be read.
func (d *reading) atEnd() error {
	if d.w.err == nil || errors.Is(d.w.err, io.EOF) {
		return nil
	}
	return unreadable(d.name, d.w.start+int64(len(d.w.buf)), d.w.err)
}

// tooLong is the fault of a record over maxRecordBytes.
var tooLong = tooMuch + ", the maximum size of a record"

// errTooLong says that a value has more bytes than a record may have.
var errTooLong = errors.New(tooLong)

// lines reads NDJSON from here to the end, one record a line.
func (d *reading) lines() error {
	for {
		d.w.release()
		d.w.skipSpace() // blank lines too, which a small file may have by the gigabyte
		d.w.keep()
		place := Place{Input: d.name, Line: d.w.line, Index: -1, Offset: d.w.offset()}
		ok := d.w.skipLine()
		if newline := bytes.HasSuffix(d.w.text(), []byte{'\n'}); !newline && d.atEnd() != nil {
			return d.atEnd() // the last line is not whole
		}
		if !ok {
			return nil
		}
		record := bytes.TrimRight(d.w.text(), space)
		var err error
		if d.w.dropped || len(record) > maxRecordBytes {
			err = d.pass(&Fault{Place: place, Problem: tooLong})
		} else {
			err = d.give(Raw{Place: place, JSON: bytes.Clone(record)})
		}
		if err != nil {
			return err
		}
	}
}

// decode begins decoding at the next byte. A new decoder reads little ahead, whatever the size of the values
// before.
func (d *reading) decode() {
	d.base = d.w.offset()
	d.json = jsontext.NewDecoder(d.w, lenient...)
}

// peek returns the kind of the next token, 0 if there is none, and finds where it begins.
func (d *reading) peek() jsontext.Kind {
	d.w.left = maxRecordBytes - len(d.json.UnreadBuffer()) // for white space
	kind := d.json.PeekKind()
	unread := d.json.UnreadBuffer()
	ahead := bytes.TrimLeft(unread, space)
	if in, length := d.json.StackIndex(d.json.StackDepth()); in != 0 && length > 0 { // else no comma or colon can be next
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

// value reads the value, or the key, that peek found. Reading on overwrites it.
func (d *reading) value() ([]byte, error) {
	value, err := d.json.ReadValue()
	if len(value) > maxRecordBytes {
		return nil, errTooLong
	}
	return value, err
}

// broken returns why what begins at an offset cannot be read on, given the decoder's error: the error of
// reading the input if there is one, else a *Fault.
func (d *reading) broken(at int64, err error) error {
	if errors.Is(err, errTooLong) {
		return &Fault{Place: inInput(d.name, at), Problem: tooLong}
	}
	offset, expected := syntaxError(err, d.w.offset()-d.base)
	if in, length := d.json.StackIndex(d.json.StackDepth()); in == '{' && length%2 == 0 && expected == "a value" {
		expected = "a key in quotes"
	}
	return d.invalid(max(d.base+offset, d.next), expected) // an error at a comma too many is one of what follows
}

// arrayFile reads an input that is one array.
func (d *reading) arrayFile() error {
	d.decode()
	d.peek()
	if err := d.elements(); err != nil {
		return err
	}
	return d.end("array")
}

// end returns an error unless the input ends here.
func (d *reading) end(of string) error {
	d.w.back(len(d.json.UnreadBuffer()))
	if _, ok := d.w.skipSpace(); ok {
		return d.invalid(d.w.offset(), "nothing after the end of the "+of)
	}
	return d.atEnd()
}

// elements reads the array of records that peek found. An element that is not JSON, or too long, ends the
// input.
func (d *reading) elements() error {
	_, _ = d.json.ReadToken() // the bracket
	for index := 0; d.peek() != ']'; index++ {
		place := Place{Input: d.name, Index: index, Offset: d.next}
		text, err := d.value()
		if err != nil {
			err = d.broken(place.Offset, err)
			var fault *Fault
			if errors.As(err, &fault) {
				fault.Place = place
				fault.Problem += "; the rest of the input was not read"
			}
			return err
		}
		if err := d.give(Raw{Place: place, JSON: bytes.Clone(text)}); err != nil {
			return err
		}
	}
	_, _ = d.json.ReadToken()
	return nil
}

// invalidAt says where a record stops being JSON.
func invalidAt(offset int64, expected string) string {
	return "invalid JSON at byte " + strconv.FormatInt(offset, 10) + ": expected " + expected
}

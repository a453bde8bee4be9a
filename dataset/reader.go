package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"sync/atomic"
)

// Raw is the text of one record, as it stands in its input, and where it stood. Only Parse says whether the text is
// JSON and holds what a record must.
type Raw struct {
	Place Place
	JSON  []byte

	// inspected says that Records has inspected the text, to know where it ends; found is the result.
	inspected bool
	found     []finding
}

// A Reader reads the records of several inputs, one after the other, and gathers their vocabularies. It keeps one
// record in memory at a time.
type Reader struct {
	// Context, when not nil, ends the reading: Records yields its error. An input alone can't do that, since a few of its
	// compressed bytes may be gigabytes of text.
	Context context.Context

	inputs     []Input
	progress   func(bytes int64)
	read       atomic.Int64 // source bytes; an input may be read in a goroutine of its decompressor
	reported   int64        // what progress was told last
	ordinal    int          // of the next record
	vocabulary vocabularies
	unknown    map[string]int
	warnings   []Fault
}

// NewReader returns a reader of the inputs. progress, when not nil, is called now and then with the number of source
// bytes read so far.
func NewReader(inputs []Input, progress func(bytes int64)) *Reader {
	return &Reader{inputs: inputs, progress: progress, unknown: map[string]int{}}
}

// Records yields every record in order. For a record that cannot be read it yields a *Fault as the error and goes on after
// it: at the next line of NDJSON, at the next element of an array if the end of this one is certain, otherwise at the next
// input, and then the fault is Whole. An error of any other type ends the sequence.
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
			r.report(0)
		}
	}
}

// Vocabulary returns what the inputs declared, nil if nothing. It is complete when Records has ended.
func (r *Reader) Vocabulary() *Vocabulary { return r.vocabulary.merged }

// Unknown returns the names of other members of containers than records and vocabulary, and how often each occurred. It
// is complete when Records has ended.
func (r *Reader) Unknown() map[string]int { return r.unknown }

// Warnings returns what is doubtful in the vocabularies. It is complete when Records has ended.
func (r *Reader) Warnings() []Fault { return r.warnings }

// progressStep is the number of source bytes between two calls of progress.
const progressStep = 1 << 20

// report calls progress when at least step bytes were read since the last call.
func (r *Reader) report(step int64) {
	if r.progress == nil {
		return
	}
	if read := r.read.Load(); read-r.reported >= step {
		r.reported = read
		r.progress(read)
	}
}

// number gives a fault its ordinal among everything that Records yields.
func (r *Reader) number(f *Fault) {
	f.Place.Ordinal = r.ordinal
	r.ordinal++
}

// errEnough says that the consumer of Records has stopped.
var errEnough = errors.New("the records are wanted no longer")

// readInput reads one input. A *Fault it returns ended the reading of this input only.
func (r *Reader) readInput(in Input, yield func(Raw, error) bool) error {
	stream, err := openInput(in, &r.read)
	if err != nil {
		return err
	}
	defer stream.Close()
	d := reading{Reader: r, name: in.Name, w: newWindow(&ending{r.Context, stream}), yield: yield}
	d.w.skipBOM()
	switch {
	case isVocabularyName(in.Name):
		return d.vocabularyFile()
	case isLinesName(in.Name):
		return d.lines()
	}
	c, ok := d.w.skipSpace()
	switch {
	case !ok && errors.Is(d.w.err, io.EOF):
		return d.faultAt(-1, "nothing in it, expected an array, an object or NDJSON")
	case !ok:
		return d.readError()
	case c == '[':
		return d.arrayFile()
	case c == '{':
		return d.documents()
	}
	return d.broken(d.w.offset(), "an array, an object or NDJSON")
}

// A reading is one input being read.
type reading struct {
	*Reader
	name  string
	w     *window
	yield func(Raw, error) bool
}

// give yields a record whose text was read since w.keep.
func (d *reading) give(raw Raw) error {
	raw.Place.Ordinal = d.ordinal
	d.ordinal++
	if !d.yield(raw, nil) {
		return errEnough
	}
	d.report(progressStep)
	return nil
}

// refuse yields a record's fault in its place.
func (d *reading) refuse(place Place, problem string) error {
	return d.pass(&Fault{Place: place, Problem: problem})
}

// pass yields a fault after which reading of this input goes on.
func (d *reading) pass(f *Fault) error {
	d.number(f)
	if !d.yield(Raw{}, f) {
		return errEnough
	}
	return nil
}

// faultAt returns a fault of the input at a byte offset, or of all of it with -1.
func (d *reading) faultAt(offset int64, problem string) *Fault {
	return &Fault{Place: Place{Input: d.name, Index: -1, Offset: offset}, Problem: problem}
}

// broken returns why the input stops being JSON at an offset: the error of reading it if there is one, else a *Fault.
func (d *reading) broken(offset int64, expected string) error {
	if err := d.atEnd(); err != nil {
		return err
	}
	return d.faultAt(offset, invalidAt(offset, expected))
}

// readError returns why the input ended too early: a *Fault if its content is damaged, any other error if it cannot be
// read.
func (d *reading) readError() error {
	var failed *sourceError
	if errors.As(d.w.err, &failed) {
		return fmt.Errorf("%s: %w", d.name, failed.err)
	}
	return d.faultAt(d.w.start+int64(len(d.w.buf)), damaged(d.w.err))
}

// atEnd returns nil when the input was read to its end, else why not.
func (d *reading) atEnd() error {
	if d.w.err == nil || errors.Is(d.w.err, io.EOF) {
		return nil
	}
	return d.readError()
}

// tooLong is the fault of a record over MaxRecordBytes.
var tooLong = tooMuch + ", which is the most that a record may have"

// lines reads NDJSON from here to the end, one record a line.
func (d *reading) lines() error {
	for {
		d.w.keep()
		place := Place{Input: d.name, Line: d.w.line(), Index: -1, Offset: d.w.offset()}
		length, ok := d.w.skipLine()
		if newline := length < len(d.w.text()); !newline {
			if err := d.atEnd(); err != nil {
				return err // the last line is not whole
			}
		}
		if !ok {
			return nil
		}
		line := d.w.text()[:length]
		record := bytes.TrimLeft(line, lineSpace)
		place.Offset += int64(len(line) - len(record))
		record = bytes.TrimRight(record, lineSpace)
		var err error
		switch {
		case d.w.dropped || len(record) > MaxRecordBytes:
			err = d.refuse(place, tooLong)
		case len(record) > 0:
			err = d.give(Raw{Place: place, JSON: bytes.Clone(record)})
		}
		if err != nil {
			return err
		}
	}
}

// lineSpace is the white space that a line may have around its record.
const lineSpace = " \t\r"

// arrayFile reads an input that is one array.
func (d *reading) arrayFile() error {
	if err := d.elements(); err != nil {
		return err
	}
	if _, ok := d.w.skipSpace(); ok {
		return d.broken(d.w.offset(), "nothing behind the end of the array")
	}
	return d.atEnd()
}

// elements reads the records of an array and moves past its end.
func (d *reading) elements() error {
	d.w.pos++
	c, ok := d.w.skipSpace()
	for index := 0; !ok || c != ']' || index > 0; index++ {
		if err := d.element(index); err != nil {
			return err
		}
		switch c, _ = d.w.skipSpace(); c {
		case ']':
			d.w.pos++
			return nil
		case ',':
			d.w.pos++
			c, ok = d.w.skipSpace()
		default:
			return d.broken(d.w.offset(), "a comma or the end of the array")
		}
	}
	d.w.pos++
	return nil
}

// element reads one element of an array of records.
func (d *reading) element(index int) error {
	d.w.keep()
	defer d.w.release()
	place := Place{Input: d.name, Index: index, Offset: d.w.offset()}
	expected := d.w.skipValue()
	at := d.w.offset()
	var found []finding
	var broken *syntaxError
	if expected == "" && !d.w.tooLong() {
		if found, broken = inspect(d.w.text()); broken != nil {
			expected, at = broken.expected, place.Offset+int64(broken.offset)
		}
	}
	switch {
	case broken != nil && d.atElementEnd():
		return d.refuse(place, invalidAt(at, expected)) // NaN, say: the next element is found all the same
	case expected != "":
		if err := d.atEnd(); err != nil {
			return err // what is missing was not read
		}
		return &Fault{Place: place, Problem: invalidAt(at, expected)}
	case d.w.tooLong():
		return d.refuse(place, tooLong)
	}
	return d.give(Raw{Place: place, JSON: bytes.Clone(d.w.text()), inspected: true, found: found})
}

// atElementEnd moves to the next byte that is not white space and reports whether it can follow an element.
func (d *reading) atElementEnd() bool {
	c, ok := d.w.skipSpace()
	return ok && (c == ',' || c == ']')
}

// invalidAt says where a record stops being JSON.
func invalidAt(offset int64, expected string) string {
	return "invalid JSON at byte " + strconv.FormatInt(offset, 10) + ": expected " + expected
}

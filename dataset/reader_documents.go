package dataset

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// documents reads an input that begins with an object and whose name does not determine its format. It
// distinguishes three formats by the text after the first document:
//
//   - one object with products or items: it reads their records one by one;
//   - one object without them: the object is a record, and its place is a byte offset;
//   - several documents: each document is a record, and its place is a line. If the first document is
//     exactly one line, all others must be lines too, and an invalid line affects no other line. Otherwise a
//     document can span several lines, and a line can contain several documents. After an invalid document,
//     the reading continues at the next line that begins with a brace.
func (d *reading) documents() error {
	for first := true; ; first = false {
		if _, ok := d.w.skipSpace(); !ok {
			return d.readError()
		}
		d.w.setMark()
		doc := document{place: inInput(d.name, d.w.offset()), line: d.w.line}
		err := d.members(&doc)
		inLines := false
		var fault *Fault
		switch {
		case err == nil && doc.container:
			err = d.vocabularyOf(&doc)
		case err == nil:
			inLines, err = d.yieldDocument(&doc, first)
		case !doc.container && errors.As(err, &fault): // the start of a container is no longer in memory
			inLines, err = d.skipBroken(&doc, fault, first)
		}
		if err != nil {
			return err
		}
		if inLines {
			return d.lines()
		}
	}
}

// A document is an object in an input.
type document struct {
	place     Place
	line      int    // the first line
	text      []byte // the object, with empty arrays of records; its white space can differ from the input
	container bool   // whether it has arrays of records, which were read
}

// members reads an object to its end, including the records of its products and items.
func (d *reading) members(doc *document) error {
	d.startDecoder()
	if d.peek() != '{' {
		return d.invalid(d.next, "an object")
	}
	_, _ = d.json.ReadToken() // the brace
	for doc.text = []byte{'{'}; d.peek() != '}'; doc.text = append(doc.text, ',') {
		key, err := d.value()
		if err != nil {
			return d.decoderError(doc.place.Offset, err)
		}
		doc.text = append(append(doc.text, key...), ':')
		isRecords := slices.Contains(recordArrays, gjson.ParseBytes(key).Str)
		if d.peek() == '[' && isRecords {
			err = d.records(doc)
		} else {
			err = d.field(doc)
		}
		if err != nil {
			return err
		}
	}
	_, _ = d.json.ReadToken()
	doc.text = append(bytes.TrimSuffix(doc.text, []byte{','}), '}')
	d.w.unread(len(d.json.UnreadBuffer()))
	return nil
}

// records reads an array of records. It adds only the brackets to the text of the document.
func (d *reading) records(doc *document) error {
	doc.text = append(doc.text, "[]"...)
	doc.container = true
	d.w.clearMark()
	return d.elements()
}

// field reads a member that is not an array of records.
func (d *reading) field(doc *document) error {
	value, err := d.value()
	doc.text = append(doc.text, value...)
	isTooLong := errors.Is(err, errTooLong) || len(doc.text) >= maxRecordBytes
	switch {
	case isTooLong && doc.container:
		return &Fault{Place: doc.place, Problem: overLimit + " in addition to the records"}
	case isTooLong:
		err = errTooLong
	case err == nil:
		return nil
	}
	return d.decoderError(doc.place.Offset, err)
}

// vocabularyOf reads the vocabulary of a document with records, and counts unknown members of the document.
func (d *reading) vocabularyOf(doc *document) error {
	for key := range gjson.ParseBytes(doc.text).ForEach {
		if !slices.Contains(containerFields, key.Str) {
			d.unknown[strings.Clone(key.Str)]++
		}
	}
	return d.addVocabulary(doc.place, path{member(vocabularyField)}, Inspect(doc.text).Faults,
		gjson.GetBytes(doc.text, vocabularyField))
}

// vocabularyFile reads an input that is a vocabulary.
func (d *reading) vocabularyFile() error {
	d.startDecoder()
	d.peek()
	place := inInput(d.name, d.next)
	text, err := d.value()
	switch {
	case errors.Is(err, errTooLong):
		return &Fault{Place: place, Problem: "the vocabulary has " + overLimit}
	case err != nil:
		return d.decoderError(place.Offset, err)
	}
	text = bytes.Clone(text)
	if err := d.expectEnd("vocabulary"); err != nil {
		return err
	}
	return d.addVocabulary(place, nil, Inspect(text).Faults, gjson.ParseBytes(text))
}

// addVocabulary merges a vocabulary if the inspection of its text found no faults, and yields all faults.
func (d *reading) addVocabulary(place Place, at path, found []Fault, value gjson.Result) error {
	p := parser{place: place, path: at}
	p.addInspected(found)
	if len(found) == 0 {
		d.vocabulary.add(&p, value)
	}
	d.warnings = append(d.warnings, p.warnings...)
	for i := range p.faults {
		p.faults[i].Whole = true
		if err := d.yieldFault(&p.faults[i]); err != nil {
			return err
		}
	}
	return nil
}

// yieldDocument yields a document that is a record. It returns inLines if the rest of the input is NDJSON.
func (d *reading) yieldDocument(doc *document, first bool) (inLines bool, err error) {
	isLine := d.w.line == doc.line
	d.w.clearMark()
	_, more := d.w.skipSpace()
	isLine = isLine && d.w.line > doc.line // the document begins and ends on one line, and nothing else is on it
	if more || !first {
		doc.place.Line = doc.line
	}
	return first && more && isLine, d.yieldRecord(Raw{Place: doc.place, JSON: doc.text})
}

// skipBroken yields the fault in a document and moves to the next line that begins with a brace. A broken
// first document ends the input unless the second line shows that the input is NDJSON.
func (d *reading) skipBroken(doc *document, broken *Fault, first bool) (inLines bool, err error) {
	d.w.unread(d.w.pos - d.w.mark) // back to the document, or into it if its beginning was dropped
	d.w.clearMark()
	for {
		more := d.w.skipLine()
		c, _ := d.w.peek()
		switch {
		case c == '{' || !more && !first:
			broken.Place.Line = doc.line
			return first, d.yieldFault(broken)
		case first:
			return false, broken
		}
	}
}

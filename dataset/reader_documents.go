package dataset

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// documents reads an input that begins with an object and whose name does not say what it is. What follows
// the first document tells three forms apart:
//
//   - one object with products or items: their records are read one by one;
//   - one object without them: it is a record, and its place is a byte;
//   - several documents: each is a record, and its place is a line. If the first one fills a line, the others must too,
//     and a broken line loses that line only. Otherwise documents may span lines or share one, and after a broken one
//     reading goes on at the next line that begins with a brace.
func (d *reading) documents() error {
	for alone := true; ; alone = false {
		if _, ok := d.w.skipSpace(); !ok {
			return d.atEnd()
		}
		d.w.keep()
		doc := document{place: inInput(d.name, d.w.offset()), line: d.w.line}
		err := d.members(&doc)
		inLines := false
		var fault *Fault
		switch {
		case err == nil && doc.container:
			err = d.vocabularyOf(&doc)
		case err == nil:
			inLines, err = d.giveDocument(&doc, alone)
		case !doc.container && errors.As(err, &fault): // else its start is not in memory any more
			inLines, err = d.behindBroken(&doc, fault, alone)
		}
		if err != nil {
			return err
		}
		if inLines {
			return d.lines()
		}
	}
}

// A document is one object of an input.
type document struct {
	place     Place
	line      int    // its first
	text      []byte // its members, without the elements of its arrays of records
	container bool   // it has arrays of records, and they were read
}

// members reads an object to its end, and the records of its products and items on the way.
func (d *reading) members(doc *document) error {
	d.decode()
	if d.peek() != '{' {
		return d.invalid(d.next, "an object")
	}
	_, _ = d.json.ReadToken() // the brace
	for doc.text = []byte{'{'}; d.peek() != '}'; doc.text = append(doc.text, ',') {
		key, err := d.value()
		if err != nil {
			return d.broken(doc.place.Offset, err)
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
	d.w.back(len(d.json.UnreadBuffer()))
	return nil
}

// records reads an array of records, of which only the brackets go into the document's text.
func (d *reading) records(doc *document) error {
	doc.text = append(doc.text, "[]"...)
	doc.container = true
	d.w.release()
	return d.elements()
}

// field reads any other value of a member.
func (d *reading) field(doc *document) error {
	value, err := d.value()
	doc.text = append(doc.text, value...)
	tooLong := errors.Is(err, errTooLong) || len(doc.text) >= maxRecordBytes
	switch {
	case tooLong && doc.container:
		return &Fault{Place: doc.place, Problem: tooMuch + " in addition to the records"}
	case tooLong:
		err = errTooLong
	case err == nil:
		return nil
	}
	return d.broken(doc.place.Offset, err)
}

// vocabularyOf takes what a document with records holds beside them.
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
	d.decode()
	d.peek()
	place := inInput(d.name, d.next)
	text, err := d.value()
	switch {
	case errors.Is(err, errTooLong):
		return &Fault{Place: place, Problem: "the vocabulary has " + tooMuch}
	case err != nil:
		return d.broken(place.Offset, err)
	}
	text = bytes.Clone(text)
	if err := d.end("vocabulary"); err != nil {
		return err
	}
	return d.addVocabulary(place, nil, Inspect(text).Faults, gjson.ParseBytes(text))
}

// addVocabulary merges a vocabulary, unless its text has faults, and yields the faults.
func (d *reading) addVocabulary(place Place, at path, found []Fault, value gjson.Result) error {
	p := parser{place: place, path: at}
	p.inspected(found)
	if len(found) == 0 {
		d.vocabulary.add(&p, value)
	}
	d.warnings = append(d.warnings, p.warnings...)
	for i := range p.faults {
		p.faults[i].Whole = true
		if err := d.pass(&p.faults[i]); err != nil {
			return err
		}
	}
	return nil
}

// giveDocument yields a document that is a record. inLines tells that the rest of the input is to be read by
// lines.
func (d *reading) giveDocument(doc *document, alone bool) (inLines bool, err error) {
	ownLine := d.w.line == doc.line
	d.w.release()
	_, more := d.w.skipSpace()
	if more || !alone {
		doc.place.Line = doc.line
	}
	return alone && more && ownLine && d.w.line > doc.line, d.give(Raw{Place: doc.place, JSON: doc.text})
}

// behindBroken yields the fault of a document and moves to where the next one may begin. A first document
// that is broken ends the input, unless the line after its first shows that the input is NDJSON.
func (d *reading) behindBroken(doc *document, broken *Fault, alone bool) (inLines bool, err error) {
	d.w.rewind()
	for {
		more := d.w.skipLine()
		c, _ := d.w.peek()
		switch {
		case c == '{' || !more && !alone:
			broken.Place.Line = doc.line
			return alone, d.pass(broken)
		case alone:
			return false, broken
		}
	}
}

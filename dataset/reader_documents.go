package dataset

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// documents reads an input that begins with an object and whose name does not say what it is. What follows the first
// document tells three forms apart:
//
//   - one object with products or items: their records are read one by one;
//   - one object without them: it is a record, and its place is a byte;
//   - several documents: each is a record, and its place is a line. If the first one fills a line, the others must too,
//     and a broken line loses that line only. Otherwise documents may span lines or share one, and after a broken one
//     reading goes on at the next line that begins with a brace.
func (d *reading) documents() error {
	for alone := true; ; alone = false {
		c, ok := d.w.skipSpace()
		if !ok {
			return d.atEnd()
		}
		doc, err := d.document(c)
		if err != nil {
			return err
		}
		inLines := false
		switch {
		case doc.broken != nil:
			inLines, err = d.behindBroken(doc, alone)
		case doc.container:
			err = d.vocabularyOf(doc)
		default:
			inLines, err = d.giveDocument(doc, alone)
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
	text      []byte // without the elements of its arrays of records
	cuts      []cut
	inspected Inspection // of the text
	broken    *Fault     // it is not JSON: the fault of a place in the input
	container bool       // it has arrays of records, and they were read
	tooLong   bool       // the text is not complete, since it has more than maxRecordBytes
}

// A cut says that the document's text from index at on was at offset in the input.
type cut struct {
	at     int
	offset int64
}

// offset returns where byte i of the document's text was in the input.
func (doc *document) offset(i int) int64 {
	last := doc.cuts[0]
	for _, c := range doc.cuts {
		if c.at <= i {
			last = c
		}
	}
	return last.offset + int64(i-last.at)
}

// takeText appends to the text what was read since the last cut.
func (doc *document) takeText(w *window) {
	doc.tooLong = doc.tooLong || w.tooLong() || len(doc.text)+len(w.text()) > maxRecordBytes
	if !doc.tooLong {
		doc.text = append(doc.text, w.text()...)
	}
}

// document reads the object whose first byte is c. An error ends the input.
func (d *reading) document(c byte) (doc *document, err error) {
	at := d.w.offset()
	doc = &document{place: inInput(d.name, at), line: d.w.line(), cuts: []cut{{0, at}}}
	d.w.keep()
	expected := "an object"
	if c == '{' {
		if expected, err = d.members(doc); err != nil {
			return nil, err
		}
		at = d.w.offset()
	}
	if expected == "" {
		if doc.takeText(d.w); !doc.tooLong {
			doc.inspected = Inspect(doc.text)
			expected, at = doc.inspected.Expected, doc.offset(doc.inspected.End)
		}
	}
	if expected == "" {
		return doc, nil
	}
	if err := d.atEnd(); err != nil {
		return nil, err // what is missing was not read
	}
	doc.broken = &Fault{Place: inInput(d.name, at), Problem: invalidAt(at, expected)}
	if doc.container {
		return nil, doc.broken // its start is not in memory any more
	}
	return doc, nil
}

// members reads an object to its end, and the records of its products and items on the way. If the object is broken,
// expected says what should have been at the next byte; otherwise it is "".
func (d *reading) members(doc *document) (expected string, err error) {
	d.w.pos++
	for first := true; ; first = false {
		c, _ := d.w.skipSpace()
		if c == '}' && first {
			break
		}
		if c != '"' {
			return "a key in quotes", nil
		}
		start := d.w.offset()
		if expected = d.w.skipString(); expected != "" {
			return expected, nil
		}
		key := gjson.ParseBytes(d.w.since(start)).Str
		if c, _ = d.w.skipSpace(); c != ':' {
			return "a colon behind the key", nil
		}
		d.w.pos++
		c, _ = d.w.skipSpace()
		if c == '[' && slices.Contains(recordArrays, key) {
			err = d.records(doc)
		} else {
			expected = d.w.skipValue()
		}
		if err != nil || expected != "" {
			return expected, err
		}
		if c, _ = d.w.skipSpace(); c == '}' {
			break
		}
		if c != ',' {
			return "a comma or the end of the object", nil
		}
		d.w.pos++
	}
	d.w.pos++
	return "", nil
}

// records reads an array of records and leaves "[]" in its place in the document's text.
func (d *reading) records(doc *document) error {
	doc.takeText(d.w)
	doc.text = append(doc.text, '[')
	doc.container = true
	if err := d.elements(); err != nil {
		return err
	}
	d.w.pos-- // back before the closing bracket
	d.w.keep()
	d.w.pos++
	doc.cuts = append(doc.cuts, cut{len(doc.text), d.w.offset() - 1})
	return nil
}

// vocabularyOf takes what a document with records holds beside them.
func (d *reading) vocabularyOf(doc *document) error {
	d.w.release()
	if doc.tooLong {
		return d.pass(&Fault{Place: doc.place, Problem: tooMuch + " beside the records", Whole: true})
	}
	for key := range gjson.ParseBytes(doc.text).ForEach {
		if !slices.Contains(containerFields, key.Str) {
			d.unknown[strings.Clone(key.Str)]++
		}
	}
	return d.addVocabulary(doc.place, path{member(vocabularyField)}, doc.inspected.Faults, gjson.GetBytes(doc.text, vocabularyField))
}

// vocabularyFile reads an input that is a vocabulary.
func (d *reading) vocabularyFile() error {
	d.w.skipSpace()
	d.w.keep()
	place := inInput(d.name, d.w.offset())
	if expected := d.w.skipValue(); expected != "" {
		return d.broken(d.w.offset(), expected)
	}
	if d.w.tooLong() {
		return &Fault{Place: place, Problem: "a vocabulary of " + tooMuch}
	}
	inspected := Inspect(d.w.text())
	if inspected.Expected != "" {
		return d.broken(place.Offset+int64(inspected.End), inspected.Expected)
	}
	value := gjson.ParseBytes(d.w.text()) // a copy
	if _, ok := d.w.skipSpace(); ok {
		return d.broken(d.w.offset(), "nothing behind the end of the vocabulary")
	}
	if err := d.addVocabulary(place, nil, inspected.Faults, value); err != nil {
		return err
	}
	return d.atEnd()
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

// giveDocument yields a document that is a record. inLines tells that the rest of the input is to be read by lines.
func (d *reading) giveDocument(doc *document, alone bool) (inLines bool, err error) {
	ownLine := d.w.line() == doc.line
	d.w.release()
	_, more := d.w.skipSpace()
	if more || !alone {
		doc.place.Line = doc.line
	}
	inLines = alone && more && ownLine && d.w.line() > doc.line
	if doc.tooLong {
		return inLines, d.refuse(doc.place, tooLong)
	}
	return inLines, d.give(Raw{Place: doc.place, JSON: doc.text, inspected: doc.inspected})
}

// behindBroken yields the fault of a document that is not JSON and moves to where the next one may begin. A first
// document that is broken ends the input, unless a line behind its first shows that the input is NDJSON.
func (d *reading) behindBroken(doc *document, alone bool) (inLines bool, err error) {
	if !d.w.rewind() {
		return false, doc.broken
	}
	for {
		d.w.keep()
		_, more := d.w.skipLine()
		c, _ := d.w.peek()
		switch {
		case c == '{' || !more && !alone:
			doc.place.Line = doc.line
			return alone, d.refuse(doc.place, doc.broken.Problem)
		case alone:
			return false, doc.broken
		}
	}
}

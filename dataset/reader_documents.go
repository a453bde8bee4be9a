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
		place, line := Place{Input: d.name, Index: -1, Offset: d.w.offset()}, d.w.line()
		doc, err := d.document(c)
		if err != nil {
			return err
		}
		inLines := false
		switch {
		case doc.broken != nil:
			inLines, err = d.behindBroken(&doc, place, line, alone)
		case doc.container:
			err = d.vocabularyOf(&doc, place)
		default:
			inLines, err = d.giveDocument(&doc, place, line, alone)
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
	text      []byte // without the elements of its arrays of records
	cuts      []cut
	found     []finding
	broken    *Fault // it is not JSON: the fault of a place in the input
	container bool   // it has arrays of records, and they were read
	tooLong   bool   // the text is not complete, since it has more than MaxRecordBytes
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
	doc.tooLong = doc.tooLong || w.tooLong() || len(doc.text)+len(w.text()) > MaxRecordBytes
	if !doc.tooLong {
		doc.text = append(doc.text, w.text()...)
	}
}

// document reads the object whose first byte is c. An error ends the input.
func (d *reading) document(c byte) (doc document, err error) {
	d.w.keep()
	doc.cuts = []cut{{0, d.w.offset()}}
	expected := "an object"
	if c == '{' {
		if expected, err = d.members(&doc); err != nil {
			return doc, err
		}
	}
	at := d.w.offset()
	if expected == "" {
		doc.takeText(d.w)
		if !doc.tooLong {
			var broken *syntaxError
			if doc.found, broken = inspect(doc.text); broken != nil {
				expected, at = broken.expected, doc.offset(broken.offset)
			}
		}
	}
	if expected == "" {
		return doc, nil
	}
	if err := d.atEnd(); err != nil {
		return doc, err // what is missing was not read
	}
	doc.broken = d.faultAt(at, invalidAt(at, expected))
	if doc.container {
		return doc, doc.broken // its start is not in memory any more
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
		if expected := d.w.skipString(); expected != "" {
			return expected, nil
		}
		key := gjson.ParseBytes(d.w.since(start)).Str
		if c, _ = d.w.skipSpace(); c != ':' {
			return "a colon behind the key", nil
		}
		d.w.pos++
		c, _ = d.w.skipSpace()
		if c == '[' && (slices.Contains(recordArrays, key)) {
			if err := d.records(doc); err != nil {
				return "", err
			}
		} else if expected := d.w.skipValue(); expected != "" {
			return expected, nil
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
func (d *reading) vocabularyOf(doc *document, place Place) error {
	d.w.release()
	if doc.tooLong {
		return d.pass(&Fault{Place: place, Problem: tooMuch + " beside the records", Whole: true})
	}
	gjson.ParseBytes(doc.text).ForEach(func(key, _ gjson.Result) bool {
		if !slices.Contains(containerFields, key.Str) {
			d.unknown[strings.Clone(key.Str)]++
		}
		return true
	})
	return d.addVocabulary(place, doc.found, gjson.GetBytes(doc.text, vocabularyField), vocabularyField)
}

// vocabularyFile reads an input that is a vocabulary.
func (d *reading) vocabularyFile() error {
	d.w.skipSpace()
	d.w.keep()
	place := Place{Input: d.name, Index: -1, Offset: d.w.offset()}
	expected, at := d.w.skipValue(), d.w.offset()
	if expected == "" && d.w.tooLong() {
		return &Fault{Place: place, Problem: "a vocabulary of " + tooMuch}
	}
	var found []finding
	var value gjson.Result
	if expected == "" {
		var broken *syntaxError
		if found, broken = inspect(d.w.text()); broken != nil {
			expected, at = broken.expected, place.Offset+int64(broken.offset)
		}
		value = gjson.ParseBytes(d.w.text()) // a copy
		if _, ok := d.w.skipSpace(); ok && expected == "" {
			expected, at = "nothing behind the end of the vocabulary", d.w.offset()
		}
	}
	if expected != "" {
		return d.broken(at, expected)
	}
	if err := d.addVocabulary(place, found, value); err != nil {
		return err
	}
	return d.atEnd()
}

// addVocabulary merges a vocabulary, unless its text has findings, and yields the faults.
func (d *reading) addVocabulary(place Place, found []finding, value gjson.Result, at ...string) error {
	p := parser{place: place}
	for _, name := range at {
		p.path = append(p.path, member(name))
	}
	p.findings(found)
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
func (d *reading) giveDocument(doc *document, place Place, line int, alone bool) (inLines bool, err error) {
	ownLine := d.w.line() == line
	d.w.release()
	_, more := d.w.skipSpace()
	if more || !alone {
		place.Line = line
	}
	inLines = alone && more && ownLine && d.w.line() > line
	if doc.tooLong {
		return inLines, d.refuse(place, tooLong)
	}
	return inLines, d.give(Raw{Place: place, JSON: doc.text, inspected: true, found: doc.found})
}

// behindBroken yields the fault of a document that is not JSON and moves to where the next one may begin. A first
// document that is broken ends the input, unless a line behind its first shows that the input is NDJSON.
func (d *reading) behindBroken(doc *document, place Place, line int, alone bool) (inLines bool, err error) {
	if !d.w.rewind() {
		return false, doc.broken
	}
	for {
		d.w.keep()
		_, more := d.w.skipLine()
		c, _ := d.w.peek()
		switch {
		case c == '{' || !more && !alone:
			place.Line = line
			return alone, d.refuse(place, doc.broken.Problem)
		case alone:
			return false, doc.broken
		}
	}
}

package indexes

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindForward is the forward index. It contains the words of every document in order.
//
//	offset   size  field
//	     0      8  number of documents n
//	     8      8  total number of bytes in all records m
//	    16  8*n+8  starts: where each document's record begins, and the end of the last record
//	            m  the records, one after another
//	        to  8  zero
//
// A record has one stream for each of name, manufacturer, description and details, in this order. A stream
// consists of its length in bytes and the words of its texts in order. A word is encoded as its Term plus
// one. Zero separates texts. Lengths and words are varints as in encoding/binary.

// streamFields are the fields that have streams, in the order of a record. FieldCategory has none, since its
// texts are in the vocabulary.
var streamFields = [...]Field{FieldName, FieldManufacturer, FieldDescription, FieldDetails}

// textEnd separates the texts in a stream.
const textEnd = 0

// Forward is the forward index. It contains the words of each document's texts, in order, for the fields
// name, manufacturer, description and details.
type Forward struct{ records column.Lists[uint64, byte] }

func openForward(c *snapshot.Cursor, docs int) Forward {
	n, m := c.Uint64(), c.Uint64()
	if n != uint64(docs) {
		c.Fail(0, fmt.Sprintf("records of %d documents, not %d", docs, n))
		return Forward{}
	}
	return Forward{column.ReadLists[uint64, byte](c, n, m)}
}

// streamOf returns the stream of a field, or nil if the record is invalid or f is FieldCategory.
func streamOf(record []byte, f Field) []byte {
	at := 0
	for _, field := range streamFields {
		length, n := binary.Uvarint(record[at:])
		if n <= 0 {
			return nil
		}
		if at += n; length > uint64(len(record)-at) {
			return nil
		}
		end := at + int(length)
		if field == f {
			return record[at:end]
		}
		at = end
	}
	return nil
}

// record returns the record of a document, or nil if there is no such document.
func (s *Forward) record(d column.Doc) []byte { return s.records.At(int(d)) }

// holds reports whether words occur consecutively in one text of a document's field. words is encoded as in a
// stream and is searched as bytes. A match starts at a word boundary if the byte before it ends a varint. It
// cannot span two texts, since no word is textEnd. If words is empty, holds returns false.
func (s *Forward) holds(d column.Doc, f Field, words []byte) bool {
	if len(words) == 0 {
		return false
	}
	stream := streamOf(s.record(d), f)
	for at := 0; ; at++ {
		next := bytes.Index(stream[at:], words)
		if next < 0 {
			return false
		}
		if at += next; at == 0 || stream[at-1] < endsVarint {
			return true
		}
	}
}

// endsVarint is greater than the last byte of a varint. All other bytes of a varint are at least endsVarint.
const endsVarint = 0x80

// appendWords appends words, encoded as in a stream.
func appendWords(dst []byte, terms []Term) []byte {
	for _, t := range terms {
		dst = binary.AppendUvarint(dst, uint64(t)+1)
	}
	return dst
}

// streamWords returns an iterator over the words of a stream, with textEnd between texts. It stops at invalid
// data.
func streamWords(stream []byte) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for len(stream) > 0 {
			word, n := binary.Uvarint(stream)
			if n <= 0 || !yield(word) {
				return
			}
			stream = stream[n:]
		}
	}
}

// Texts returns the words of each text in a document's field, in order. It returns nil for FieldCategory.
func (s *Forward) Texts(d column.Doc, f Field) [][]Term {
	var texts [][]Term
	var text []Term
	for word := range streamWords(streamOf(s.record(d), f)) {
		if word == textEnd {
			texts, text = append(texts, text), nil
			continue
		}
		text = append(text, Term(word-1))
	}
	if text != nil {
		texts = append(texts, text)
	}
	return texts
}

// A forwardBuilder collects the records of documents in the order of their numbers. For each record, and for
// each of streamFields, call word repeatedly and then endStream. After the last stream, call endRecord.
type forwardBuilder struct {
	records [][]byte // record by document
	record  []byte   // current record
	stream  []byte   // current stream of the current record
}

// word adds a word, encoded as in a stream, or textEnd.
func (b *forwardBuilder) word(word uint64) { b.stream = binary.AppendUvarint(b.stream, word) }

func (b *forwardBuilder) endStream() {
	b.record = binary.AppendUvarint(b.record, uint64(len(b.stream)))
	b.record = append(b.record, b.stream...)
	b.stream = b.stream[:0]
}

// endRecord returns the current record and begins the next one.
func (b *forwardBuilder) endRecord() []byte {
	record := bytes.Clone(b.record)
	b.record = b.record[:0]
	return record
}

// renumber replaces every word's number i with place[i]. Numbers have their final order only when all words
// are known.
func (b *forwardBuilder) renumber(place []uint32) {
	for d, record := range b.records {
		for _, f := range streamFields {
			for word := range streamWords(streamOf(record, f)) {
				if word != textEnd {
					word = uint64(place[word-1]) + 1
				}
				b.word(word)
			}
			b.endStream()
		}
		b.records[d] = b.endRecord()
	}
}

// each calls visit with every document's stream of a field, in order of documents.
func (b *forwardBuilder) each(f Field, visit func(d column.Doc, stream []byte)) {
	for d, record := range b.records {
		visit(column.Doc(d), streamOf(record, f))
	}
}

func (b *forwardBuilder) write(w *snapshot.Writer) error {
	starts := make([]uint64, 1, len(b.records)+1)
	for d, record := range b.records {
		starts = append(starts, starts[d]+uint64(len(record)))
	}
	c := column.Begin(w, KindForward)
	column.Put(c, []uint64{uint64(len(b.records)), starts[len(b.records)]})
	column.Put(c, starts)
	for _, record := range b.records {
		c.Write(record)
	}
	c.Pad(column.Align)
	return c.Err()
}

package indexes

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindBodies contains the records of all documents, one after another, without padding. Section
// KindBodyOffsets is a column of 8-byte numbers: the offset of each record in KindBodies, and the end of the
// last record.
//
// A record begins with its checksums, 4 bytes each, in the order of the constants Sum. Then come the
// following fields, whose numbers are unsigned varints (LEB128, as package encoding/binary writes them):
//
//	the marks, each as the difference to the previous mark
//	the length of the text minus the last mark
//	the length of the gzip form
//	for each view, in the order ViewPublicDE, ViewPublicEN, ViewCompare:
//		the length of its list in bytes
//		the list: for each range its offset in the text and its length, 4 bytes each, little-endian
//	the text
//	ETag, then GeometryETag, 32 bytes each
//	the gzip form

// A Body is the stored record of a product: a text, and objects that are made of ranges of the text:
//
//	summary                 the text to SummaryEnd, then "}"
//	summary with acoustics  the text to AcousticsEnd, then "}"
//	detail                  the text to DetailEnd
//	detail with geometry    the detail without its last "}", then Geometry, then "}"
//	public and compare item the ranges of the view, then "}"
type Body struct {
	Text []byte
	Marks
	ETag, GeometryETag string // ETags of the detail, without and with its geometry
	Gzip               []byte // detail as a gzip member; empty if the detail is smaller than MinCoded

	views [numViews][]byte // lists of ranges, encoded as in the record
	sums  *[sumsSize]byte  // checksums, encoded as in the record; nil if the body was not read from a record
}

// Marks are offsets in the text of a body. They are in ascending order, so AppendBody stores differences.
type Marks struct {
	SummaryEnd, AcousticsEnd       int
	AbsorptionStart, AbsorptionEnd int // bounds of the array of ISO 354 entries
	DetailEnd, GeometryEnd         int
	RestEnd                        int
}

func (m *Marks) all() [7]*int {
	return [...]*int{&m.SummaryEnd, &m.AcousticsEnd, &m.AbsorptionStart, &m.AbsorptionEnd, &m.DetailEnd, &m.GeometryEnd,
		&m.RestEnd}
}

// Detail returns the product's MaterialDetail.
func (b *Body) Detail() []byte { return b.Text[:b.DetailEnd] }

// Absorption returns the array of ISO 354 entries.
func (b *Body) Absorption() []byte { return b.Text[b.AbsorptionStart:b.AbsorptionEnd] }

// Geometry returns the member geometry, including the comma before it.
func (b *Body) Geometry() []byte { return b.Text[b.DetailEnd:b.GeometryEnd] }

// Rest returns the object with the data that is not in the detail, including the comma before it.
func (b *Body) Rest() []byte { return b.Text[b.GeometryEnd:b.RestEnd] }

// A View is an object made of ranges of a body's text. Each range is a start and an end, offsets in the text.
type View = [][2]int

// The views of a body.
const (
	ViewPublicDE = iota
	ViewPublicEN // empty if it is equal to the German view
	ViewCompare
	numViews
)

// AppendView appends a view to dst. It stops at a range outside of the text, and at a range that would make
// the view longer than the text.
func (b *Body) AppendView(dst []byte, view int) []byte {
	text, left := b.Text, uint64(len(b.Text))
	for list := b.views[view]; len(list) >= rangeSize; list = list[rangeSize:] {
		start, length := uint64(binary.LittleEndian.Uint32(list)), uint64(binary.LittleEndian.Uint32(list[4:]))
		if start > uint64(len(text)) || length > min(uint64(len(text))-start, left) {
			break
		}
		left -= length
		dst = append(dst, text[start:][:length]...)
	}
	return append(dst, '}')
}

// HasView reports whether the body has the given view.
func (b *Body) HasView(view int) bool { return len(b.views[view]) > 0 }

const rangeSize = 8 // size of a range in a view's list, in bytes

// MinCoded is the minimum size in bytes of a body that is compressed during a build or for a response.
const MinCoded = 512

// tagSize is the length of a tag: two hex digits for each byte of half a SHA-256. Tags are stored as digits,
// the form in which they are sent, so that reading a body does not allocate.
const tagSize = sha256.Size

// ETag returns the tag of an uncompressed body without quotes: half of its SHA-256 in 32 hex digits.
func ETag(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:sha256.Size/2])
}

// AppendBody sets the views of b and appends the record of b, in the form used in section KindBodies.
func AppendBody(dst []byte, b *Body, views [numViews]View) []byte {
	for i, view := range views {
		b.views[i] = b.views[i][:0]
		for _, part := range view {
			b.views[i] = binary.LittleEndian.AppendUint32(b.views[i], uint32(part[0]))
			b.views[i] = binary.LittleEndian.AppendUint32(b.views[i], uint32(part[1]-part[0]))
		}
	}
	dst = b.appendSums(dst)
	before := 0
	for _, mark := range b.all() {
		dst = binary.AppendUvarint(dst, uint64(*mark-before))
		before = *mark
	}
	dst = binary.AppendUvarint(dst, uint64(len(b.Text)-before))
	dst = binary.AppendUvarint(dst, uint64(len(b.Gzip)))
	for _, list := range b.views {
		dst = append(binary.AppendUvarint(dst, uint64(len(list))), list...)
	}
	dst = append(dst, b.Text...)
	dst = append(append(dst, b.ETag...), b.GeometryETag...)
	return append(dst, b.Gzip...)
}

// A recordReader reads the beginning of a record. After invalid data it returns empty values and sets bad.
type recordReader struct {
	rest []byte
	bad  bool
}

func (r *recordReader) number() int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > math.MaxInt32 {
		r.bad = true
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

func (r *recordReader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.bad = true
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// decodeBody decodes a record. The fields of the body refer to the record's memory. ok is false if the record
// is invalid.
func decodeBody(record []byte) (body Body, ok bool) {
	if len(record) < sumsSize {
		return Body{}, false
	}
	r := recordReader{rest: record[sumsSize:]}
	end := 0
	for _, mark := range body.all() {
		end += r.number()
		*mark = end
	}
	end += r.number()
	gzip := r.number()
	for i := range body.views {
		body.views[i] = r.bytes(r.number())
	}
	body.Text = r.bytes(end)
	body.ETag, body.GeometryETag = column.String(r.bytes(tagSize)), column.String(r.bytes(tagSize))
	body.Gzip = r.bytes(gzip)
	if r.bad || len(r.rest) > 0 {
		return Body{}, false
	}
	body.sums = (*[sumsSize]byte)(record)
	return body, true
}

// A BodyWriter writes body records to the sections KindBodies and KindBodyOffsets.
type BodyWriter struct {
	w       *snapshot.Writer
	records *column.Writer
	offsets []uint64 // zero, followed by the end of each record
}

// NewBodyWriter begins section KindBodies.
func NewBodyWriter(w *snapshot.Writer) (*BodyWriter, error) {
	b := &BodyWriter{w: w, records: column.Begin(w, KindBodies), offsets: []uint64{0}}
	return b, b.records.Err()
}

// Add writes the record of the next document, as returned by AppendBody.
func (b *BodyWriter) Add(record []byte) error {
	b.records.Write(record)
	b.offsets = append(b.offsets, b.offsets[len(b.offsets)-1]+uint64(len(record)))
	return b.records.Err()
}

// Close writes section KindBodyOffsets.
func (b *BodyWriter) Close() error {
	c := column.Begin(b.w, KindBodyOffsets)
	column.Put(c, b.offsets)
	return c.Err()
}

// Bodies contains the bodies of all documents.
type Bodies struct{ records column.Lists[uint64, byte] }

// openOffsets reads section KindBodyOffsets of a catalogue with the given number of documents.
func (b *Bodies) openOffsets(c *snapshot.Cursor, docs int) {
	b.records.Starts = column.Read[uint64](c, uint64(docs)+1)
	if n := len(b.records.Starts); n > 0 && b.records.Starts[n-1] != uint64(len(b.records.Values)) {
		c.Fail((n-1)*8, fmt.Sprintf("%d, the length of the bodies", len(b.records.Values)))
	}
}

// At returns the body of a document. Its fields refer to the file. If there is no such document, it is zero.
func (b *Bodies) At(d column.Doc) Body {
	body, _ := decodeBody(b.records.At(int(d)))
	return body
}

// fetched is the number of bytes that Fetch reads of each record, enough for its head and a summary.
// Summaries of 20 random products out of 100,000 take 12.5 µs without Fetch, 6.0 µs if it reads only the
// first cache line, and 4.4 µs with 512 bytes.
const fetched = 512

// Fetch loads the beginnings of records into the processor's cache. If a program reads records one after
// another, it waits for the memory of each record. The reads of Fetch do not depend on each other, so they
// wait together. The sum of the bytes that are read is only for tests.
func (b *Bodies) Fetch(docs []column.Doc) (sum byte) {
	for _, d := range docs {
		record := b.records.At(int(d))
		sum += prefetch(record[:min(len(record), fetched)])
	}
	return sum
}

// prefetch reads one byte of each cache line of b. It returns their sum and is not inlined, so that the
// compiler cannot remove the reads.
//
//go:noinline
func prefetch(b []byte) (sum byte) {
	const cacheLine = 64
	for i := 0; i < len(b); i += cacheLine {
		sum += b[i]
	}
	return sum
}

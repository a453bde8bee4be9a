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

// Section KindBodies is the records of all documents, one after the other, without padding; section
// KindBodyOffsets is a column of 8-byte numbers, one more than there are documents: where each record begins,
// from the start of KindBodies, and where the last one ends.
//
// A record begins with its checksums, 4 bytes each, in the order of Sum. The rest is as follows; its numbers
// are unsigned varints (LEB128, as package encoding/binary writes them).
//
//	the marks, each less the one before
//	the length of the text, less the last mark
//	the length of the gzip form
//	for each view, in the order ViewPublicDE, ViewPublicEN, ViewCompare:
//		the length of its list in bytes
//		the list: for each stretch its offset in the text and its length, 4 bytes each, little-endian
//	the text
//	ETag, then GeometryETag, 32 bytes each
//	the gzip form

// A Body is the stored record of one product: one text, and the objects that are made of stretches of it.
//
//	summary                 the text to SummaryEnd, then "}"
//	summary with acoustics  the text to AcousticsEnd, then "}"
//	detail                  the text to DetailEnd
//	detail with geometry    the detail without its last "}", then Geometry, then "}"
//	public and compare item the stretches of the view, then "}"
type Body struct {
	Text []byte
	Marks
	ETag, GeometryETag string // of the detail, without and with its geometry: see ETag
	Gzip               []byte // the detail as a gzip member; empty when the detail is smaller than MinCoded

	views [numViews][]byte // as they lie in the record
	sums  *[sumsSize]byte  // as they lie in the record; nil when the body was not read from one
}

// Marks are offsets in the text of a body, in ascending order.
type Marks struct {
	SummaryEnd, AcousticsEnd       int
	AbsorptionStart, AbsorptionEnd int // of the array of ISO 354 entries
	DetailEnd, GeometryEnd         int
	RestEnd                        int
}

func (m *Marks) all() [7]*int {
	return [...]*int{&m.SummaryEnd, &m.AcousticsEnd, &m.AbsorptionStart, &m.AbsorptionEnd, &m.DetailEnd, &m.GeometryEnd,
		&m.RestEnd}
}

// Detail returns the MaterialDetail.
func (b *Body) Detail() []byte { return b.Text[:b.DetailEnd] }

// Absorption returns the array of ISO 354 entries.
func (b *Body) Absorption() []byte { return b.Text[b.AbsorptionStart:b.AbsorptionEnd] }

// Geometry returns the member geometry, with the comma before it.
func (b *Body) Geometry() []byte { return b.Text[b.DetailEnd:b.GeometryEnd] }

// Rest returns the object of what no detail shows, with the comma before it.
func (b *Body) Rest() []byte { return b.Text[b.GeometryEnd:b.RestEnd] }

// A View is an object that is made of stretches of a body's text, each with its offset and its end.
type View = [][2]int

// The views.
const (
	ViewPublicDE = iota
	ViewPublicEN // empty when it is the German one
	ViewCompare
	numViews
)

// AppendView appends a view, up to the first stretch that lies outside of the text or with which the view is
// longer than the text.
func (b *Body) AppendView(dst []byte, view int) []byte {
	text, room := b.Text, uint64(len(b.Text))
	for list := b.views[view]; len(list) >= stretchSize; list = list[stretchSize:] {
		start, length := uint64(binary.LittleEndian.Uint32(list)), uint64(binary.LittleEndian.Uint32(list[4:]))
		if start > uint64(len(text)) || length > min(uint64(len(text))-start, room) {
			break
		}
		room -= length
		dst = append(dst, text[start:][:length]...)
	}
	return append(dst, '}')
}

// HasView reports whether a body has a view of its own.
func (b *Body) HasView(view int) bool { return len(b.views[view]) > 0 }

const stretchSize = 8 // of a stretch in the list of a view

// MinCoded is the size in bytes from which a body is worth compressing, at night or for one answer.
const MinCoded = 512

// tagSize is the length of a tag. It is stored as the hex digits that are sent, so that reading a body
// allocates nothing.
const tagSize = sha256.Size

// ETag returns the tag of an identity body, without quotes: half of its SHA-256, as 32 hex digits.
func ETag(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:sha256.Size/2])
}

// AppendBody appends the record of a body with its views as section KindBodies stores it. It gives the body
// the views.
func AppendBody(dst []byte, b *Body, views [numViews]View) []byte {
	for i, view := range views {
		b.views[i] = b.views[i][:0]
		for _, stretch := range view {
			b.views[i] = binary.LittleEndian.AppendUint32(b.views[i], uint32(stretch[0]))
			b.views[i] = binary.LittleEndian.AppendUint32(b.views[i], uint32(stretch[1]-stretch[0]))
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

// A recordReader reads the head of a record. What does not fit reads as empty, and makes it bad.
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

// decodeBody returns the body of a record, its parts where they lie; ok is false when the record does not fit
// itself.
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

// A BodyWriter streams body records into the sections KindBodies and KindBodyOffsets.
type BodyWriter struct {
	w       *snapshot.Writer
	records *column.Writer
	offsets []uint64 // of the records' ends, behind a zero
}

// NewBodyWriter begins the section of bodies.
func NewBodyWriter(w *snapshot.Writer) (*BodyWriter, error) {
	b := &BodyWriter{w: w, records: column.Begin(w, KindBodies), offsets: []uint64{0}}
	return b, b.records.Err()
}

// Add writes the next document's record, as AppendBody made it.
func (b *BodyWriter) Add(record []byte) error {
	b.records.Write(record)
	b.offsets = append(b.offsets, b.offsets[len(b.offsets)-1]+uint64(len(record)))
	return b.records.Err()
}

// Close writes the section of offsets.
func (b *BodyWriter) Close() error {
	c := column.Begin(b.w, KindBodyOffsets)
	column.Put(c, b.offsets)
	return c.Err()
}

// Bodies are the ready parts of every document.
type Bodies struct{ records column.Lists[uint64, byte] }

// openOffsets reads section KindBodyOffsets, of a catalogue with a number of documents.
func (b *Bodies) openOffsets(c *snapshot.Cursor, docs int) {
	b.records.Starts = column.Read[uint64](c, uint64(docs)+1)
	if n := len(b.records.Starts); n > 0 && b.records.Starts[n-1] != uint64(len(b.records.Values)) {
		c.Fail((n-1)*8, fmt.Sprintf("%d, the length of the bodies", len(b.records.Values)))
	}
}

// At returns the body of a document, its bytes where they lie. It is zero for a document that is not there.
func (b *Bodies) At(d column.Doc) Body {
	body, _ := decodeBody(b.records.At(int(d)))
	return body
}

// fetched is how many bytes of a record Fetch reads: about those of a head and a summary. Summaries of 20 of
// 100,000 products at random take 12.5 µs without it, 6.0 when only the first cache line is read, and 4.4
// with these.
const fetched = 512

// Fetch reads the beginnings of records, so that they lie in the processor's cache. Whoever takes one record
// after the other waits for the memory of each; here no read depends on another, and the processor waits for
// all of them together. It returns a sum of what it read, without which nothing would be.
//
//go:noinline
func (b *Bodies) Fetch(docs []column.Doc) (sum byte) {
	const cacheLine = 64
	for _, d := range docs {
		record := b.records.At(int(d))
		for i := 0; i < min(len(record), fetched); i += cacheLine {
			sum += record[i]
		}
	}
	return sum
}

package indexes

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Section KindBodies is the records of all documents, one after the other, without padding; section KindBodyOffsets is
// a column of 8-byte numbers, one more than there are documents: where each record begins, from the start of
// KindBodies, and where the last one ends.
//
// A record is its checksums, 4 bytes each in the order of Sum, a head of unsigned varints (LEB128, as encoding/binary
// has them) and the data behind it:
//
//	for each part, in the order of bodyParts:
//		length in bytes
//		place: 0 when the bytes lie behind those of the parts before it; otherwise its offset in the data plus one
//	SummaryEnd, AcousticsEnd, AbsorptionStart, AbsorptionEnd
//	SharedGzip, SharedZstd of the forms with geometry
//	data: the bytes of every part whose place is 0
//
// Only labels have a place of their own: the German label stands in the detail already, and the English one is most
// often the same.

// A Body is the ready JSON of one product.
//
// A summary is a beginning of the detail, and compare's absorption_iso354 is a stretch of it, so both are stored as
// offsets into Detail and not as bytes of their own:
//
//	summary                 Detail[:SummaryEnd] + "}"
//	summary with acoustics  Detail[:AcousticsEnd] + "}"
//	detail                  Detail
//	with geometry           the above without the last "}", then GeometryKey + Geometry + "}"
//	compare                 CompareHead + Detail[AbsorptionStart:AbsorptionEnd] + "}"
//	public item             PublicHead + PublicLabel(locale) + PublicTail
type Body struct {
	Detail                         []byte
	SummaryEnd, AcousticsEnd       int
	AbsorptionStart, AbsorptionEnd int
	Geometry                       []byte // an object, or null
	PublicHead, LabelDE, LabelEN   []byte // the labels are JSON strings, quotes included
	PublicTail                     []byte
	CompareHead                    []byte // up to and with `"absorption_iso354":`
	Unshown                        []byte // an object of what the record has and no body shows, for exports; empty when that is nothing
	Plain, WithGeometry            Coded

	sums *[sumsSize]byte // as they lie in the record; nil when the body was not read from one
}

// GeometryKey comes before the geometry in an object that is still open.
const GeometryKey = `,"geometry":`

// MinCoded is the size in bytes from which a body is worth compressing, at night or for one answer.
const MinCoded = 512

// Coded is the stored compressed forms of a detail body and its tag.
type Coded struct {
	ETag string // that of the identity body
	Gzip []byte // nil when the body is smaller than MinCoded
	Zstd []byte

	// SharedGzip and SharedZstd are for Body.WithGeometry alone: how many bytes at the beginning of Body.Plain's form come
	// before those here. Both bodies begin alike, and so can their forms.
	SharedGzip, SharedZstd int
}

// ETag returns the tag of an identity body, without quotes: half of its SHA-256, as 32 hex digits.
func ETag(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:sha256.Size/2])
}

// Coded returns the tag and the compressed forms, each in one piece: where they lie, or, with geometry, put together.
func (b *Body) Coded(geometry bool) Coded {
	if !geometry {
		return b.Plain
	}
	return Coded{
		ETag: b.WithGeometry.ETag,
		Gzip: slices.Concat(b.Plain.Gzip[:b.WithGeometry.SharedGzip], b.WithGeometry.Gzip),
		Zstd: slices.Concat(b.Plain.Zstd[:b.WithGeometry.SharedZstd], b.WithGeometry.Zstd),
	}
}

// The parts of a record, in their order. The tags are stored as the hex digits that they are sent as, so that reading
// a body allocates nothing.
const (
	partDetail = iota
	partGeometry
	partPublicHead
	partLabelDE
	partLabelEN
	partPublicTail
	partCompareHead
	partUnshown
	partPlainTag
	partPlainGzip
	partPlainZstd
	partGeometryTag
	partGeometryGzip
	partGeometryZstd
	numBodyParts
)

type bodyParts [numBodyParts][]byte

func (b *Body) parts() bodyParts {
	return bodyParts{
		b.Detail, b.Geometry, b.PublicHead, b.LabelDE, b.LabelEN, b.PublicTail, b.CompareHead, b.Unshown,
		column.StringBytes(b.Plain.ETag), b.Plain.Gzip, b.Plain.Zstd,
		column.StringBytes(b.WithGeometry.ETag), b.WithGeometry.Gzip, b.WithGeometry.Zstd,
	}
}

func (p *bodyParts) body() Body {
	return Body{
		Detail: p[partDetail], Geometry: p[partGeometry],
		PublicHead: p[partPublicHead], LabelDE: p[partLabelDE], LabelEN: p[partLabelEN], PublicTail: p[partPublicTail],
		CompareHead:  p[partCompareHead],
		Unshown:      p[partUnshown],
		Plain:        Coded{ETag: column.String(p[partPlainTag]), Gzip: p[partPlainGzip], Zstd: p[partPlainZstd]},
		WithGeometry: Coded{ETag: column.String(p[partGeometryTag]), Gzip: p[partGeometryGzip], Zstd: p[partGeometryZstd]},
	}
}

// AppendBody appends the record of a body as section KindBodies stores it.
func AppendBody(dst []byte, b *Body) []byte {
	parts := b.parts()
	for _, pieces := range b.summed() {
		start := len(dst)
		for _, piece := range pieces {
			dst = append(dst, piece...) // for the time of hashing: what is sent in one piece is hashed in one piece
		}
		dst = binary.LittleEndian.AppendUint32(dst[:start], Checksum(dst[start:]))
	}
	var offsets, places [numBodyParts]uint64 // where the part lies in the data; its place as the head states it
	end := uint64(0)
	for i, part := range parts {
		offsets[i] = end
		if earlier, at := parts.find(i); at >= 0 {
			offsets[i] = offsets[earlier] + uint64(at)
			places[i] = offsets[i] + 1
		} else {
			end += uint64(len(part))
		}
		dst = binary.AppendUvarint(dst, uint64(len(part)))
		dst = binary.AppendUvarint(dst, places[i])
	}
	for _, at := range [...]int{
		b.SummaryEnd, b.AcousticsEnd, b.AbsorptionStart, b.AbsorptionEnd, b.WithGeometry.SharedGzip, b.WithGeometry.SharedZstd,
	} {
		dst = binary.AppendUvarint(dst, uint64(at))
	}
	for i, part := range parts {
		if places[i] == 0 {
			dst = append(dst, part...)
		}
	}
	return dst
}

// find returns the earlier part, and the offset in it, where the bytes of a label stand; at is -1 when they are nowhere.
func (p *bodyParts) find(part int) (earlier, at int) {
	if len(p[part]) == 0 {
		return 0, -1
	}
	switch part {
	case partLabelEN:
		if bytes.Equal(p[partLabelEN], p[partLabelDE]) {
			return partLabelDE, 0
		}
		fallthrough
	case partLabelDE:
		return partDetail, bytes.Index(p[partDetail], p[part])
	}
	return 0, -1
}

// decodeBody returns the body of a record, its parts where they lie; ok is false when the record does not fit itself.
func decodeBody(record []byte) (body Body, ok bool) {
	var lengths, places [numBodyParts]uint64
	var ends [6]uint64
	if len(record) < sumsSize {
		return Body{}, false
	}
	head := record[sumsSize:]
	field := func() uint64 {
		v, n := binary.Uvarint(head)
		if n <= 0 {
			head = nil
			return math.MaxUint64
		}
		head = head[n:]
		return v
	}
	for i := range lengths {
		lengths[i], places[i] = field(), field()
	}
	for i := range ends {
		ends[i] = field()
	}
	data := head
	var parts bodyParts
	next := uint64(0)
	for i, length := range lengths {
		offset := next
		if places[i] != 0 {
			offset = places[i] - 1
		}
		if offset > uint64(len(data)) || length > uint64(len(data))-offset {
			return Body{}, false
		}
		if places[i] == 0 {
			next += length
		}
		if length > 0 {
			parts[i] = data[offset:][:length:length]
		}
	}
	size := uint64(len(parts[partDetail]))
	if next != uint64(len(data)) || ends[0] > size || ends[1] > size || ends[2] > ends[3] || ends[3] > size ||
		ends[4] > uint64(len(parts[partPlainGzip])) || ends[5] > uint64(len(parts[partPlainZstd])) {
		return Body{}, false
	}
	body = parts.body()
	body.sums = (*[sumsSize]byte)(record)
	body.SummaryEnd, body.AcousticsEnd = int(ends[0]), int(ends[1])
	body.AbsorptionStart, body.AbsorptionEnd = int(ends[2]), int(ends[3])
	body.WithGeometry.SharedGzip, body.WithGeometry.SharedZstd = int(ends[4]), int(ends[5])
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

// openBodies reads section KindBodies.
func openBodies(c *snapshot.Cursor) Bodies {
	return Bodies{column.Lists[uint64, byte]{Values: c.Rest()}}
}

// openOffsets reads section KindBodyOffsets, of a catalogue with a number of documents.
func (b *Bodies) openOffsets(c *snapshot.Cursor, docs int) {
	offsets := column.Read[uint64](c, uint64(docs)+1)
	if n := len(offsets); n > 0 && offsets[n-1] != uint64(len(b.records.Values)) {
		c.Fail((n-1)*8, fmt.Sprintf("%d, the length of the bodies", len(b.records.Values)))
	}
	b.records.Starts = offsets
}

// At returns the body of a document, its bytes where they lie. It is zero for a document that is not there.
func (b *Bodies) At(d column.Doc) Body {
	body, _ := decodeBody(b.records.At(int(d)))
	return body
}

// fetched is how many bytes of a record Fetch reads: about those of a head and a summary. Summaries of 20 of 100,000 products
// at random take 12.5 µs without it, 6.0 when only the first cache line is read, and 4.4 with these.
const fetched = 512

// Fetch reads the beginnings of records, so that they lie in the processor's cache. Whoever takes one record after the other
// waits for the memory of each; here no read depends on another, and the processor waits for all of them together. It returns
// a sum of what it read, without which nothing would be.
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

// check walks every record.
func (b *Bodies) check(faults *faultList) {
	for i := range b.records.Len() {
		record, start := b.records.At(i), int64(b.records.Starts[i])
		if body, ok := decodeBody(record); !ok {
			faults.add(start, "a record of %d bytes that is the body of document %d", len(record), i)
		} else if !body.sound() {
			faults.add(start, "parts that fit their checksums in the body of document %d", i)
		}
	}
}

// checkOffsets holds the places of the records against their length.
func (b *Bodies) checkOffsets(faults *faultList) {
	if !b.records.Whole() {
		faults.add(0, "bodies one behind the other, all bytes among them")
	}
}

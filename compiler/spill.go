package compiler

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"

	"sabine/indexes"
)

// A spill holds what was made of the products until their numbers are known: in a temporary file, so that the memory
// of a build does not grow with the size of the bodies. It is for one goroutine.
//
// The file is a row of entries in input order, without padding or table: the document as appendDocument writes it,
// then the body as indexes.AppendBody writes it. Where they lie is in each product's spilled.
type spill struct {
	file *os.File
	out  *bufio.Writer
	end  int64
	buf  []byte // of the last entry that was read
}

// spilled is where the entry of a product lies.
type spilled struct {
	offset         int64
	documentLength uint32
	bodyLength     uint32
}

const spillBuffer = 1 << 20

// newSpill begins a spill in a folder. Its file has no name: it goes with the process, however that ends.
func newSpill(dir string) (*spill, error) {
	file, err := os.CreateTemp(dir, ".building-*.spill") // a name that snapshot.Folder.Prune would clear away
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("take the name from a temporary file: %w", err), file.Close())
	}
	return &spill{file: file, out: bufio.NewWriterSize(file, spillBuffer)}, nil
}

// add appends an entry.
func (s *spill) add(entry []byte, documentLength int) (spilled, error) {
	at := spilled{offset: s.end, documentLength: uint32(documentLength), bodyLength: uint32(len(entry) - documentLength)}
	n, err := s.out.Write(entry)
	s.end += int64(n)
	if err != nil {
		return spilled{}, fmt.Errorf("write byte %d of the temporary file: %w", s.end, err)
	}
	return at, nil
}

// flush makes every entry readable; none is added behind it.
func (s *spill) flush() error {
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("write the temporary file of %d bytes: %w", s.end, err)
	}
	s.out = nil
	return nil
}

// read returns an entry: its document, and its body as a record for indexes.BodyWriter. Both are valid until the next
// read.
func (s *spill) read(at spilled) (d indexes.Document, body []byte, err error) {
	length := int(at.documentLength) + int(at.bodyLength)
	if cap(s.buf) < length {
		s.buf = make([]byte, length, 2*length)
	}
	s.buf = s.buf[:length]
	if _, err := s.file.ReadAt(s.buf, at.offset); err != nil {
		return d, nil, fmt.Errorf("read the temporary file back: %d bytes at %d: %w", length, at.offset, err)
	}
	d, ok := decodeDocument(s.buf[:at.documentLength])
	if !ok {
		return d, nil, fmt.Errorf("read the temporary file back: at %d it does not hold what was written", at.offset)
	}
	return d, s.buf[at.documentLength:], nil
}

func (s *spill) close() {
	_ = s.file.Close()
}

// appendDocument appends a document in the form of the temporary file: the 16 bytes of the id, the 8 of alpha_w, a byte
// of flags, then the other fields in their order in indexes.Document. A text is its length as a uvarint and its bytes,
// a list the number of its texts as a uvarint and the texts.
func appendDocument(dst []byte, d *indexes.Document) []byte {
	dst = append(dst, d.ID[:]...)
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(d.AlphaW))
	var flags byte
	if d.HasEPD {
		flags |= flagEPD
	}
	if d.Purchasable {
		flags |= flagPurchasable
	}
	dst = append(dst, flags)
	dst = appendText(dst, d.Slug)
	dst = appendTexts(dst, d.Names)
	dst = appendText(dst, d.ManufacturerKey)
	dst = appendTexts(dst, d.Descriptions)
	dst = appendText(dst, d.Category)
	dst = appendText(dst, d.Character)
	dst = appendTexts(dst, d.Installations)
	dst = appendText(dst, d.Manufacturer.ID)
	dst = appendText(dst, d.Manufacturer.Slug)
	dst = appendText(dst, d.Manufacturer.Name)
	dst = appendText(dst, d.FireClass)
	dst = appendText(dst, d.CollationDE)
	return appendText(dst, d.CollationEN)
}

// documentHead is the size of the fields of a spilled document that have a fixed one.
const documentHead = 16 + 8 + 1

// Flags of a spilled document.
const (
	flagEPD = 1 << iota
	flagPurchasable
)

func appendText[T string | []byte](dst []byte, text T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	return append(dst, text...)
}

func appendTexts(dst []byte, texts []string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(texts)))
	for _, t := range texts {
		dst = appendText(dst, t)
	}
	return dst
}

// decodeDocument reads what appendDocument wrote. ok is false when b is something else, as after a fault of the disk.
func decodeDocument(b []byte) (d indexes.Document, ok bool) {
	r := documentReader{b: b}
	var head [documentHead]byte
	copy(head[:], r.bytes(documentHead))
	copy(d.ID[:], head[:16])
	d.AlphaW = math.Float64frombits(binary.LittleEndian.Uint64(head[16:]))
	flags := head[24]
	d.HasEPD, d.Purchasable = flags&flagEPD != 0, flags&flagPurchasable != 0
	d.Slug = r.text()
	d.Names = r.texts()
	d.ManufacturerKey = r.text()
	d.Descriptions = r.texts()
	d.Category = r.text()
	d.Character = r.text()
	d.Installations = r.texts()
	d.Manufacturer.ID = r.text()
	d.Manufacturer.Slug = r.text()
	d.Manufacturer.Name = r.text()
	d.FireClass = r.text()
	d.CollationDE = r.bytes(r.uvarint())
	d.CollationEN = r.bytes(r.uvarint())
	return d, !r.bad && len(r.b) == 0
}

// A documentReader reads the fields of a spilled document; behind the first that does not fit, all are empty.
type documentReader struct {
	b   []byte
	bad bool
}

func (r *documentReader) bytes(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.b, r.bad = nil, true
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *documentReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *documentReader) text() string { return string(r.bytes(r.uvarint())) }

func (r *documentReader) texts() []string {
	n := r.uvarint()
	if n > uint64(len(r.b)) { // every text takes a byte at least: a damaged number asks for no more memory than that
		r.b, r.bad = nil, true
		return nil
	}
	if n == 0 {
		return nil
	}
	texts := make([]string, n)
	for i := range texts {
		texts[i] = r.text()
	}
	return texts
}

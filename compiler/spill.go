package compiler

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"

	"sabine/indexes"
	"sabine/indexes/snapshot"
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

// appendDocument appends a document in the form of the temporary file:
//
//	the 16 bytes of the id
//	alpha_w, the flags, each in 8 bytes
//	textsOf, then the lists of listsOf, each as the number of its texts in 4 bytes and the texts, then the
//	measurements, then both collation keys
//
// A text or a key is its length in 4 bytes and its bytes. Numbers are little-endian.
func appendDocument(dst []byte, d *indexes.Document) []byte {
	var flags uint64
	if d.HasEPD {
		flags |= flagEPD
	}
	if d.Purchasable {
		flags |= flagPurchasable
	}
	dst = append(dst, d.ID[:]...)
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(d.AlphaW))
	dst = binary.LittleEndian.AppendUint64(dst, flags)
	for _, text := range textsOf(d) {
		dst = appendText(dst, *text)
	}
	for _, list := range listsOf(d) {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(*list)))
		for _, text := range *list {
			dst = appendText(dst, text)
		}
	}
	dst = appendMeasurements(dst, &d.Measurements)
	dst = appendText(dst, d.CollationDE)
	return appendText(dst, d.CollationEN)
}

// Flags of a spilled document.
const (
	flagEPD = 1 << iota
	flagPurchasable
)

// textsOf returns the fields of a document that are one text.
func textsOf(d *indexes.Document) [8]*string {
	m := &d.Manufacturer
	return [...]*string{&d.Slug, &d.ManufacturerKey, &d.Category, &d.Character, &m.ID, &m.Slug, &m.Name, &d.FireClass}
}

// listsOf returns the fields of a document that are a list of texts.
func listsOf(d *indexes.Document) [4]*[]string {
	return [...]*[]string{&d.Names, &d.Descriptions, &d.Details, &d.Installations}
}

func appendText[T string | []byte](dst []byte, text T) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
	return append(dst, text...)
}

// decodeDocument reads what appendDocument wrote. ok is false when b is something else, as after a fault of the disk.
func decodeDocument(b []byte) (d indexes.Document, ok bool) {
	c := snapshot.NewCursor(b)
	copy(d.ID[:], c.Bytes(uint64(len(d.ID))))
	d.AlphaW = math.Float64frombits(c.Uint64())
	flags := c.Uint64()
	d.HasEPD, d.Purchasable = flags&flagEPD != 0, flags&flagPurchasable != 0
	next := func() []byte { return c.Bytes(uint64(c.Uint32())) }
	for _, text := range textsOf(&d) {
		*text = string(next())
	}
	for _, list := range listsOf(&d) {
		n := c.Uint32()
		*list = make([]string, 0, min(n, maxGuessed))
		for ; n > 0 && c.Err() == nil; n-- {
			*list = append(*list, string(next()))
		}
	}
	decodeMeasurements(c, &d.Measurements)
	d.CollationDE, d.CollationEN = next(), next()
	return d, c.Err() == nil && c.Offset() == len(b)
}

// maxGuessed is how many texts a list has room for before any of them is read: its number may be damaged.
const maxGuessed = 64

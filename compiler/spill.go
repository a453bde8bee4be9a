package compiler

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/fxamacker/cbor/v2"

	"sabine/indexes"
)

// A spill holds what was made of the products until their numbers are known: in a temporary file, so that the
// memory of a build does not grow with the size of the bodies. It is for one goroutine.
//
// The file is a row of entries in input order, without padding or table: the document as appendDocument
// writes it, then the body as indexes.AppendBody writes it. Where they lie is in each product's spilled.
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

// read returns an entry: its document, and its body as a record for indexes.BodyWriter, which is valid until the
// next read.
func (s *spill) read(at spilled) (d indexes.Document, body []byte, err error) {
	length := int(at.documentLength) + int(at.bodyLength)
	if cap(s.buf) < length {
		s.buf = make([]byte, length, 2*length)
	}
	s.buf = s.buf[:length]
	if _, err := s.file.ReadAt(s.buf, at.offset); err != nil {
		return d, nil, fmt.Errorf("read the temporary file back: %d bytes at %d: %w", length, at.offset, err)
	}
	if d, err = decodeDocument(s.buf[:at.documentLength]); err != nil {
		return d, nil, fmt.Errorf("read the temporary file back: at %d it does not hold what was written: %w", at.offset, err)
	}
	return d, s.buf[at.documentLength:], nil
}

func (s *spill) close() {
	_ = s.file.Close()
}

// The form of a document in the temporary file: CBOR (RFC 8949), each struct as the array of its fields.
// Texts are as the source has them, whatever their bytes.
var (
	documentEncoding = must(cbor.EncOptions{NilContainers: cbor.NilContainerAsEmpty}.UserBufferEncMode())
	documentDecoding = must(cbor.DecOptions{UTF8: cbor.UTF8DecodeInvalid, MaxArrayElements: math.MaxInt32}.DecMode())
)

// must returns what options that are constants give.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// appendDocument appends a document in the form of the temporary file.
func appendDocument(dst []byte, d *indexes.Document) []byte {
	buf := bytes.NewBuffer(dst)
	if err := documentEncoding.MarshalToBuffer(d, buf); err != nil {
		panic(err) // no type of a document's fields is without a form
	}
	return buf.Bytes()
}

// decodeDocument reads what appendDocument wrote. It fails when b is something else, as after a fault of the
// disk.
func decodeDocument(b []byte) (d indexes.Document, err error) {
	err = documentDecoding.Unmarshal(b, &d)
	return d, err
}

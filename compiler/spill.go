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

// A spill stores documents and bodies until their numbers are known. It is a temporary file, so that the
// memory of a build does not grow with the size of the bodies. It is not safe for concurrent use.
//
// The file is a sequence of entries in input order, without padding or table: the document as written by
// appendDocument, then the body as written by indexes.AppendBody. A product's spilled contains the offset and
// lengths.
type spill struct {
	file *os.File
	out  *bufio.Writer
	end  int64
	buf  []byte // the last entry read
}

// spilled is the location of a product's entry.
type spilled struct {
	offset         int64
	documentLength uint32
	bodyLength     uint32
}

const spillBuffer = 1 << 20

// newSpill creates a spill in a folder. Its file has no name, so that it disappears whenever the process
// ends.
func newSpill(dir string) (*spill, error) {
	file, err := os.CreateTemp(dir, ".building-*.spill") // snapshot.Folder.Prune removes files with this name
	if err != nil {
		return nil, fmt.Errorf("create a temporary file: %w", err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("unlink a temporary file: %w", err), file.Close())
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

// flush makes all entries readable. No entry can be added after it.
func (s *spill) flush() error {
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("write the temporary file of %d bytes: %w", s.end, err)
	}
	s.out = nil
	return nil
}

// read returns the document and the body of an entry. The body is a record for indexes.BodyWriter and is
// valid until the next read.
func (s *spill) read(at spilled) (d indexes.Document, body []byte, err error) {
	length := int(at.documentLength) + int(at.bodyLength)
	if cap(s.buf) < length {
		s.buf = make([]byte, length, 2*length)
	}
	s.buf = s.buf[:length]
	if _, err := s.file.ReadAt(s.buf, at.offset); err != nil {
		return d, nil, fmt.Errorf("read %d bytes at offset %d of the temporary file: %w", length, at.offset, err)
	}
	if d, err = decodeDocument(s.buf[:at.documentLength]); err != nil {
		return d, nil, fmt.Errorf("read the temporary file: the entry at offset %d is damaged: %w", at.offset, err)
	}
	return d, s.buf[at.documentLength:], nil
}

func (s *spill) close() {
	_ = s.file.Close()
}

// The encoding of a document in the temporary file is CBOR (RFC 8949), with each struct as an array of its
// fields. Texts are stored unchanged, even when they are not valid UTF-8.
var (
	documentEncoding = must(cbor.EncOptions{NilContainers: cbor.NilContainerAsEmpty}.UserBufferEncMode())
	documentDecoding = must(cbor.DecOptions{UTF8: cbor.UTF8DecodeInvalid, MaxArrayElements: math.MaxInt32}.DecMode())
)

// must returns v. It panics when constant options are invalid.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// appendDocument appends the encoding of a document.
func appendDocument(dst []byte, d *indexes.Document) []byte {
	buf := bytes.NewBuffer(dst)
	if err := documentEncoding.MarshalToBuffer(d, buf); err != nil {
		panic(err) // all types of a document's fields can be encoded
	}
	return buf.Bytes()
}

// decodeDocument decodes the result of appendDocument. It fails when b is damaged, for example by a disk
// fault.
func decodeDocument(b []byte) (d indexes.Document, err error) {
	err = documentDecoding.Unmarshal(b, &d)
	return d, err
}

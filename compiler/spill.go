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

// A spill stores documents and bodies until their document numbers are known. It is a temporary file, so that
// the memory use of a build does not depend on the size of the bodies. After all inputs are read,
// collector.finish reads rejected products to uncount their values, and copyBodies reads all products in
// order. A spill is not safe for concurrent use.
//
// The file contains one entry for each product in input order, without padding or a table. An entry consists
// of the document, as written by appendDocument, and the body, as written by indexes.AppendBody. The offset
// and the lengths of a product's entry are in its spilled.
type spill struct {
	file *os.File
	out  *bufio.Writer
	end  int64
	buf  []byte // entry that was read last
}

// A spilled is the location of a product's entry in a spill.
type spilled struct {
	offset         int64
	documentLength uint32
	bodyLength     uint32
}

const spillBuffer = 1 << 20

// newSpill creates a spill in a folder. The file has no name, so it disappears when the process ends, even
// after a crash.
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

// add appends an entry to the spill.
func (s *spill) add(entry []byte, documentLength int) (spilled, error) {
	at := spilled{offset: s.end, documentLength: uint32(documentLength), bodyLength: uint32(len(entry) - documentLength)}
	n, err := s.out.Write(entry)
	s.end += int64(n)
	if err != nil {
		return spilled{}, fmt.Errorf("write byte %d of the temporary file: %w", s.end, err)
	}
	return at, nil
}

// flush writes all entries to the file, so that they can be read. No entries may be added afterwards.
func (s *spill) flush() error {
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("write the temporary file of %d bytes: %w", s.end, err)
	}
	s.out = nil
	return nil
}

// read returns the document and the body of an entry. The body is a record for indexes.BodyWriter and is
// valid until the next call.
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

// Documents are encoded in the temporary file as CBOR (RFC 8949). Each struct is encoded as an array of its
// fields. Strings are stored unchanged, even if they are not valid UTF-8.
var (
	documentEncoding = must(cbor.EncOptions{NilContainers: cbor.NilContainerAsEmpty}.UserBufferEncMode())
	documentDecoding = must(cbor.DecOptions{UTF8: cbor.UTF8DecodeInvalid, MaxArrayElements: math.MaxInt32}.DecMode())
)

// must returns v. It panics if err is not nil, which would be caused by invalid constant options.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// appendDocument appends a document in encoded form.
func appendDocument(dst []byte, d *indexes.Document) []byte {
	buf := bytes.NewBuffer(dst)
	if err := documentEncoding.MarshalToBuffer(d, buf); err != nil {
		panic(err) // all field types of a document can be encoded
	}
	return buf.Bytes()
}

// decodeDocument decodes the result of appendDocument. It returns an error if b is damaged, for example by a
// disk error.
func decodeDocument(b []byte) (d indexes.Document, err error) {
	err = documentDecoding.Unmarshal(b, &d)
	return d, err
}

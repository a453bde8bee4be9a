package snapshot

import (
	"encoding/binary"
	"fmt"
)

// A Cursor reads fields from a section, one after another, and remembers its first error. After an error,
// every read returns zero. So callers can read a whole row and then call Err once.
type Cursor struct {
	b    []byte
	off  int
	err  *CorruptError
	path string // path of the file, for errors
	kind Kind   // kind of the section, for errors
	base int64  // offset of b in the file, in bytes
}

// NewCursor returns a cursor at the start of b, for tests. Its errors report offsets within b, while the
// errors of a cursor from File.Cursor report offsets within the file.
func NewCursor(b []byte) *Cursor { return &Cursor{b: b} }

// Uint32 reads a little-endian uint32.
func (c *Cursor) Uint32() uint32 {
	if b := c.Bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Uint64 reads a little-endian uint64.
func (c *Cursor) Uint64() uint64 {
	if b := c.Bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// Bytes returns the next n bytes without copying them. The caller must not write to them, or use them after
// the file is closed. If fewer than n bytes are left, Bytes and all later reads return nil or zero.
func (c *Cursor) Bytes(n uint64) []byte {
	if c.err != nil {
		return nil
	}
	if n > uint64(c.left()) { // compared before int(n), which is negative for some invalid lengths
		c.Fail(c.off, fmt.Sprintf("%d bytes, but only %d are left", n, c.left()))
		return nil
	}
	b := c.b[c.off : c.off+int(n) : c.off+int(n)]
	c.off += int(n)
	return b
}

// Rest returns all unread bytes. The restrictions of Bytes apply.
func (c *Cursor) Rest() []byte { return c.Bytes(uint64(c.left())) }

func (c *Cursor) left() int { return len(c.b) - c.off }

// Align skips zero padding up to the next offset that is a multiple of n.
func (c *Cursor) Align(n int) {
	start := c.off
	padding := c.Bytes(uint64((n - start%n) % n))
	if at := firstNonZero(padding); at >= 0 {
		c.Fail(start+at, "zero padding")
	}
}

// Offset returns the number of bytes that have been read.
func (c *Cursor) Offset() int { return c.off }

// Fail records an error for an invalid value, unless the cursor already has an error. The offset is relative
// to the start of the cursor.
func (c *Cursor) Fail(offset int, want string) {
	if c.err == nil {
		c.err = &CorruptError{Path: c.path, Section: c.kind, Offset: c.base + int64(offset), Want: want}
	}
}

// Err returns the first error, which is a *CorruptError, or nil.
func (c *Cursor) Err() error {
	if c.err == nil {
		return nil // do not return c.err, since a nil *CorruptError is a non-nil error
	}
	return c.err
}

package snapshot

import (
	"encoding/binary"
	"fmt"
)

// A Cursor reads fields from a section, one after the other, and keeps its first fault: read a whole row,
// then ask Err once. After a fault every read returns zero.
type Cursor struct {
	b    []byte
	off  int
	err  *CorruptError
	path string // of the file, for faults
	kind Kind   // of the section, for faults
	base int64  // offset of b in the file
}

// NewCursor reads b from its start. Its faults state offsets within b; those of File.Cursor, within the file.
func NewCursor(b []byte) *Cursor { return &Cursor{b: b} }

// Uint32 reads a little-endian number of 4 bytes.
func (c *Cursor) Uint32() uint32 {
	if b := c.Bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Uint64 reads a little-endian number of 8 bytes.
func (c *Cursor) Uint64() uint64 {
	if b := c.Bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// Bytes returns the next n bytes where they lie: never write to them, never keep them past the file's Close.
// A read that does not fit returns nil, and so does every later one.
func (c *Cursor) Bytes(n uint64) []byte {
	if c.err != nil {
		return nil
	}
	if n > uint64(c.left()) { // compared before int(n), which a damaged length turns negative
		c.Fail(c.off, fmt.Sprintf("%d bytes, not the end behind %d", n, c.left()))
		return nil
	}
	b := c.b[c.off : c.off+int(n) : c.off+int(n)]
	c.off += int(n)
	return b
}

// Rest returns all bytes that were not read yet, as Bytes does.
func (c *Cursor) Rest() []byte { return c.Bytes(uint64(c.left())) }

func (c *Cursor) left() int { return len(c.b) - c.off }

// Align skips zero padding up to the next multiple of n, counted from the cursor's start.
func (c *Cursor) Align(n int) {
	start := c.off
	padding := c.Bytes(uint64((n - start%n) % n))
	if at := firstNonZero(padding); at >= 0 {
		c.Fail(start+at, "zero padding")
	}
}

// Offset returns how many bytes were read.
func (c *Cursor) Offset() int { return c.off }

// Fail notes a fault that the reader found itself, at an offset from the cursor's start, unless there was one
// before.
func (c *Cursor) Fail(offset int, want string) {
	if c.err == nil {
		c.err = &CorruptError{Path: c.path, Section: c.kind, Offset: c.base + int64(offset), Want: want}
	}
}

// Err returns the first fault, a *CorruptError; nil when every read did fit.
func (c *Cursor) Err() error {
	if c.err == nil {
		return nil // and not a nil *CorruptError in a non-nil error
	}
	return c.err
}

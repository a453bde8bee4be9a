package snapshot

// A Cursor reads fields from a section, one after the other, and keeps its first fault: read a whole row, then ask
// Err once. After a fault every read returns zero.
type Cursor struct{ unexported int }

// NewCursor reads b from its start.
func NewCursor(b []byte) *Cursor { panic("unwritten") }

// Uint32 and Uint64 read little-endian numbers; Bytes the next n bytes where they lie.
func (c *Cursor) Uint32() uint32        { panic("unwritten") }
func (c *Cursor) Uint64() uint64        { panic("unwritten") }
func (c *Cursor) Bytes(n uint64) []byte { panic("unwritten") }

// Align skips zero padding up to the next multiple of n.
func (c *Cursor) Align(n int) { panic("unwritten") }

// Offset returns how many bytes were read.
func (c *Cursor) Offset() int { panic("unwritten") }

// Err returns the first read that did not fit, as an offset and what was wanted there; nil when all did.
func (c *Cursor) Err() error { panic("unwritten") }

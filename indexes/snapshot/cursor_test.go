package snapshot

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"
)

func TestCursor(t *testing.T) {
	b := []byte{1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0x80, 'f', 'e', 'l', 't', 0, 0, 0, 0}
	c := NewCursor(b)
	if got := c.Uint32(); got != 1 {
		t.Errorf("Uint32 = %d, want 1", got)
	}
	if got := c.Uint64(); got != 1<<63+2 {
		t.Errorf("Uint64 = %#x, want %#x", got, uint64(1<<63+2))
	}
	c.Align(4) // has no effect, since the offset is already aligned
	felt := c.Bytes(4)
	if string(felt) != "felt" || &felt[0] != &b[12] || cap(felt) != 4 {
		t.Errorf("Bytes = %q with capacity %d, want the 4 bytes, not copied, with capacity 4", felt, cap(felt))
	}
	c.Uint32()
	c.Align(5)
	if c.Offset() != 20 || c.Err() != nil {
		t.Errorf("at %d with error %v, want 20 and none", c.Offset(), c.Err())
	}
	if got := c.Bytes(0); got == nil || c.Err() != nil {
		t.Errorf("zero bytes at the end: %v, %v, want an empty slice", got, c.Err())
	}
}

func TestCursorFaults(t *testing.T) {
	tests := []struct {
		rule string
		read func(c *Cursor)
		want string
	}{
		{"a truncated number", func(c *Cursor) { c.Uint32(); c.Uint64() },
			"snapshot: damaged at byte 4: expected 8 bytes, but only 6 are left"},
		{"a length that turns negative as an int", func(c *Cursor) { c.Bytes(math.MaxUint64) },
			"snapshot: damaged at byte 0: expected 18446744073709551615 bytes, but only 10 are left"},
		{"padding that is not zero", func(c *Cursor) { c.Bytes(5); c.Align(8) },
			"snapshot: damaged at byte 6: expected zero padding"},
		{"truncated padding", func(c *Cursor) { c.Bytes(9); c.Align(32) },
			"snapshot: damaged at byte 9: expected 23 bytes, but only 1 are left"},
		{"Err returns the first error", func(c *Cursor) { c.Bytes(11); c.Fail(3, "something else"); c.Bytes(12) },
			"snapshot: damaged at byte 0: expected 11 bytes, but only 10 are left"},
		{"an error of the caller", func(c *Cursor) { c.Fail(3, "a count") },
			"snapshot: damaged at byte 3: expected a count"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			c := NewCursor([]byte{0, 0, 0, 0, 0, 0, 7, 0, 0, 0})
			tt.read(c)
			if got := message(c.Err()); got != tt.want {
				t.Errorf("\ngot  %s\nwant %s", got, tt.want)
			}
			if a, b, d := c.Uint32(), c.Uint64(), c.Bytes(0); a != 0 || b != 0 || d != nil {
				t.Errorf("reads after an error: %d, %d, %v, want zeros", a, b, d)
			}
		})
	}
}

func TestCursorOverASectionStatesOffsetsInTheFile(t *testing.T) {
	f, err := OpenBytes("x.snapshot", bytesOf(t, small...))
	if err != nil {
		t.Fatal(err)
	}
	c := f.Cursor(9) // section of 15 bytes at offset 2080
	c.Uint64()
	c.Uint64()
	if want := (CorruptError{Path: "x.snapshot", Section: 9, Offset: 2088,
		Want: "8 bytes, but only 7 are left"}); !isCorrupt(c.Err(), want) {
		t.Errorf("got %v, want %v", c.Err(), &want)
	}
	if want := (CorruptError{Path: "x.snapshot", Section: 77, Offset: tableStart,
		Want: "a section of this kind in the table"}); !isCorrupt(f.Cursor(77).Err(), want) {
		t.Errorf("got %v, want %v", f.Cursor(77).Err(), &want)
	}
}

func isCorrupt(err error, want CorruptError) bool {
	var got *CorruptError
	return errors.As(err, &got) && *got == want
}

// FuzzCursor checks that a cursor never reads outside of its bytes and never moves after an error.
func FuzzCursor(f *testing.F) {
	f.Add([]byte("0123456789"), []byte{4, 8, 1, 0})
	f.Add([]byte{}, []byte{0})
	f.Add(binary.LittleEndian.AppendUint64(nil, math.MaxUint64), []byte{200, 255})
	f.Fuzz(func(t *testing.T, b, script []byte) {
		c := NewCursor(b)
		for _, op := range script {
			before, failed := c.Offset(), c.Err() != nil
			switch {
			case op < 64:
				c.Bytes(uint64(op))
			case op < 128:
				c.Align(int(op-64) + 1)
			case op < 192:
				c.Bytes(c.Uint64())
			default:
				c.Bytes(math.MaxUint64 - uint64(op))
			}
			if c.Offset() > len(b) || c.Offset() < before || failed && c.Offset() != before {
				t.Fatalf("op %d moved from %d to %d of %d bytes", op, before, c.Offset(), len(b))
			}
		}
	})
}

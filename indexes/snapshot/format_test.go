package snapshot

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/zeebo/xxh3"
)

// TestFormatByteByByte writes the smallest snapshot with all kinds of bytes, in the order of format.go.
func TestFormatByteByByte(t *testing.T) {
	zeros := func(n int) []byte { return make([]byte, n) }
	want := bytes.Join([][]byte{
		{0x89, 'S', 'A', 'B', 'I', 'N', 'E', 0x0A},
		{8, 0},                         // major version
		{0, 0},                         // minor version
		{2, 0, 0, 0},                   // number of sections
		{0x23, 0x08, 0, 0, 0, 0, 0, 0}, // length of the file: 2083
		zeros(8),                       //
		{7, 0, 0, 0},                   // row 0: kind
		zeros(4),                       //
		{0x00, 0x08, 0, 0, 0, 0, 0, 0}, // offset 2048
		{2, 0, 0, 0, 0, 0, 0, 0},       // length
		{0x9A, 0x6E, 0xEA, 0xD7, 0xBB, 0x00, 0x23, 0x2A}, // checksum of section 7, "hi"
		{1, 1, 0, 0},                   // row 1: kind 257
		zeros(4),                       //
		{0x20, 0x08, 0, 0, 0, 0, 0, 0}, // offset 2080
		{3, 0, 0, 0, 0, 0, 0, 0},       // length
		{0xD9, 0x99, 0xFF, 0xDF, 0x8B, 0x35, 0x2C, 0xE6}, // checksum of section 257, "you"
		zeros(60 * 32), // unused rows
		zeros(24),      //
		{0x85, 0xEF, 0x1A, 0x9D, 0xC6, 0xAE, 0x28, 0x2C}, // checksum of the preceding 2040 bytes
		{'h', 'i'},      // content of section 7
		zeros(30),       // padding to a multiple of 32
		{'y', 'o', 'u'}, // content of section 257
	}, nil)
	got := bytesOf(t, part{7, 8, "hi"}, part{257, 32, "you"})
	if at := firstDifference(got, want); at >= 0 {
		t.Errorf("byte %d differs\ngot  %x\nwant %x", at, got[at:min(at+32, len(got))],
			want[min(at, len(want)):min(at+32, len(want))])
	}
	if err := check(want); err != nil {
		t.Errorf("the bytes written by hand cannot be opened: %v", err)
	}
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) == len(b) {
		return -1
	}
	return min(len(a), len(b))
}

// TestDamage changes a file and compares the exact error. If the damage is "resealed", the checksum of the
// head is corrected, as if a faulty program rather than a disk had caused the damage.
func TestDamage(t *testing.T) {
	le := binary.LittleEndian
	row := func(i int) int { return tableStart + i*rowSize }
	tests := []struct {
		what   string
		damage func(b []byte) []byte
		seal   bool
		want   string
	}{
		{"nothing", func(b []byte) []byte { return b }, false, ""},
		{"nothing, resealed", func(b []byte) []byte { return b }, true, ""},
		{"an empty file", func([]byte) []byte { return nil }, false,
			"x.snapshot: damaged at byte 0: expected the magic bytes of a snapshot"},
		{"text instead of a snapshot", func([]byte) []byte { return []byte("{\"products\": []}\n") }, false,
			"x.snapshot: damaged at byte 0: expected the magic bytes of a snapshot"},
		{"a line feed that became two characters in transfer", func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
		}, false,
			"x.snapshot: damaged at byte 0: expected the magic bytes of a snapshot"},
		{"cut in the header", func(b []byte) []byte { return b[:20] }, false,
			"x.snapshot: damaged at byte 20: expected a head of 2048 bytes, not the end of the file"},
		{"cut in the table", func(b []byte) []byte { return b[:500] }, false,
			"x.snapshot: damaged at byte 500: expected a head of 2048 bytes, not the end of the file"},
		{"cut after the head", func(b []byte) []byte { return b[:headSize] }, false,
			"x.snapshot: section 5 damaged at byte 2048: expected the section to end at byte 2056, but the file is shorter"},
		{"cut in a section", func(b []byte) []byte { return b[:2090] }, false,
			"x.snapshot: section 9 damaged at byte 2090: expected the section to end at byte 2095, but the file is shorter"},
		{"cut in padding", func(b []byte) []byte { return b[:2100] }, false,
			"x.snapshot: section 3 damaged at byte 2100: expected the section to end at byte 2115, but the file is shorter"},
		{"a byte too many", func(b []byte) []byte { return append(b, 0) }, false,
			"x.snapshot: damaged at byte 2115: expected the end of the file, not 1 more bytes"},
		{"another major version", func(b []byte) []byte { b[8] = 5; return b }, false,
			"x.snapshot: unsupported format version 5.0: this program reads version 8 (up to 8.0); rebuild the catalogue " +
				"with this program"},
		{"a later minor version", func(b []byte) []byte { b[10] = 7; return b }, true, ""},
		{"a flipped bit in the table", func(b []byte) []byte { b[row(1)+8] ^= 1; return b }, false,
			"x.snapshot: damaged at byte 2040: expected 29ee896eec68b39d, the checksum of the head, not b77280b53ddac96f"},
		{"63 sections", func(b []byte) []byte { le.PutUint32(b[12:], 63); return b }, true,
			"x.snapshot: damaged at byte 12: expected at most 62 sections, not 63"},
		{"4,294,967,295 sections", func(b []byte) []byte { le.PutUint32(b[12:], 1<<32-1); return b }, true,
			"x.snapshot: damaged at byte 12: expected at most 62 sections, not 4294967295"},
		{"a section forgotten", func(b []byte) []byte { le.PutUint32(b[12:], 4); return b }, true,
			"x.snapshot: damaged at byte 160: expected zero after the last row of the section table"},
		{"an empty row counted", func(b []byte) []byte { le.PutUint32(b[12:], 6); return b }, true,
			"x.snapshot: damaged at byte 192: expected a section kind other than zero"},
		{"a nonzero byte in the header", func(b []byte) []byte { b[31] = 1; return b }, true,
			"x.snapshot: damaged at byte 31: expected zero"},
		{"a nonzero byte in a row", func(b []byte) []byte { b[row(2)+7] = 1; return b }, true,
			"x.snapshot: section 9 damaged at byte 100: expected zero"},
		{"a nonzero byte before the checksum of the head", func(b []byte) []byte { b[checksumAt-1] = 1; return b }, true,
			"x.snapshot: damaged at byte 2039: expected zero after the last row of the section table"},
		{"a duplicate kind", func(b []byte) []byte { b[row(1)] = 5; return b }, true,
			"x.snapshot: section 5 damaged at byte 64: expected each section kind once"},
		{"a section that is not aligned", func(b []byte) []byte { b[row(1)+8]++; return b }, true,
			"x.snapshot: section 2 damaged at byte 72: expected an offset that is a multiple of 8, not 2057"},
		{"sections that overlap", func(b []byte) []byte { le.PutUint64(b[row(1)+8:], 2048); return b }, true,
			"x.snapshot: section 2 damaged at byte 72: expected an offset right after byte 2056, not 2048"},
		{"a section in the head", func(b []byte) []byte { le.PutUint64(b[row(0)+8:], 0); return b }, true,
			"x.snapshot: section 5 damaged at byte 40: expected an offset right after byte 2048, not 0"},
		{"a gap before the first section", func(b []byte) []byte { le.PutUint64(b[row(0)+8:], 2056); return b }, true,
			"x.snapshot: section 5 damaged at byte 40: expected an offset right after byte 2048, not 2056"},
		{"a gap in which data could be hidden", func(b []byte) []byte { le.PutUint64(b[row(4)+8:], 2096+32); return b }, true,
			"x.snapshot: section 3 damaged at byte 168: expected an offset right after byte 2096, not 2128"},
		{"an offset beyond 63 bits", func(b []byte) []byte { le.PutUint64(b[row(4)+8:], 1<<64-8); return b }, true,
			"x.snapshot: section 3 damaged at byte 168: expected an offset right after byte 2096, not 18446744073709551608"},
		{"a length that overflows int64", func(b []byte) []byte { le.PutUint64(b[row(4)+16:], 1<<63+3); return b }, true,
			"x.snapshot: section 3 damaged at byte 176: expected a length that fits into a file, not 9223372036854775811"},
		{"a length that wraps around", func(b []byte) []byte { le.PutUint64(b[row(0)+16:], 1<<64-2048); return b }, true,
			"x.snapshot: section 5 damaged at byte 48: expected a length that fits into a file, not 18446744073709549568"},
		{"a last section beyond the file", func(b []byte) []byte { le.PutUint64(b[row(4)+16:], 4); return b }, true,
			"x.snapshot: damaged at byte 16: expected 2116, the end of the last section, not 2115"},
		{"another file length", func(b []byte) []byte { le.PutUint64(b[16:], 2114); return b }, true,
			"x.snapshot: damaged at byte 16: expected 2115, the end of the last section, not 2114"},
		{"a flipped bit in a section", func(b []byte) []byte { b[2057] ^= 0x10; return b }, false,
			"x.snapshot: section 2 damaged at byte 2056: expected 5 bytes with the checksum 897eb7c687e46403, " +
				"not e7d6aed5ff2fedbd"},
		{"a wrong checksum in the table", func(b []byte) []byte { b[row(3)+24] ^= 1; return b }, true,
			"x.snapshot: section 4 damaged at byte 2096: expected 0 bytes with the checksum 2d06800538d394c3, " +
				"not 2d06800538d394c2"},
		{"a nonzero byte in the padding", func(b []byte) []byte { b[2063] = 1; return b }, false,
			"x.snapshot: section 9 damaged at byte 2063: expected zero padding before the section"},
		{"two faults", func(b []byte) []byte { b[2100], b[2112] = 1, 'E'; return b }, false,
			"x.snapshot: section 3 damaged at byte 2100: expected zero padding before the section\n" +
				"x.snapshot: section 3 damaged at byte 2112: expected 3 bytes with the checksum f66d8cc5d275f416, not e388ffa5d80a4031"},
	}
	whole := bytesOf(t, small...)
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			b := tt.damage(bytes.Clone(whole))
			if tt.seal {
				reseal(b)
			}
			err := check(b)
			if got := message(err); got != tt.want {
				t.Errorf("\ngot  %s\nwant %s", got, tt.want)
			}
			var corrupt *CorruptError
			var version *VersionError
			if err != nil && !errors.As(err, &corrupt) && !errors.As(err, &version) {
				t.Errorf("%T is neither a *CorruptError nor a *VersionError", err)
			}
		})
	}
}

// reseal corrects the checksum of the head of b.
func reseal(b []byte) {
	binary.LittleEndian.PutUint64(b[checksumAt:], xxh3.Hash(b[:checksumAt]))
}

func TestALaterMinorVersionIsAccepted(t *testing.T) {
	b := bytesOf(t, small...)
	b[10] = 7
	reseal(b)
	f, err := OpenBytes("x.snapshot", b)
	if err != nil {
		t.Fatal(err)
	}
	if major, minor := f.Version(); major != FormatMajor || minor != 7 {
		t.Errorf("got version %d.%d, want %d.7", major, minor, FormatMajor)
	}
}

func TestEveryFlippedByteIsNoticed(t *testing.T) {
	whole := bytesOf(t, small...)
	for at := range whole {
		for _, mask := range []byte{0x01, 0x80, 0xFF} {
			b := bytes.Clone(whole)
			b[at] ^= mask
			f, err := OpenBytes("x.snapshot", b)
			switch {
			case at < headSize && err == nil:
				t.Fatalf("byte %d of the head with mask %#x: opened", at, mask)
			case at >= headSize && err != nil:
				t.Fatalf("byte %d of a section with mask %#x: Open reads more than the head: %v", at, mask, err)
			case at >= headSize && f.VerifyChecksums(t.Context()) == nil:
				t.Fatalf("byte %d with mask %#x: verified", at, mask)
			}
		}
	}
}

func TestEveryTruncationIsRefused(t *testing.T) {
	whole := bytesOf(t, small...)
	for n := range whole {
		if _, err := OpenBytes("x.snapshot", whole[:n:n]); err == nil {
			t.Fatalf("opened with %d of %d bytes", n, len(whole))
		}
	}
}

// For a head with arbitrary rows, either Open returns an error or all sections can be read completely.
func FuzzOpenBytes(f *testing.F) {
	whole := bytesOf(f, small...)
	f.Add(whole, true)
	f.Add(whole[:headSize], false)
	f.Add(whole[:2100], true)
	f.Add(bytesOf(f), false)
	f.Add([]byte(magic), false)
	for i := range 5 { // set each field of a row to its maximum value
		b := bytes.Clone(whole)
		binary.LittleEndian.PutUint64(b[tableStart+rowSize+i%4*8:], 1<<63-uint64(i))
		f.Add(b, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, seal bool) {
		if seal && len(b) >= headSize {
			b = bytes.Clone(b)
			reseal(b)
		}
		file, err := OpenBytes("x.snapshot", b)
		if err != nil {
			return
		}
		sum := int64(headSize)
		for _, s := range file.Sections() {
			section, ok := file.Section(s.Kind)
			if !ok || int64(len(section)) != s.Length {
				t.Fatalf("section %d has %d bytes, want %d", s.Kind, len(section), s.Length)
			}
			c := file.Cursor(s.Kind)
			if c.Bytes(uint64(len(section))); c.Err() != nil {
				t.Fatal(c.Err())
			}
			sum += s.Length
		}
		if sum > int64(len(b)) {
			t.Fatalf("sections of %d bytes in a file of %d bytes", sum, len(b))
		}
		if err := file.VerifyChecksums(t.Context()); err == nil {
			return
		} else if corrupt := new(CorruptError); !errors.As(err, &corrupt) {
			t.Fatal(fmt.Errorf("%T: %w", err, err))
		}
	})
}

package snapshot

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"
)

// A snapshot is one file: a head of 2,048 bytes, then the sections. All numbers are little-endian and
// unsigned.
//
// The head:
//
//	offset  size  field
//	     0     8  magic: 89 53 41 42 49 4E 45 0A, which is 0x89, "SABINE" and a line feed
//	     8     2  major version of the format; a reader refuses another than its own
//	    10     2  minor version; it adds section kinds only
//	    12     4  number of sections n, at most 62
//	    16     8  length of the file in bytes
//	    24     8  zero
//	    32  1984  the section table: n rows of 32 bytes, then zero
//	  2016    24  zero
//	  2040     8  xxh3-64 (seed 0) of bytes 0 to 2039
//
// A row of the section table, in ascending order of offset:
//
//	offset  size  field
//	     0     4  kind, not zero, each once; a reader skips a kind that it does not know
//	     4     4  zero
//	     8     8  offset of the section from the start of the file, a multiple of 8 (of 32 where the writer asked for it)
//	    16     8  length of the section in bytes, padding not counted
//	    24     8  xxh3-64 (seed 0) of the section's bytes
//
// The first section begins at byte 2048, every other one less than 32 bytes behind the end of the one before
// it; the bytes between them are zero. The file ends with the last section, or with the head when there is
// none. So every byte is either under a checksum or known to be zero.
//
// The table has room for a fixed number of rows so that sections can be streamed to disk before it is known
// how many there will be, and so that a reader needs the first page and the file's length to check the whole
// layout.
//
// The file's name is the SHA-256 of all of it, 64 lower-case hex digits, and ".snapshot".
const (
	headSize    = 2048
	tableStart  = 32
	rowSize     = 32
	maxSections = 62
	checksumAt  = headSize - 8 // of the head's own checksum
	tableEnd    = tableStart + maxSections*rowSize

	minAlign = 8
	maxAlign = 32
)

const magic = "\x89SABINE\n"

// Version of the format. A reader refuses another major version; a minor version adds section kinds only.
const (
	FormatMajor = 8
	FormatMinor = 0
)

// A Kind names what a section holds. Package indexes lists the kinds in sections.go. Zero is no kind: in a
// CorruptError it stands for the head.
type Kind uint32

var kindNames = map[Kind]string{}

// Name tells the name that errors and reports have for a kind. It is for the init of the package that knows
// the kinds; this one knows none.
func Name(kind Kind, name string) { kindNames[kind] = name }

// String returns the kind's name; of one that nobody has named, its number.
func (k Kind) String() string {
	if name, ok := kindNames[k]; ok {
		return name
	}
	return strconv.FormatUint(uint64(k), 10)
}

// SectionInfo is one row of the section table.
type SectionInfo struct {
	Kind     Kind
	Offset   int64 // bytes from the start of the file
	Length   int64 // bytes, padding not counted
	Checksum uint64
}

// find returns the row of a kind, nil when there is none.
func find(sections []SectionInfo, kind Kind) *SectionInfo {
	if i := slices.IndexFunc(sections, func(s SectionInfo) bool { return s.Kind == kind }); i >= 0 {
		return &sections[i]
	}
	return nil
}

// end returns the offset of the first byte behind the section.
func (s *SectionInfo) end() int64 { return s.Offset + s.Length }

func fileSize(sections []SectionInfo) int64 {
	if n := len(sections); n > 0 {
		return sections[n-1].end()
	}
	return headSize
}

func encodeHead(sections []SectionInfo) []byte {
	le := binary.LittleEndian
	b := make([]byte, headSize)
	copy(b, magic)
	le.PutUint16(b[8:], FormatMajor)
	le.PutUint16(b[10:], FormatMinor)
	le.PutUint32(b[12:], uint32(len(sections)))
	le.PutUint64(b[16:], uint64(fileSize(sections)))
	for i, s := range sections {
		row := b[tableStart+i*rowSize:]
		le.PutUint32(row[0:], uint32(s.Kind))
		le.PutUint64(row[8:], uint64(s.Offset))
		le.PutUint64(row[16:], uint64(s.Length))
		le.PutUint64(row[24:], s.Checksum)
	}
	le.PutUint64(b[checksumAt:], xxh3.Hash(b[:checksumAt]))
	return b
}

// decodeHead checks the head of a file of size bytes and returns its section table. The head is all of b that
// is read: at most its first headSize bytes. What it returns is safe to slice a file of that size by.
func decodeHead(path string, b []byte, size int64) ([]SectionInfo, error) {
	corrupt := func(kind Kind, offset int64, format string, args ...any) error {
		return &CorruptError{Path: path, Section: kind, Offset: offset, Want: fmt.Sprintf(format, args...)}
	}
	le := binary.LittleEndian
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return nil, corrupt(0, 0, "the magic bytes of a snapshot")
	}
	// The version comes before everything else: another major version may have another head.
	if len(b) >= tableStart && le.Uint16(b[8:]) != FormatMajor {
		return nil, &VersionError{Path: path, Major: le.Uint16(b[8:]), Minor: le.Uint16(b[10:])}
	}
	if len(b) < headSize {
		return nil, corrupt(0, int64(len(b)), "a head of %d bytes, not the end of the file", headSize)
	}
	if want, got := le.Uint64(b[checksumAt:]), xxh3.Hash(b[:checksumAt]); want != got {
		return nil, corrupt(0, checksumAt, "%016x, the checksum of the head, not %016x", got, want)
	}
	// From here on a fault is one of the program that wrote the file, since the checksum holds.
	n := le.Uint32(b[12:])
	if n > maxSections {
		return nil, corrupt(0, 12, "at most %d sections, not %d", maxSections, n)
	}
	rows := b[tableStart : tableStart+int(n)*rowSize]
	if at := firstNonZero(b[24:tableStart]); at >= 0 {
		return nil, corrupt(0, 24+int64(at), "zero")
	}
	if at := firstNonZero(b[tableStart+len(rows) : checksumAt]); at >= 0 {
		return nil, corrupt(0, tableStart+int64(len(rows)+at), "zero behind the last row of the section table")
	}

	sections := make([]SectionInfo, 0, n)
	end := uint64(headSize) // of what stands before the row's section
	for at := int64(tableStart); len(rows) > 0; rows, at = rows[rowSize:], at+rowSize {
		kind, offset, length := Kind(le.Uint32(rows)), le.Uint64(rows[8:]), le.Uint64(rows[16:])
		switch {
		case kind == 0:
			return nil, corrupt(0, at, "a section kind other than zero")
		case find(sections, kind) != nil:
			return nil, corrupt(kind, at, "each section kind once")
		case le.Uint32(rows[4:]) != 0:
			return nil, corrupt(kind, at+4, "zero")
		case offset%minAlign != 0:
			return nil, corrupt(kind, at+8, "an offset that is a multiple of %d, not %d", minAlign, offset)
		case offset < end || offset-end >= maxAlign || len(sections) == 0 && offset != end:
			return nil, corrupt(kind, at+8, "an offset right behind byte %d, not %d", end, offset)
		case length > uint64(1<<62)-offset: // so that offset+length fits into an int64
			return nil, corrupt(kind, at+16, "a length that fits into a file, not %d", length)
		}
		end = offset + length
		sections = append(sections, SectionInfo{Kind: kind, Offset: int64(offset), Length: int64(length),
			Checksum: le.Uint64(rows[24:])})
	}
	if length := le.Uint64(b[16:]); length != end {
		return nil, corrupt(0, 16, "%d, the end of the last section, not %d", end, length)
	}
	return sections, checkSize(path, sections, size)
}

// checkSize holds the size of a file against its section table, and names the first section that is cut off.
func checkSize(path string, sections []SectionInfo, size int64) error {
	end := int64(headSize)
	for i := range sections {
		s := &sections[i]
		if end = s.end(); end > size {
			return &CorruptError{Path: path, Section: s.Kind, Offset: size,
				Want: fmt.Sprintf("a section up to byte %d, not the end of the file", end)}
		}
	}
	if end < size {
		return &CorruptError{Path: path, Offset: end, Want: fmt.Sprintf("the end of the file, not %d more bytes", size-end)}
	}
	return nil
}

// firstNonZero returns the place of the first byte that is not zero, -1 when there is none.
func firstNonZero(b []byte) int { return slices.IndexFunc(b, func(c byte) bool { return c != 0 }) }

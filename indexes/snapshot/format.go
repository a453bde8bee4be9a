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
// The head has these fields:
//
//	offset  size  field
//	     0     8  magic: 89 53 41 42 49 4E 45 0A, which is 0x89, "SABINE" and a line feed
//	     8     2  major version of the format; a reader refuses any version but its own
//	    10     2  minor version, which only adds section kinds
//	    12     4  number of sections n, at most 62
//	    16     8  length of the file in bytes
//	    24     8  zero
//	    32  1984  the section table: n rows of 32 bytes, then zero
//	  2016    24  zero
//	  2040     8  xxh3-64 (seed 0) of bytes 0 to 2039
//
// The rows of the section table are in ascending order of offset. Each row has these fields:
//
//	offset  size  field
//	     0     4  kind, unique and not zero; a reader ignores a kind that it does not know
//	     4     4  zero
//	     8     8  offset of the section from the start of the file, a multiple of 8 or, as the writer chooses, of 32
//	    16     8  length of the section in bytes, without padding
//	    24     8  xxh3-64 (seed 0) of the section's bytes
//
// The first section begins at byte 2048. Every other section begins less than 32 bytes after the end of the
// previous one, and the bytes between them are zero. The file ends with the last section, or with the head if
// there are no sections. So every byte is either covered by a checksum or zero.
//
// The table has a fixed size, so that the writer can stream sections to disk before it knows their number. A
// reader can check the layout of the entire file with only the first page and the file size.
//
// The name of the file is the SHA-256 of its content, as 64 lower-case hex digits, followed by ".snapshot".
const (
	headSize    = 2048
	tableStart  = 32
	rowSize     = 32
	maxSections = 62
	checksumAt  = headSize - 8 // offset of the head's checksum
	tableEnd    = tableStart + maxSections*rowSize

	minAlign = 8
	maxAlign = 32
)

const magic = "\x89SABINE\n"

// The current format version. A reader refuses another major version. A minor version only adds kinds.
const (
	FormatMajor = 8
	FormatMinor = 0
)

// A Kind identifies the content of a section. The kinds are listed in sections.go of package indexes. Zero is
// not a kind. In a CorruptError it means the head.
type Kind uint32

var kindNames = map[Kind]string{}

// Name sets the name of a kind for errors and reports. Call it only while the package that defines the kinds
// is initialized.
func Name(kind Kind, name string) { kindNames[kind] = name }

// String returns the name of the kind, or its number when it has no name.
func (k Kind) String() string {
	if name, ok := kindNames[k]; ok {
		return name
	}
	return strconv.FormatUint(uint64(k), 10)
}

// A SectionInfo is a row of the section table.
type SectionInfo struct {
	Kind     Kind
	Offset   int64 // offset in bytes from the start of the file
	Length   int64 // length in bytes, without padding
	Checksum uint64
}

// find returns the row of the given kind, or nil.
func find(sections []SectionInfo, kind Kind) *SectionInfo {
	if i := slices.IndexFunc(sections, func(s SectionInfo) bool { return s.Kind == kind }); i >= 0 {
		return &sections[i]
	}
	return nil
}

// end returns the offset of the first byte after the section.
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

// decodeHead checks the head of a file of the given size and returns the file's section table. It reads only
// the first headSize bytes of b. All sections in the table are within the given size.
func decodeHead(path string, b []byte, size int64) ([]SectionInfo, error) {
	corrupt := func(kind Kind, offset int64, format string, args ...any) error {
		return &CorruptError{Path: path, Section: kind, Offset: offset, Want: fmt.Sprintf(format, args...)}
	}
	le := binary.LittleEndian
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return nil, corrupt(0, 0, "the magic bytes of a snapshot")
	}
	// Check the version first, since the head of another major version may be different.
	if len(b) >= tableStart && le.Uint16(b[8:]) != FormatMajor {
		return nil, &VersionError{Path: path, Major: le.Uint16(b[8:]), Minor: le.Uint16(b[10:])}
	}
	if len(b) < headSize {
		return nil, corrupt(0, int64(len(b)), "a head of %d bytes, not the end of the file", headSize)
	}
	if want, got := le.Uint64(b[checksumAt:]), xxh3.Hash(b[:checksumAt]); want != got {
		return nil, corrupt(0, checksumAt, "%016x, the checksum of the head, not %016x", got, want)
	}
	// The checksum is valid, so any of the following errors was made by the program that wrote the file.
	n := le.Uint32(b[12:])
	if n > maxSections {
		return nil, corrupt(0, 12, "at most %d sections, not %d", maxSections, n)
	}
	rows := b[tableStart : tableStart+int(n)*rowSize]
	if at := firstNonZero(b[24:tableStart]); at >= 0 {
		return nil, corrupt(0, 24+int64(at), "zero")
	}
	if at := firstNonZero(b[tableStart+len(rows) : checksumAt]); at >= 0 {
		return nil, corrupt(0, tableStart+int64(len(rows)+at), "zero after the last row of the section table")
	}

	sections := make([]SectionInfo, 0, n)
	end := uint64(headSize) // end of the previous section, or of the head for the first section
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
			return nil, corrupt(kind, at+8, "an offset right after byte %d, not %d", end, offset)
		case length > uint64(1<<62)-offset: // ensures that offset+length fits into an int64
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

// checkSize compares a file's size with its section table. Its error names the first truncated section.
func checkSize(path string, sections []SectionInfo, size int64) error {
	end := int64(headSize)
	for i := range sections {
		s := &sections[i]
		if end = s.end(); end > size {
			return &CorruptError{Path: path, Section: s.Kind, Offset: size,
				Want: fmt.Sprintf("the section to end at byte %d, but the file is shorter", end)}
		}
	}
	if end < size {
		return &CorruptError{Path: path, Offset: end, Want: fmt.Sprintf("the end of the file, not %d more bytes", size-end)}
	}
	return nil
}

// firstNonZero returns the index of the first byte that is not zero, or -1.
func firstNonZero(b []byte) int { return slices.IndexFunc(b, func(c byte) bool { return c != 0 }) }

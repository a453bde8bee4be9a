package snapshot

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"sabine/indexes/files"
)

// A File is an open snapshot that is mapped into memory. Its bytes are valid until Close. Its methods are
// safe for concurrent use, except Close, which must be called only after all reads have ended.
type File struct {
	// Hashed, if not nil, is called during a verification with the offset of the next byte to verify.
	Hashed func(at int64)

	// Gentle makes verifications pause most of the time, so that concurrent requests can use the processors.
	Gentle bool

	path     string
	data     []byte // contents of the entire file; nil after Close
	mapped   bool   // whether data is a memory mapping rather than Go memory
	size     int64  // size of the file, also after Close
	hash     string // see Hash
	minor    uint16
	sections []SectionInfo
}

// Open maps a snapshot. It checks only the head, which contains all section offsets, so its duration does not
// depend on the file size. The error is a *CorruptError, a *VersionError or a file system error.
func Open(path string) (*File, error) {
	file, info, err := files.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // the mapping remains valid
	// Read the head before mapping the file, since an empty file cannot be mapped.
	head := make([]byte, min(info.Size(), headSize))
	if _, err := file.ReadAt(head, 0); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f, err := newFile(path, head, info.Size())
	if err != nil {
		return nil, err
	}
	if int64(int(info.Size())) != info.Size() {
		return nil, fmt.Errorf("%s: %d bytes do not fit into the address space of this machine", path, info.Size())
	}
	f.mapped = true
	f.data, err = unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("%s: map %d bytes into memory: %w", path, info.Size(), err)
	}
	return f, nil
}

// OpenBytes is like Open, for tests with a snapshot in memory. It copies b. It uses path only for errors and
// Hash.
func OpenBytes(path string, b []byte) (*File, error) {
	f, err := newFile(path, b[:min(len(b), headSize)], int64(len(b)))
	if err != nil {
		return nil, err
	}
	f.data = bytes.Clone(b) // Go aligns a slice of at least headSize bytes to maxAlign, as a mapping is
	return f, nil
}

// newFile returns a file of the given size, without its data.
func newFile(path string, head []byte, size int64) (*File, error) {
	sections, err := decodeHead(path, head, size)
	if err != nil {
		return nil, err
	}
	minor := binary.LittleEndian.Uint16(head[10:])
	return &File{path: path, size: size, hash: hashOf(filepath.Base(path)), minor: minor, sections: sections}, nil
}

// Close unmaps the file. The slices that File's methods have returned are invalid afterwards. A second call
// does nothing.
func (f *File) Close() error {
	data := f.data
	f.data = nil
	if !f.mapped || data == nil {
		return nil
	}
	if err := unix.Munmap(data); err != nil {
		return fmt.Errorf("%s: unmap: %w", f.path, err)
	}
	return nil
}

// Path returns the path that was passed to Open.
func (f *File) Path() string { return f.path }

// Hash returns the content hash from the file name, 64 hex digits, or "" if the name contains no hash. It
// does not verify the hash; VerifyHash does.
func (f *File) Hash() string { return f.hash }

// Version returns the format version of the file. major is always FormatMajor, since Open refuses other
// files.
func (f *File) Version() (major, minor uint16) { return FormatMajor, f.minor }

// Size returns the size of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Bytes returns the contents of the file. The caller must not write to them, or use them after Close.
func (f *File) Bytes() []byte { return f.data }

// Sections returns the section table, in ascending order of offset.
func (f *File) Sections() []SectionInfo { return slices.Clone(f.sections) }

// Section returns the bytes of a section without copying them. The caller must not write to them, or use them
// after Close.
func (f *File) Section(kind Kind) (b []byte, ok bool) {
	s := find(f.sections, kind)
	if s == nil {
		return nil, false
	}
	return f.data[s.Offset:s.end():s.end()], true
}

// Cursor returns a cursor at the start of a section. Its errors contain the path, the section and the offset
// in the file. If the section is missing, the cursor's first error reports it.
func (f *File) Cursor(kind Kind) *Cursor {
	c := &Cursor{path: f.path, kind: kind}
	if s := find(f.sections, kind); s != nil {
		c.b, c.base = f.data[s.Offset:s.end():s.end()], s.Offset
	} else {
		c.Fail(tableStart, "a section of this kind in the table")
	}
	return c
}

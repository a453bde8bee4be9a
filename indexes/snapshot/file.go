package snapshot

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"sabine/indexes/files"
)

// A File is an opened snapshot, mapped into memory. Its bytes are valid until Close. It is safe for
// concurrent use, but for Close, which comes when nobody reads any more.
type File struct {
	// Hashed, when not nil, is told up to which byte a verification is.
	Hashed func(at int64)

	// Gentle verifications rest for most of the time: requests that are answered beside them need the
	// processors.
	Gentle bool

	path     string
	data     []byte // the whole file; nil once closed
	mapped   bool   // data is a mapping, and not memory of Go's
	size     int64
	hash     string
	minor    uint16
	sections []SectionInfo
}

// Open maps a snapshot and checks its head, and so the place of every section, nothing else: its cost does
// not grow with the file. The error is a *CorruptError, a *VersionError, or that of the file system.
func Open(path string) (*File, error) {
	file, info, err := files.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // the mapping has its own hold on the file
	// The head is read before anything is mapped: a file without one can't be a snapshot, and an empty one can't
	// be mapped.
	head := make([]byte, min(info.Size(), headSize))
	if _, err := file.ReadAt(head, 0); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f, err := newFile(path, head, info.Size())
	if err != nil {
		return nil, err
	}
	if int64(int(info.Size())) != info.Size() {
		return nil, fmt.Errorf("%s: %d bytes are too many for this machine's address space", path, info.Size())
	}
	f.mapped = true
	f.data, err = unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("%s: map %d bytes into memory: %w", path, info.Size(), err)
	}
	return f, nil
}

// OpenBytes is Open over bytes in memory, which it may copy; path is for messages and the hash only.
func OpenBytes(path string, b []byte) (*File, error) {
	f, err := newFile(path, b[:min(len(b), headSize)], int64(len(b)))
	if err != nil {
		return nil, err
	}
	f.data = aligned(b)
	return f, nil
}

// newFile returns a file of size bytes without them.
func newFile(path string, head []byte, size int64) (*File, error) {
	sections, err := decodeHead(path, head, size)
	if err != nil {
		return nil, err
	}
	minor := binary.LittleEndian.Uint16(head[10:])
	return &File{path: path, size: size, hash: hashOf(filepath.Base(path)), minor: minor, sections: sections}, nil
}

// aligned returns b, or a copy of it, at an address that is a multiple of maxAlign, as a mapping's is: so
// that what is aligned in the file is aligned in memory.
func aligned(b []byte) []byte {
	address := func(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
	if address(b)%maxAlign == 0 {
		return b
	}
	room := make([]byte, len(b)+maxAlign)
	room = room[(maxAlign-address(room)%maxAlign)%maxAlign:][:len(b):len(b)]
	copy(room, b)
	return room
}

// Close unmaps the file. Every slice that came from it is invalid from then on. Closing again does nothing.
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

// Path returns the path as it was opened.
func (f *File) Path() string { return f.path }

// Hash returns the content hash that the file's name states, 64 hex digits, "" when it states none.
// VerifyHash holds the content against it.
func (f *File) Hash() string { return f.hash }

// Version returns the format version that the file states.
func (f *File) Version() (major, minor uint16) { return FormatMajor, f.minor }

// Size returns the length of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Bytes returns the mapping of the whole file. Never write to it, and never keep it past Close.
func (f *File) Bytes() []byte { return f.data }

// Sections returns the section table in order of offset.
func (f *File) Sections() []SectionInfo { return slices.Clone(f.sections) }

// Section returns the bytes of a section where they lie: never write to them, never keep them past Close.
func (f *File) Section(kind Kind) (b []byte, ok bool) {
	s := find(f.sections, kind)
	if s == nil {
		return nil, false
	}
	return f.data[s.Offset:s.end():s.end()], true
}

// Cursor reads a section from its start. Its faults are *CorruptErrors that name this file, the section and
// the offset in the file; when the section is missing, that is the first of them.
func (f *File) Cursor(kind Kind) *Cursor {
	c := &Cursor{path: f.path, kind: kind}
	if s := find(f.sections, kind); s != nil {
		c.b, c.base = f.data[s.Offset:s.end():s.end()], s.Offset
	} else {
		c.Fail(tableStart, "a section of this kind in the table")
	}
	return c
}

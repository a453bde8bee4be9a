package snapshot

import "context"

// A File is an opened snapshot, mapped into memory. Its bytes are valid until Close.
type File struct{ unexported int }

// Open maps a snapshot and checks its header and section table, nothing else: its cost does not grow with the file.
func Open(path string) (*File, error) { panic("unwritten") }

// OpenBytes is Open over bytes in memory; path is for messages only.
func OpenBytes(path string, b []byte) (*File, error) { panic("unwritten") }

// Close unmaps the file. Every slice that came from it is invalid from then on.
func (f *File) Close() error { panic("unwritten") }

// Path returns the path as it was opened; Hash the content hash that the file's name states, "" when it states none.
func (f *File) Path() string { panic("unwritten") }
func (f *File) Hash() string { panic("unwritten") }

// Sections returns the section table in order of offset; Size the length of the file in bytes.
func (f *File) Sections() []SectionInfo { panic("unwritten") }
func (f *File) Size() int64             { panic("unwritten") }

// Section returns the bytes of a section where they lie: never write to them, never keep them past Close.
func (f *File) Section(kind Kind) (b []byte, ok bool) { panic("unwritten") }

// VerifyChecksums holds every section against its checksum, and padding against zero. It returns every fault, joined,
// as *CorruptError.
func (f *File) VerifyChecksums(ctx context.Context) error { panic("unwritten") }

// VerifyHash holds the SHA-256 of the whole file against its name.
func (f *File) VerifyHash(ctx context.Context) error { panic("unwritten") }

// A CorruptError says that a snapshot does not hold what its format promises.
type CorruptError struct {
	Path    string // the file, as it was opened
	Section Kind   // 0: the header or the section table
	Offset  int64  // bytes from the start of the file
	Want    string // what the format promises there
}

func (e *CorruptError) Error() string { panic("unwritten") }

// A VersionError says that a snapshot has a format version that this program does not read.
type VersionError struct {
	Path         string
	Major, Minor uint16 // of the file
}

func (e *VersionError) Error() string { panic("unwritten") }

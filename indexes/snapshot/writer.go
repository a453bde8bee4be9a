package snapshot

import "io"

// A Writer writes one snapshot into a folder, section by section, under a temporary name.
type Writer struct{ unexported int }

// Create begins a snapshot in the folder dir, which must exist.
func Create(dir string) (*Writer, error) { panic("unwritten") }

// Section begins the next section and returns where its bytes go, until the next call of Section or Commit. The
// section's offset is a multiple of align, 8 or 32. A kind may come once. The writer is buffered.
func (w *Writer) Section(kind Kind, align int) (io.Writer, error) { panic("unwritten") }

// Commit ends the snapshot: it writes header and table, syncs the file, makes it read-only, gives it the name
// <sha256>.snapshot and syncs the folder. A file that is already there under that name has the same bytes and stays.
func (w *Writer) Commit() (Info, error) { panic("unwritten") }

// Abort removes what was written. It does nothing after Commit.
func (w *Writer) Abort() { panic("unwritten") }

// Info says what a committed snapshot is.
type Info struct {
	Path     string // of the file
	Hash     string // SHA-256 of the whole file, 64 hex digits
	Bytes    int64
	Sections []SectionInfo
}

// SectionInfo is one row of the section table.
type SectionInfo struct {
	Kind     Kind
	Offset   int64 // bytes from the start of the file
	Length   int64 // bytes, padding not counted
	Checksum uint64
}

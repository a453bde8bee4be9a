package snapshot

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/zeebo/xxh3"
)

// writeBuffer is the size of the writer's buffer: sections come in many small writes.
const writeBuffer = 1 << 20

// A Writer writes one snapshot into a folder, section by section, under a temporary name. It is for one goroutine.
type Writer struct {
	dir      string
	file     *os.File // nil after Commit and Abort
	buf      *bufio.Writer
	offset   int64         // of the file's end, with what was flushed from buf
	hash     *xxh3.Hasher  // of the open section, with what was flushed from buf
	sections []SectionInfo // the last one is open: its Length and Checksum are not known yet
}

// Create begins a snapshot in the folder dir, which must exist.
func Create(dir string) (*Writer, error) {
	file, err := os.CreateTemp(dir, tempPrefix+"*"+suffix)
	if err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, file: file, hash: xxh3.New()}
	w.buf = bufio.NewWriterSize((*flushed)(w), writeBuffer)
	if _, err := w.buf.Write(make([]byte, headSize)); err != nil { // its room; Commit fills it
		w.Abort()
		return nil, err
	}
	return w, nil
}

// flushed is where the buffer of a Writer empties itself: the file, its length and the section's hash move together.
type flushed Writer

func (w *flushed) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	_, _ = w.hash.Write(p[:n])
	w.offset += int64(n)
	return n, err
}

// A sectionWriter takes the bytes of one section while it is the last one.
type sectionWriter struct {
	w      *Writer
	number int
}

func (s sectionWriter) Write(p []byte) (int, error) {
	if s.w.file == nil || s.number != len(s.w.sections)-1 {
		return 0, errors.New("snapshot: write to a section that has ended")
	}
	return s.w.buf.Write(p)
}

// Section begins the next section and returns where its bytes go, until the next call of Section or Commit. The
// section's offset is a multiple of align, 8 or 32. A kind may come once. The writer is buffered.
func (w *Writer) Section(kind Kind, align int) (io.Writer, error) {
	switch {
	case w.file == nil:
		return nil, errors.New("snapshot: section behind the end of the snapshot")
	case kind == 0:
		return nil, errors.New("snapshot: no section has kind 0")
	case align != minAlign && align != maxAlign:
		return nil, fmt.Errorf("snapshot: section %d: alignment %d, want %d or %d", kind, align, minAlign, maxAlign)
	case len(w.sections) == maxSections:
		return nil, fmt.Errorf("snapshot: section %d: the table has room for %d sections", kind, maxSections)
	case slices.ContainsFunc(w.sections, func(s SectionInfo) bool { return s.Kind == kind }):
		return nil, fmt.Errorf("snapshot: section %d comes twice", kind)
	}
	if err := w.endSection(); err != nil {
		return nil, err
	}
	padding := (int64(align) - w.offset%int64(align)) % int64(align)
	if _, err := w.buf.Write(make([]byte, padding)); err != nil {
		return nil, err
	}
	if err := w.buf.Flush(); err != nil {
		return nil, err
	}
	w.hash.Reset()
	w.sections = append(w.sections, SectionInfo{Kind: kind, Offset: w.offset})
	return sectionWriter{w, len(w.sections) - 1}, nil
}

// endSection writes out what is buffered and completes the row of the open section, when there is one.
func (w *Writer) endSection() error {
	if err := w.buf.Flush(); err != nil {
		return err
	}
	if n := len(w.sections); n > 0 {
		s := &w.sections[n-1]
		s.Length, s.Checksum = w.offset-s.Offset, w.hash.Sum64()
	}
	return nil
}

// Commit ends the snapshot: it writes the head, syncs the file, makes it read-only, gives it the name
// <sha256>.snapshot and syncs the folder. A file that is already there under that name has the same bytes and stays,
// unless it was damaged since: then the new one takes its place. After an error nothing is left.
func (w *Writer) Commit() (Info, error) {
	if w.file == nil {
		return Info{}, errors.New("snapshot: commit behind the end of the snapshot")
	}
	defer w.Abort()
	if err := w.endSection(); err != nil {
		return Info{}, err
	}
	if _, err := w.file.WriteAt(encodeHead(w.sections), 0); err != nil {
		return Info{}, err
	}
	if err := w.file.Chmod(0o444); err != nil {
		return Info{}, err
	}
	if err := w.file.Sync(); err != nil {
		return Info{}, err
	}
	hash, err := hashFile(w.file)
	if err != nil {
		return Info{}, err
	}
	info := Info{Path: filepath.Join(w.dir, FileName(hash)), Hash: hash, Bytes: w.offset, Sections: w.sections}
	if err := w.publish(info); err != nil {
		return Info{}, err
	}
	return info, syncDir(w.dir)
}

// publish gives the finished file its name.
func (w *Writer) publish(info Info) error {
	if !holds(info.Path, info.Hash) {
		return os.Rename(w.file.Name(), info.Path)
	}
	// The file stays, but as the newest: it is what the latest build made. Where it belongs to somebody else and its
	// time can't be set, it is merely pruned earlier.
	now := time.Now()
	_ = os.Chtimes(info.Path, now, now)
	return nil
}

// Abort removes what was written. It does nothing after Commit.
func (w *Writer) Abort() {
	if w.file == nil {
		return
	}
	_ = w.file.Close()
	_ = os.Remove(w.file.Name()) // not there any more once it has its final name
	w.file = nil
}

// Info says what a committed snapshot is.
type Info struct {
	Path     string // of the file
	Hash     string // SHA-256 of the whole file, 64 hex digits
	Bytes    int64
	Sections []SectionInfo
}

// holds reports whether there is a file with that content hash.
func holds(path, hash string) bool {
	file, _, err := openRegular(path)
	if err != nil {
		return false
	}
	defer file.Close()
	got, err := hashFile(file)
	return err == nil && got == hash
}

// hashFile returns the SHA-256 of a file from its start, 64 hex digits.
func hashFile(file *os.File) (string, error) {
	h := sha256.New()
	whole := io.NewSectionReader(file, 0, 1<<63-1)
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{whole}, make([]byte, writeBuffer)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

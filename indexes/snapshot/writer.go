package snapshot

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"sabine/indexes/files"
)

// writeBuffer is the size of the writer's buffer: sections come in many small writes.
const writeBuffer = 1 << 20

// A Writer writes one snapshot, section by section: into a folder under a temporary name, see Create, or into
// no file at all, to compare it with one that exists, see Compare. It is for one goroutine.
type Writer struct {
	// Context, which the caller may set, ends the work: behind its end a section takes no more bytes, none
	// begins, and Commit does not give the file its name. All of them return its error.
	Context context.Context
	// Begun, when not nil, is told how many sections have begun.
	Begun func(sections int)
	// Hashed, when not nil, is told how much of the file Commit has hashed.
	Hashed func(bytes, total int64)

	dir      string
	file     *os.File      // nil of a comparison
	sink     sink          // nil after the end
	sections []SectionInfo // the last one is open: its Length and Checksum are not known yet
}

// A sink takes the bytes of one section after the other.
type sink interface {
	io.Writer
	begin(kind Kind, align int) (SectionInfo, error)
	end(*SectionInfo) error
}

// Create begins a snapshot in the folder dir, which must exist.
func Create(dir string) (*Writer, error) {
	file, err := os.CreateTemp(dir, tempPrefix+"*"+suffix)
	if err != nil {
		return nil, err
	}
	s := &fileSink{hash: xxh3.New()}
	s.buf = bufio.NewWriterSize(io.MultiWriter(file, s.hash), writeBuffer)
	w := &Writer{Context: context.Background(), dir: dir, file: file, sink: s}
	if _, err := s.Write(make([]byte, headSize)); err != nil { // its room; Commit fills it
		w.Abort()
		return nil, err
	}
	return w, nil
}

// A fileSink writes sections into a file. It is buffered.
type fileSink struct {
	buf    *bufio.Writer // of the file and of hash
	offset int64         // of the file's end, with what is in buf
	hash   *xxh3.Hasher  // of the open section
}

func (f *fileSink) Write(p []byte) (int, error) {
	n, err := f.buf.Write(p)
	f.offset += int64(n)
	return n, err
}

// begin pads the file up to the next multiple of align, where the section begins.
func (f *fileSink) begin(kind Kind, align int) (SectionInfo, error) {
	_, err := f.Write(make([]byte, (int64(align)-f.offset%int64(align))%int64(align)))
	if err := cmp.Or(err, f.buf.Flush()); err != nil {
		return SectionInfo{}, err
	}
	f.hash.Reset()
	return SectionInfo{Kind: kind, Offset: f.offset}, nil
}

func (f *fileSink) end(s *SectionInfo) error {
	err := f.buf.Flush()
	s.Length, s.Checksum = f.offset-s.Offset, f.hash.Sum64()
	return err
}

// A sectionWriter takes the bytes of one section while it is the last one.
type sectionWriter struct {
	w      *Writer
	number int
}

func (s sectionWriter) Write(p []byte) (int, error) {
	if s.w.sink == nil || s.number != len(s.w.sections)-1 {
		return 0, errors.New("snapshot: write to a section that has ended")
	}
	if err := s.w.Context.Err(); err != nil {
		return 0, err
	}
	return s.w.sink.Write(p)
}

// Section begins the next section and returns where its bytes go, until the next call of Section or Commit.
// The section's offset is a multiple of align, 8 or 32. A kind may come once.
func (w *Writer) Section(kind Kind, align int) (io.Writer, error) {
	switch {
	case w.sink == nil:
		return nil, errors.New("snapshot: section behind the end of the snapshot")
	case kind == 0:
		return nil, errors.New("snapshot: no section has kind 0")
	case align != minAlign && align != maxAlign:
		return nil, fmt.Errorf("snapshot: section %d: alignment %d, want %d or %d", kind, align, minAlign, maxAlign)
	case len(w.sections) == maxSections:
		return nil, fmt.Errorf("snapshot: section %d: the table has room for %d sections", kind, maxSections)
	case find(w.sections, kind) != nil:
		return nil, fmt.Errorf("snapshot: section %d comes twice", kind)
	}
	if err := cmp.Or(w.Context.Err(), w.endSection()); err != nil {
		return nil, err
	}
	begun, err := w.sink.begin(kind, align)
	if err != nil {
		return nil, err
	}
	w.sections = append(w.sections, begun)
	if w.Begun != nil {
		w.Begun(len(w.sections))
	}
	return sectionWriter{w, len(w.sections) - 1}, nil
}

// endSection completes the row of the open section, when there is one.
func (w *Writer) endSection() error {
	if n := len(w.sections); n > 0 {
		return w.sink.end(&w.sections[n-1])
	}
	return nil
}

// Commit ends the snapshot: it writes the head, syncs the file, makes it read-only, gives it the name
// <sha256>.snapshot and syncs the folder. A file that is already there under that name has the same bytes and
// stays, unless it was damaged since: then the new one takes its place. What the disk gives back is held
// against what was written, the error is a *CorruptError when it differs. After an error nothing is left that
// was not there before.
func (w *Writer) Commit() (Info, error) { return w.finish(FileName) }

// Refuse ends the snapshot as Commit does, but lays it aside: its name is <sha256>.refused, so it is no
// generation of the folder. Renamed to <sha256>.snapshot it is one.
func (w *Writer) Refuse() (Info, error) { return w.finish(refusedName) }

func (w *Writer) finish(name func(hash string) string) (Info, error) {
	if w.file == nil || w.sink == nil {
		return Info{}, errors.New("snapshot: commit after the end of the snapshot, or of a comparison")
	}
	defer w.Abort()
	for _, step := range []func() error{
		w.endSection,
		func() error { _, err := w.file.WriteAt(encodeHead(w.sections), 0); return err },
		func() error { return w.file.Chmod(0o444) },
		w.file.Sync,
		w.Context.Err, // syncing may have taken long
	} {
		if err := step(); err != nil {
			return Info{}, err
		}
	}
	size := fileSize(w.sections)
	hash, err := hashFile(w.file, size, w.sections, w.hashed)
	if err != nil {
		return Info{}, err
	}
	info := Info{Path: filepath.Join(w.dir, name(hash)), Hash: hash, Bytes: size, Sections: w.sections}
	_, err = os.Lstat(info.Path)
	fresh := errors.Is(err, fs.ErrNotExist)
	if info.Known, err = holds(info.Path, hash, w.Context.Err); err == nil && !info.Known {
		err = os.Rename(w.file.Name(), info.Path)
	}
	if err != nil {
		return Info{}, err
	}
	Folder{w.dir}.Touch(name(hash)) // it is what the latest build made, also when it was there already
	if err := files.SyncDir(w.dir); err != nil {
		if fresh { // else CURRENT may name it, and damaged or not before, it is whole now
			err = errors.Join(err, os.Remove(info.Path))
		}
		return Info{}, err
	}
	return info, nil
}

func (w *Writer) hashed(bytes int64) error {
	if w.Hashed != nil {
		w.Hashed(bytes, fileSize(w.sections))
	}
	return w.Context.Err()
}

// Abort removes what was written. It does nothing after Commit.
func (w *Writer) Abort() {
	if w.file != nil && w.sink != nil {
		_ = w.file.Close()
		_ = os.Remove(w.file.Name()) // not there any more once it has its final name
	}
	w.sink = nil
}

// Info says what a committed snapshot is.
type Info struct {
	Path     string // of the file
	Known    bool   // it was there already, with the same bytes
	Hash     string // SHA-256 of the whole file, 64 hex digits
	Bytes    int64
	Sections []SectionInfo
}

// holds reports whether there is a file with that content hash. It is an error only that the work has ended.
func holds(path, hash string, ended func() error) (bool, error) {
	file, info, err := files.OpenRegular(path)
	if err != nil {
		return false, nil
	}
	defer file.Close()
	got, err := hashFile(file, info.Size(), nil, func(int64) error { return ended() })
	return err == nil && got == hash, ended()
}

// hashFile returns the SHA-256 of a file of that size, 64 hex digits, and a *CorruptError when the bytes of
// one of its sections are not those that were written: a disk that lies is noticed before anybody serves from
// it, without a second pass. It tells step how far it is, which may end it.
func hashFile(file *os.File, size int64, sections []SectionInfo, step func(bytes int64) error) (string, error) {
	whole, section, buf, at := sha256.New(), xxh3.New(), make([]byte, writeBuffer), int64(0)
	read := func(end int64) error {
		section.Reset()
		for at < end {
			n, err := file.ReadAt(buf[:min(end-at, writeBuffer)], at)
			_, _ = whole.Write(buf[:n]) // a hash never fails
			_, _ = section.Write(buf[:n])
			at += int64(n)
			if err := cmp.Or(step(at), err); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range sections {
		s := &sections[i]
		err := read(s.Offset) // the head, or padding
		if err == nil {
			err = read(s.end())
		}
		if sum := section.Sum64(); err == nil && sum != s.Checksum || errors.Is(err, io.EOF) {
			err = &CorruptError{Path: file.Name(), Section: s.Kind, Offset: s.Offset,
				Want: fmt.Sprintf("what was written there, %d bytes with the checksum %016x, not %016x",
					s.Length, s.Checksum, sum)}
		}
		if err != nil {
			return "", err
		}
	}
	if err := read(size); err != nil {
		return "", err
	}
	return hex.EncodeToString(whole.Sum(nil)), nil
}

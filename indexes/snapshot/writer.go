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

// writeBuffer is the size of the writer's buffer. It is needed because sections are written in small pieces.
const writeBuffer = 1 << 20

// A Writer writes a snapshot, section by section. The Writer from Create writes to a temporary file in a
// folder. The Writer from Compare writes no file and compares the sections with an existing snapshot. A
// Writer is not safe for concurrent use.
type Writer struct {
	// Context, if set by the caller, can cancel the work. When it ends, Write, Section and Commit return its
	// error, and Commit does not name the file.
	Context context.Context
	// Begun, if not nil, is called with the number of sections begun so far.
	Begun func(sections int)
	// Hashed, if not nil, is called with the number of bytes that Commit has hashed so far.
	Hashed func(bytes, total int64)

	dir      string
	file     *os.File      // nil for a comparison
	sink     sink          // nil after Commit, Refuse, Abort or Compared
	sections []SectionInfo // sections begun so far; the last one has no Length and Checksum yet
}

// A sink receives the bytes of the sections, one section after another.
type sink interface {
	io.Writer
	begin(kind Kind, align int) (SectionInfo, error)
	end(*SectionInfo) error
}

// Create creates a Writer for a new snapshot in the folder dir, which must exist.
func Create(dir string) (*Writer, error) {
	file, err := os.CreateTemp(dir, tempPrefix+"*"+suffix)
	if err != nil {
		return nil, err
	}
	s := &fileSink{hash: xxh3.New()}
	s.buf = bufio.NewWriterSize(io.MultiWriter(file, s.hash), writeBuffer)
	w := &Writer{Context: context.Background(), dir: dir, file: file, sink: s}
	if _, err := s.Write(make([]byte, headSize)); err != nil { // reserves the head, which Commit writes
		w.Abort()
		return nil, err
	}
	return w, nil
}

// A fileSink writes sections to a buffered file.
type fileSink struct {
	buf    *bufio.Writer // writes to the file and to hash
	offset int64         // length of the file, including the bytes in buf
	hash   *xxh3.Hasher  // hash of the current section
}

func (f *fileSink) Write(p []byte) (int, error) {
	n, err := f.buf.Write(p)
	f.offset += int64(n)
	return n, err
}

// begin pads the file to a multiple of align, where the new section begins.
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

// A sectionWriter writes a section. It is valid until the next section begins.
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

// Section begins a new section and returns its writer, which is valid until the next call to Section or
// Commit. The section's offset is a multiple of align, which is 8 or 32. Each kind may be used only once.
func (w *Writer) Section(kind Kind, align int) (io.Writer, error) {
	switch {
	case w.sink == nil:
		return nil, errors.New("snapshot: new section after the end of the snapshot")
	case kind == 0:
		return nil, errors.New("snapshot: invalid section kind 0")
	case align != minAlign && align != maxAlign:
		return nil, fmt.Errorf("snapshot: section %d: alignment %d, expected %d or %d", kind, align, minAlign, maxAlign)
	case len(w.sections) == maxSections:
		return nil, fmt.Errorf("snapshot: section %d: too many sections: the table has %d rows", kind, maxSections)
	case find(w.sections, kind) != nil:
		return nil, fmt.Errorf("snapshot: duplicate section %d", kind)
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

// endSection sets the length and the checksum of the current section, if there is one.
func (w *Writer) endSection() error {
	if n := len(w.sections); n > 0 {
		return w.sink.end(&w.sections[n-1])
	}
	return nil
}

// Commit completes the snapshot. It writes the head, syncs the file, makes it read-only, renames it to
// <sha256>.snapshot and syncs the folder. If an undamaged file with that name exists, Commit retains that
// file. Commit reads the new file back, and returns a *CorruptError if it differs from the written bytes. If
// Commit returns an error, it leaves no new files.
func (w *Writer) Commit() (Info, error) { return w.finish(suffix) }

// Refuse completes the snapshot as Commit does, but names it <sha256>.refused, so that it is not a generation
// of the folder. Users can make it a generation by renaming it to <sha256>.snapshot.
func (w *Writer) Refuse() (Info, error) { return w.finish(refusedSuffix) }

func (w *Writer) finish(nameSuffix string) (Info, error) {
	if w.file == nil || w.sink == nil {
		return Info{}, errors.New("snapshot: cannot commit a comparison or a snapshot that has ended")
	}
	defer w.Abort()
	for _, step := range []func() error{
		w.endSection,
		func() error { _, err := w.file.WriteAt(encodeHead(w.sections), 0); return err },
		func() error { return w.file.Chmod(0o444) },
		w.file.Sync,
		w.Context.Err, // checked a second time, since a sync can take long
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
	info := Info{Path: filepath.Join(w.dir, hash+nameSuffix), Hash: hash, Bytes: size, Sections: w.sections}
	_, err = os.Lstat(info.Path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if info.Existed, err = hasContent(w.Context, info.Path, hash); err == nil && !info.Existed {
		err = os.Rename(w.file.Name(), info.Path)
	}
	if err != nil {
		return Info{}, err
	}
	Folder{w.dir}.Touch(hash + nameSuffix) // makes an existing file the newest too
	if err := files.SyncDir(w.dir); err != nil {
		if isNew { // a file that existed stays, since CURRENT may name it
			err = errors.Join(err, os.Remove(info.Path))
		}
		return Info{}, err
	}
	return info, nil
}

// hashed is the step of hashFile in finish.
func (w *Writer) hashed(bytes int64) error {
	if w.Hashed != nil {
		w.Hashed(bytes, fileSize(w.sections))
	}
	return w.Context.Err()
}

// Abort removes the unfinished file. It does nothing after Commit.
func (w *Writer) Abort() {
	if w.file != nil && w.sink != nil {
		_ = w.file.Close()
		_ = os.Remove(w.file.Name()) // fails after Commit has renamed the file
	}
	w.sink = nil
}

// Info describes a committed snapshot.
type Info struct {
	Path     string // path of the file
	Existed  bool   // whether the folder already contained the same file
	Hash     string // SHA-256 of the file in 64 hex digits
	Bytes    int64
	Sections []SectionInfo
}

// hasContent reports whether the file at path exists and has the given content hash. It returns an error only
// if the context ends.
func hasContent(ctx context.Context, path, hash string) (bool, error) {
	file, info, err := files.OpenRegular(path)
	if err != nil {
		return false, nil
	}
	defer file.Close()
	got, err := hashFile(file, info.Size(), nil, func(int64) error { return ctx.Err() })
	return err == nil && got == hash, ctx.Err()
}

// hashFile returns the SHA-256 of a file in 64 hex digits. It returns a *CorruptError if one of the given
// sections does not have its checksum, so disk errors are found before the file is served, without a second
// pass. It calls step with the number of bytes hashed so far, and stops when step returns an error.
func hashFile(file *os.File, size int64, sections []SectionInfo, step func(bytes int64) error) (string, error) {
	whole, section, buf, at := sha256.New(), xxh3.New(), make([]byte, writeBuffer), int64(0)
	read := func(end int64) error {
		section.Reset()
		for at < end {
			n, err := file.ReadAt(buf[:min(end-at, writeBuffer)], at)
			_, _ = whole.Write(buf[:n]) // a hash.Hash never returns an error
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
		err := read(s.Offset) // head or padding
		if err == nil {
			err = read(s.end())
		}
		if sum := section.Sum64(); err == nil && sum != s.Checksum || errors.Is(err, io.EOF) {
			err = &CorruptError{Path: file.Name(), Section: s.Kind, Offset: s.Offset,
				Want: fmt.Sprintf("%d bytes with the checksum %016x, as written, not %016x", s.Length, s.Checksum, sum)}
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

package fleet

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"sabine/indexes/files"
)

// A patch is the difference between a generation and the previously current one. It is a zstd stream with a
// window of at most 8 MiB. The stream is a list of steps:
//
//	length of the literal, and the bytes of the literal
//	length of the copy
//	distance of the copy; only if its length is not 0
//
// A step appends a literal to the new file, and then a copy of a range of the old file. The distance is the
// start of that range relative to a position in the old file. The position is initially 0. It advances by the
// length of each literal, and a copy moves it to the end of the copied range. So the distance is 0 if a
// literal replaces the same number of bytes. Lengths are unsigned varints and distances are signed varints,
// as in package encoding/binary. No step is empty. The patch ends with the step that completes the new file.
//
// A patch has no signature or checksum. Instead, the SHA-256 of the new file is verified.
const patchWindow = 8 << 20

const patchBuffer = 256 << 10 // size of the write buffer for the new file

// patchName returns the name of the patch from the generation with the hash from to g.
func (g *Generation) patchName(from string) string { return g.Hash + ".from-" + from + ".patch" }

// downloadPatch creates a generation from the folder's current generation and a patch in the store. It
// returns ErrNotFound if the store has no such patch, and snapshot.ErrNoCurrent if the folder has no current
// generation.
func (m *Mirror) downloadPatch(ctx context.Context, g *Generation) error {
	current, err := m.Folder.Current()
	if err != nil {
		return err
	}
	old, _, err := files.OpenRegular(m.Folder.Path(current))
	if err != nil {
		return err
	}
	defer old.Close()
	hash, _, _ := strings.Cut(current, ".")
	object, err := m.Source.Open(ctx, g.patchName(hash), ReadOptions{})
	if err != nil {
		return err
	}
	defer object.Body.Close()
	in, err := m.Folder.Receive()
	if err != nil {
		return err
	}
	defer in.Abort()
	from := &countingReader{ctx, object.Body, func(n int) {
		m.update(func(s *State) { s.Bytes += int64(n) })
		if m.Progress != nil {
			m.Progress(in.Bytes(), g.Bytes)
		}
	}}
	to := bufio.NewWriterSize(in, patchBuffer)
	if err := cmp.Or(applyPatch(to, from, old, g.Bytes), to.Flush()); err != nil {
		return err
	}
	return in.Commit(g.Hash)
}

// applyPatch writes the new file, which has size bytes. Since the patch is not trusted, size limits the time
// and the memory that applyPatch uses.
func applyPatch(to io.Writer, patch io.Reader, old io.ReaderAt, size int64) error {
	stream, err := zstd.NewReader(patch, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(patchWindow))
	if err != nil {
		return err
	}
	defer stream.Close()
	r := patchReader{bufio.NewReader(stream), nil}
	pos := int64(0)
	for left := size; left > 0; {
		literal := r.length(left)
		r.copy(to, r.steps, literal)
		pos, left = pos+literal, left-literal
		n := r.length(left)
		if n > 0 {
			pos += r.distance()
			r.copy(to, io.NewSectionReader(old, pos, n), n)
		}
		pos, left = pos+n, left-n
		if r.err == nil && literal+n == 0 {
			r.err = errors.New("invalid empty step")
		}
		if r.err != nil {
			return fmt.Errorf("patch at byte %d of the new file: %w", size-left, r.err)
		}
	}
	return nil
}

// A patchReader reads the steps of a patch. It records the first error and then returns zeros.
type patchReader struct {
	steps *bufio.Reader
	err   error
}

// length reads a length. A length greater than limit is an error.
func (r *patchReader) length(limit int64) int64 {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.steps)
	if err == nil && n > uint64(limit) {
		err = fmt.Errorf("length %d is out of range: %d bytes are left", n, limit)
	}
	if r.fail(err); r.err != nil {
		return 0
	}
	return int64(n)
}

func (r *patchReader) distance() int64 {
	d, err := binary.ReadVarint(r.steps)
	r.fail(err)
	return d
}

func (r *patchReader) copy(to io.Writer, from io.Reader, n int64) {
	if r.err == nil {
		_, err := io.CopyN(to, from, n)
		r.fail(err)
	}
}

func (r *patchReader) fail(err error) {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	r.err = cmp.Or(r.err, err)
}

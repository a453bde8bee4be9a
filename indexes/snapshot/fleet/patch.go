package fleet

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"sabine/indexes/files"
	"sabine/indexes/snapshot"
)

// A patch makes a generation from the generation that was in force before it. It is a zstd stream with a
// window of at most 8 MiB. The stream is a list of steps:
//
//	length of the literal, and the bytes of the literal
//	length of the copy
//	distance of the copy; only if its length is not 0
//
// A step appends its literal to the new file, then its copy, which is a range of the old file. The copy
// begins at distance bytes after the place in the old file. The place is 0 at first. A literal moves it
// forward by its length, and a copy moves it to the end of the copy. So the distance is 0 if a literal has
// replaced as many bytes. Lengths are unsigned varints and distances signed varints of package
// encoding/binary. No step is empty. The patch ends with the step that completes the new file.
//
// A patch has no signature and no checksum, since the SHA-256 of the new file is verified.
const patchWindow = 8 << 20

const patchBuffer = 256 << 10 // of bytes that go to the new file

// patchName returns the name of the patch that makes g from the generation with a hash.
func (g *Generation) patchName(from string) string { return g.Hash + ".from-" + from + ".patch" }

// makePatch uploads the patch that makes g from the generation in force. It returns the length of the patch,
// and 0 if the store has the patch already or if the folder does not have the generation in force.
func (p *Publisher) makePatch(ctx context.Context, folder snapshot.Folder, pointer *Pointer, g *Generation) (int64,
	error) {
	before, _ := pointer.InForce(g.Format)
	if before == nil || before.Hash == g.Hash {
		return 0, nil
	}
	old, err := snapshot.Open(folder.Path(before.snapshotName()))
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer old.Close()
	name := g.patchName(before.Hash)
	if _, err := p.Store.Size(ctx, name); !errors.Is(err, ErrNotFound) {
		return 0, err
	}
	if err := old.VerifyHash(ctx); err != nil {
		return 0, err
	}
	next, err := snapshot.Open(folder.Path(g.snapshotName()))
	if err != nil {
		return 0, err
	}
	defer next.Close()
	file, err := folder.Temp()
	if err != nil {
		return 0, err
	}
	defer file.Close()
	told := func(done int64) { p.tell("patch", done, g.Bytes) }
	if err := old.Guard(func() error {
		return next.Guard(func() error { return writePatch(ctx, file, old, next, told) })
	}); err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), p.send(ctx, name, file, info.Size())
}

// patch makes a generation from the current generation of the folder and from a patch of the store. It is
// ErrNotFound if the store has no such patch, snapshot.ErrNoCurrent if the folder has no generation.
func (m *Mirror) patch(ctx context.Context, g *Generation) error {
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
	object, err := m.Source.Open(ctx, g.patchName(hash), Range{})
	if err != nil {
		return err
	}
	defer object.Body.Close()
	in, err := m.Folder.Receive()
	if err != nil {
		return err
	}
	defer in.Abort()
	from := &counted{ctx, object.Body, func(n int) {
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

// applyPatch writes the size bytes that a patch makes from the old file. The patch is not trusted: neither
// time nor memory depends on more of it than size.
func applyPatch(to io.Writer, patch io.Reader, old io.ReaderAt, size int64) error {
	stream, err := zstd.NewReader(patch, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(patchWindow))
	if err != nil {
		return err
	}
	defer stream.Close()
	r := patchReader{bufio.NewReader(stream), nil}
	place := int64(0)
	for left := size; left > 0; {
		literal := r.length(left)
		r.copy(to, r.steps, literal)
		place, left = place+literal, left-literal
		n := r.length(left)
		if n > 0 {
			place += r.distance()
			r.copy(to, io.NewSectionReader(old, place, n), n)
		}
		place, left = place+n, left-n
		if r.err == nil && literal+n == 0 {
			r.err = errors.New("a step is empty")
		}
		if r.err != nil {
			return fmt.Errorf("patch at byte %d of the new file: %w", size-left, r.err)
		}
	}
	return nil
}

// A patchReader reads the steps of a patch. It keeps the first error, after which it reads zeros.
type patchReader struct {
	steps *bufio.Reader
	err   error
}

// length returns a length, which has to be at most limit.
func (r *patchReader) length(limit int64) int64 {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.steps)
	if err == nil && n > uint64(limit) {
		err = fmt.Errorf("a length of %d is too large: %d bytes are left", n, limit)
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

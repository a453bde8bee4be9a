package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"runtime/debug"
	"time"
	"unsafe"

	"github.com/zeebo/xxh3"
)

// verifyStep is how many bytes are hashed between two looks at the context, and at the clock.
const verifyStep = 128 << 10

// A gentle verification works for so long, and then rests three times as long; no longer after a wait for the
// disk. On two cores, and switches of 19 MB as fast as they come into force, searches had a p99 of 50 to 85
// ms beside one without rests, 18 to 41 beside 1 ms and 3, 8 to 14 beside these, and 7 to 19 without
// switches.
const (
	gentleWork = 200 * time.Microsecond
	gentleRest = 3 * gentleWork
)

// VerifyChecksums holds every section against its checksum, and padding against zero. It returns every fault,
// joined, as *CorruptError; when the context ends, its error with the faults found until then. Bytes that
// can't be read, because the file was truncated under the mapping or the disk fails, are faults too.
func (f *File) VerifyChecksums(ctx context.Context) error {
	var faults []error
	end := int64(headSize)
	for i := range f.sections {
		s := &f.sections[i]
		faults = append(faults, f.verifySection(ctx, s, end))
		if err := ctx.Err(); err != nil {
			return errors.Join(append(faults, fmt.Errorf("%s: verify: %w", f.path, err))...)
		}
		end = s.end()
	}
	return errors.Join(faults...)
}

// verifySection holds the bytes from start to a section against zero, and the section against its checksum,
// unless the context ends first.
func (f *File) verifySection(ctx context.Context, s *SectionInfo, start int64) (err error) {
	defer f.catchFault(s.Kind, &err)()
	if at := firstNonZero(f.data[start:s.Offset]); at >= 0 {
		at := start + int64(at)
		err = &CorruptError{Path: f.path, Section: s.Kind, Offset: at, Want: "zero padding before the section"}
	}
	h := xxh3.New()
	if f.hashSteps(ctx, h, s.Offset, s.end()) && h.Sum64() != s.Checksum {
		err = errors.Join(err, &CorruptError{Path: f.path, Section: s.Kind, Offset: s.Offset,
			Want: fmt.Sprintf("%d bytes with the checksum %016x, not %016x", s.Length, s.Checksum, h.Sum64())})
	}
	return err
}

// Guard calls what reads the mapping; a fault in the mapping, as when the file is truncated meanwhile, is a
// *CorruptError, where it would end the process otherwise.
func (f *File) Guard(read func() error) (err error) {
	defer f.catchFault(0, &err)()
	return read()
}

// VerifyHash holds the SHA-256 of the whole file against its name. A file whose name states no hash is an
// error.
func (f *File) VerifyHash(ctx context.Context) (err error) {
	defer f.catchFault(0, &err)()
	want := f.Hash()
	if want == "" {
		return fmt.Errorf("%s: the name states no content hash to verify: want %d hex digits and %s", f.path, hashDigits,
			suffix)
	}
	h := sha256.New()
	if !f.hashSteps(ctx, h, 0, f.size) {
		return fmt.Errorf("%s: verify: %w", f.path, ctx.Err())
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != want {
		return &CorruptError{Path: f.path, Want: "content with the SHA-256 that its name states, not " + sum}
	}
	return nil
}

// hashSteps writes the bytes from at to end to a hash; it reports false when the context ended before it was
// done.
func (f *File) hashSteps(ctx context.Context, h hash.Hash, at, end int64) bool {
	began := time.Now()
	for at < end {
		if ctx.Err() != nil {
			return false
		}
		next := min(end, at+verifyStep)
		_, _ = h.Write(f.data[at:next]) // a hash never fails
		at = next
		if f.Hashed != nil {
			f.Hashed(at)
		}
		if f.Gentle && time.Since(began) >= gentleWork {
			time.Sleep(gentleRest)
			began = time.Now()
		}
	}
	return true
}

// catchFault makes a fault in the mapping a panic, which by itself would end the process, and returns what is
// to be deferred: it turns that panic into a *CorruptError in *err. It never hides a panic of another kind.
func (f *File) catchFault(kind Kind, err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		p := recover()
		if p == nil {
			return
		}
		fault, ok := p.(interface{ Addr() uintptr })
		if !ok {
			panic(p)
		}
		offset := fault.Addr() - uintptr(unsafe.Pointer(unsafe.SliceData(f.data)))
		if offset >= uintptr(len(f.data)) {
			panic(p) // a fault, but not in this mapping
		}
		*err = &CorruptError{Path: f.path, Section: kind, Offset: int64(offset),
			Want: "a byte that can be read (was the file truncated?)"}
	}
}

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

// verifyStep is the number of bytes hashed between two checks of the context and the clock.
const verifyStep = 128 << 10

// A gentle verification works for gentleWork, and then pauses for gentleRest. A wait for the disk does not
// make the pause longer. On two cores, while snapshots of 19 MB were switched as fast as possible, searches
// had a p99 of 50 to 85 ms without pauses, 18 to 41 ms with 1 ms of work and 3 ms of pause, and 8 to 14 ms
// with these constants. Without switches it was 7 to 19 ms.
const (
	gentleWork = 200 * time.Microsecond
	gentleRest = 3 * gentleWork
)

// VerifyChecksums verifies the checksum of every section, and that the padding is zero. It returns all faults
// as joined *CorruptErrors. When the context ends, it adds the context's error to the faults found so far.
// Bytes that cannot be read are faults too, for example when the mapped file was truncated or the disk fails.
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

// verifySection verifies that the bytes from start to the section are zero. It also verifies the checksum of
// the section, unless the context ends first.
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

// Guard calls read, which reads the mapping. It returns a *CorruptError after a memory fault in the mapping,
// which would otherwise end the process. Such a fault occurs, for example, when the file is truncated.
func (f *File) Guard(read func() error) (err error) {
	defer f.catchFault(0, &err)()
	return read()
}

// VerifyHash compares the SHA-256 of the whole file with the hash in its name. It returns an error when the
// name has no hash.
func (f *File) VerifyHash(ctx context.Context) (err error) {
	defer f.catchFault(0, &err)()
	want := f.Hash()
	if want == "" {
		return fmt.Errorf("%s: verify the content hash: invalid name: expected %d hex digits and %s", f.path, hashDigits,
			suffix)
	}
	h := sha256.New()
	if !f.hashSteps(ctx, h, 0, f.size) {
		return fmt.Errorf("%s: verify: %w", f.path, ctx.Err())
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != want {
		return &CorruptError{Path: f.path, Want: "content with the SHA-256 in the file name, not " + sum}
	}
	return nil
}

// hashSteps writes the bytes between offsets at and end to h. It returns false when the context ends first.
func (f *File) hashSteps(ctx context.Context, h hash.Hash, at, end int64) bool {
	began := time.Now()
	for at < end {
		if ctx.Err() != nil {
			return false
		}
		next := min(end, at+verifyStep)
		_, _ = h.Write(f.data[at:next]) // hash.Hash never fails
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

// catchFault turns a memory fault in the mapping into a panic instead of the end of the process. The caller
// must defer the returned function, which recovers from the panic and sets *err to a *CorruptError. Other
// panics are not recovered.
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
			Want: "a readable byte (was the file truncated?)"}
	}
}

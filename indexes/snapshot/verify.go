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

// A gentle verification works for gentleWork, and then pauses for gentleRest. Waiting for the disk does not
// make the pause longer. On two cores, while snapshots of 19 MB were switched as fast as possible, searches
// had a p99 of 50 to 85 ms without pauses, 18 to 41 ms with 1 ms of work and 3 ms of pause, and 8 to 14 ms
// with these constants. Without switches, the p99 was 7 to 19 ms.
const (
	gentleWork = 200 * time.Microsecond
	gentleRest = 3 * gentleWork
)

// VerifyChecksums verifies the checksum of every section, and that the padding is zero. It returns all errors
// joined, each a *CorruptError. If the context ends first, it adds the context's error. Bytes that cannot be
// read are also errors, for example if the file was truncated or the disk fails.
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

// verifySection verifies that the bytes between start and the section are zero. Unless the context ends
// first, it also verifies the checksum of the section.
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

// Guard calls read, which may read the mapping. A memory fault in the mapping, for example because the file
// was truncated, would normally end the process. Guard returns a *CorruptError instead.
func (f *File) Guard(read func() error) (err error) {
	defer f.catchFault(0, &err)()
	return read()
}

// VerifyHash compares the SHA-256 of the file with the hash in the file name. It returns an error if the name
// contains no hash.
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

// hashSteps writes the bytes from offset at to end to h. It returns false if the context ends first.
func (f *File) hashSteps(ctx context.Context, h hash.Hash, at, end int64) bool {
	began := time.Now()
	for at < end {
		if ctx.Err() != nil {
			return false
		}
		next := min(end, at+verifyStep)
		_, _ = h.Write(f.data[at:next]) // a hash.Hash never returns an error
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

// catchFault makes a memory fault cause a panic instead of ending the process. The caller must defer the
// returned function. It recovers from a panic caused by a fault in the mapping, and sets *err to a
// *CorruptError. It does not stop other panics.
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
			panic(p) // a fault outside this mapping
		}
		*err = &CorruptError{Path: f.path, Section: kind, Offset: int64(offset),
			Want: "a readable byte (was the file truncated?)"}
	}
}

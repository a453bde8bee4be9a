package runtime

import (
	"path/filepath"
	"sync/atomic"

	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// A Generation is an open snapshot. Its slices and strings are valid until Release, or until Close for the
// opener. Copy any data that is needed later.
//
// All methods are safe for concurrent use.
type Generation struct {
	file       *snapshot.File
	index      *indexes.Index
	engine     *engine      // answers Search
	references atomic.Int64 // number of references: the opener's and each Acquire's; 0 is final
	closed     atomic.Bool  // whether the opener has called Close
}

// Guard calls read, for callers that must not panic because of damage. If data cannot be read or is damaged,
// Guard returns a *snapshot.CorruptError or a *DamagedBody.
func (g *Generation) Guard(read func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *DamagedBody:
			err = p
		default:
			panic(p)
		}
	}()
	return g.file.Guard(read)
}

// Close releases the opener's reference. The last release unmaps the file. Further calls do nothing.
func (g *Generation) Close() error {
	if g.closed.Swap(true) {
		return nil
	}
	return g.release()
}

// Release releases a reference that Current.Acquire returned.
func (g *Generation) Release() {
	_ = g.release() // munmap of an entire mapping fails only if the address is invalid, which is a bug
}

// tryAcquire adds a reference unless the last one was released.
func (g *Generation) tryAcquire() bool {
	for {
		n := g.references.Load()
		if n == 0 {
			return false
		}
		if g.references.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release removes a reference. The last one unmaps the file.
func (g *Generation) release() error {
	switch n := g.references.Add(-1); {
	case n > 0:
		return nil
	case n < 0:
		panic("runtime: a generation was released more often than it was acquired")
	}
	return g.file.Close()
}

// Hash returns the content hash, 64 hex digits, or "" if the file name does not contain it.
func (g *Generation) Hash() string { return g.file.Hash() }

// Name returns the file name.
func (g *Generation) Name() string { return filepath.Base(g.file.Path()) }

// Products returns the number of products.
func (g *Generation) Products() int { return g.index.Docs }

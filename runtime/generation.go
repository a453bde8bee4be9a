package runtime

import (
	"path/filepath"
	"sync/atomic"

	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// A Generation is one opened snapshot. Slices and strings that come from it are valid while it is held
// (Acquire to Release, or until Close): what outlives that is copied first.
//
// Every method may be called by many goroutines at once.
type Generation struct {
	file       *snapshot.File
	index      *indexes.Index
	engine     *engine      // answers Search
	references atomic.Int64 // who may read the mapping: the opener, and every Acquire; once it is 0 it stays 0
	closed     atomic.Bool  // the opener's hold was given up
}

// Guard calls what reads the generation outside of a server. Bytes that cannot be read any more, or that are
// not those of the build, are its error: a *snapshot.CorruptError or a *DamagedBody.
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

// Close gives up the opener's hold; the file is unmapped when the last holder has left. Closing again does
// nothing.
func (g *Generation) Close() error {
	if g.closed.Swap(true) {
		return nil
	}
	return g.release()
}

// Release gives up one hold taken by Current.Acquire.
func (g *Generation) Release() {
	_ = g.release() // munmap of a whole mapping fails for a wrong address only; nobody could do anything about it here
}

// hold takes a hold, unless the last holder has left already.
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

// leave gives up a hold and unmaps the file with the last one.
func (g *Generation) release() error {
	switch n := g.references.Add(-1); {
	case n > 0:
		return nil
	case n < 0:
		panic("runtime: a generation was released more often than it was acquired")
	}
	return g.file.Close()
}

// Hash is the content hash, 64 hex digits, "" when the file's name does not state it.
func (g *Generation) Hash() string { return g.file.Hash() }

// Name is the file's name.
func (g *Generation) Name() string { return filepath.Base(g.file.Path()) }

// Products is the number of products.
func (g *Generation) Products() int { return g.index.Docs }

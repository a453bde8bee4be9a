// Package statefile reads and replaces the small files that a server keeps or follows, now and then: keys,
// their last use, counters.
//
// It never waits for what is at a path and never takes more of it into memory than its caller allows.
package statefile

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/google/renameio/v2"

	"sabine/indexes/files"
)

// Read returns the content of a regular file of at most limit bytes. Anything else at the path is refused
// unread: a FIFO, whose reader waits for ever, a device, which has no end, a folder, a socket.
func Read(path string, limit int64) ([]byte, error) {
	b, err := files.Read(path, limit+1)
	if other, is := errors.AsType[*files.NotRegularError](err); is {
		return nil, fmt.Errorf("%s is %s, expected a regular file", path, other.Kind)
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s is larger than %d MiB, the most that is read", path, limit>>20)
	}
	return b, err
}

// Write replaces a file, for its owner alone, atomically. Its copy is made beside it: a folder for temporary
// files is others' too, and may be on another disk. An error names the file, not the copy, whose name is
// another each time. After a loss of power the file is whole, but may be the old one for as long as the
// system takes to write down names, some seconds.
func Write(path string, b []byte) error {
	files.RemoveUnfinished(path, files.UnfinishedAge)
	err := renameio.WriteFile(path, b, 0o600, renameio.WithTempDir(filepath.Dir(path)))
	if of, is := errors.AsType[*os.PathError](err); is {
		return &os.PathError{Op: "write", Path: path, Err: of.Err}
	}
	return err
}

// Create writes a file that is not there yet, for its owner alone, whole or not at all, and durably. Of two
// that do so at a time the second gets fs.ErrExist.
func Create(path string, b []byte) error {
	files.RemoveUnfinished(path, files.UnfinishedAge)
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*") // with the mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(b)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil {
		return err
	}
	if err := files.SyncDir(filepath.Dir(path)); err != nil {
		return errors.Join(err, os.Remove(path)) // so that it can be tried again
	}
	return nil
}

// Faults are what is wrong, one time after the other, with a file that is followed or saved.
type Faults struct {
	Now   atomic.Pointer[Fault] // nil while nothing is wrong
	Count atomic.Int64          // one that stays counts once
}

// A Fault says since when something is wrong with a file, and what it is now.
type Fault struct {
	Since  time.Time
	Reason string
}

// Note notes the result of a look at the file, nil when nothing is wrong, and reports whether it is another
// than before.
func (f *Faults) Note(err error, now time.Time) bool {
	before := f.Now.Load()
	if err == nil {
		f.Now.Store(nil)
		return before != nil
	}
	fault := &Fault{now, err.Error()}
	if before != nil {
		if before.Reason == fault.Reason {
			return false
		}
		fault.Since = before.Since
	}
	f.Now.Store(fault)
	f.Count.Add(1)
	return true
}

// Ticks yields the time once an interval until the context ends.
func Ticks(ctx context.Context, interval time.Duration) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-tick.C:
				if !yield(now) {
					return
				}
			}
		}
	}
}

// A Saver saves a state while it may change, and tells of an error once, until it is another or gone.
type Saver struct {
	Save   func() error
	Tell   func(error)
	faults Faults
}

// saveInterval is how often a Saver saves: what a crash may cost.
const saveInterval = 5 * time.Second

// Run saves every few seconds until the context ends.
func (s *Saver) Run(ctx context.Context) {
	for range Ticks(ctx, saveInterval) {
		s.Note(s.Save())
	}
}

// Note tells of an error of saving, if there is one.
func (s *Saver) Note(err error) {
	if s.faults.Note(err, time.Now()) && err != nil {
		s.Tell(err)
	}
}

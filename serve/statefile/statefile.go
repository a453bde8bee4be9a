// Package statefile reads, writes and saves the small files of a server: keys, their last uses, counters.
//
// It never blocks on a FIFO or a device, and never reads more bytes than its caller allows.
package statefile

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/renameio/v2"

	"sabine/indexes/files"
)

// Read returns the content of a regular file with at most limit bytes. It refuses other kinds of files
// without reading them: a FIFO could block forever, and a device can be endless.
func Read(path string, limit int64) ([]byte, error) {
	b, err := files.Read(path, limit+1)
	if other, is := errors.AsType[*files.NotRegularError](err); is {
		return nil, fmt.Errorf("%s is %s, expected a regular file", path, other.Kind)
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s is larger than the limit of %d MiB", path, limit>>20)
	}
	return b, err
}

// Write replaces a file atomically, with mode 0600. The temporary file is in the same folder, because the
// system's folder for temporary files is shared and can be on another disk. Errors contain the name of the
// file, not the random name of the temporary file. After a power failure, the file is complete, but it may be
// the previous version if the system had not yet written the folder, which takes some seconds.
func Write(path string, b []byte) error {
	files.RemoveUnfinished(path, files.UnfinishedAge)
	err := renameio.WriteFile(path, b, 0o600, renameio.WithTempDir(filepath.Dir(path)))
	if of, is := errors.AsType[*os.PathError](err); is {
		return &os.PathError{Op: "write", Path: path, Err: of.Err}
	}
	return err
}

// Create creates a file atomically and durably, with mode 0600. If the file already exists, it returns
// fs.ErrExist.
func Create(path string, b []byte) error {
	files.RemoveUnfinished(path, files.UnfinishedAge)
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*") // the temporary file has mode 0600
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
		return errors.Join(err, os.Remove(path)) // remove the file, so that the caller can try again
	}
	return nil
}

// Faults records the faults of a file that is watched or saved.
type Faults struct {
	Now   atomic.Pointer[Fault] // current fault, or nil
	Count atomic.Int64          // number of faults; consecutive faults with the same reason count once
}

// A Fault is the current problem with a file, and the time when the problems began.
type Fault struct {
	Since  time.Time
	Reason string
}

// Record records the result of an access to the file; nil means success. It reports whether the result
// differs from the previous one. Before the first call, the result is a success.
func (f *Faults) Record(err error, now time.Time) bool {
	previous := f.Now.Load()
	if err == nil {
		f.Now.Store(nil)
		return previous != nil
	}
	fault := &Fault{now, err.Error()}
	if previous != nil {
		if previous.Reason == fault.Reason {
			return false
		}
		fault.Since = previous.Since
	}
	f.Now.Store(fault)
	f.Count.Add(1)
	return true
}

// Ticks yields the time after each interval until the context ends.
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

// A Saver saves a state repeatedly. It logs an error only if the error is new or has changed.
type Saver struct {
	Interval time.Duration // time between two saves: a crash loses at most the changes made during this time
	Save     func() error
	LogError func(error)
	faults   Faults
}

// Start saves in the background. stop ends this, and waits for a save that has begun.
func (s *Saver) Start() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var saving sync.WaitGroup
	saving.Go(func() { s.Run(ctx) })
	return func() { cancel(); saving.Wait() }
}

// Run saves until the context ends.
func (s *Saver) Run(ctx context.Context) {
	for range Ticks(ctx, s.Interval) {
		s.Record(s.Save())
	}
}

// Record records the result of a save, and logs an error that is new or has changed.
func (s *Saver) Record(err error) {
	if s.faults.Record(err, time.Now()) && err != nil {
		s.LogError(err)
	}
}

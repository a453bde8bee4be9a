package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// ErrLocked says that another process has a lock.
var ErrLocked error = unix.EWOULDBLOCK

// Lock takes the lock of a file for as long as the file is open, or its process lives, or returns ErrLocked.
// A file that is not there is made with a mode. A link is refused, since it might lead out of the folder.
func Lock(path string, mode fs.FileMode) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NONBLOCK|unix.O_NOFOLLOW, mode)
	if err != nil {
		return nil, err
	}
	err = unix.EINTR // a signal came
	for errors.Is(err, unix.EINTR) {
		err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		_ = file.Close()
		return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	return file, nil
}

// lockPause is the time between two tries to get a lock. Holders have it for milliseconds.
const lockPause = 10 * time.Millisecond

// AwaitLock is Lock, but waits for another process until the context ends.
func AwaitLock(ctx context.Context, path string, mode fs.FileMode) (*os.File, error) {
	for {
		file, err := Lock(path, mode)
		if !errors.Is(err, ErrLocked) {
			return file, err
		}
		if ctx.Err() != nil {
			return nil, errors.Join(err, ctx.Err())
		}
		select {
		case <-ctx.Done():
		case <-time.After(lockPause):
		}
	}
}

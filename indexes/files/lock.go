package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// ErrLocked is returned if another process has the lock.
var ErrLocked error = unix.EWOULDBLOCK

// Lock locks a file until the file is closed or the process ends. It returns ErrLocked if the file is locked.
// It creates a missing file with the given mode. It refuses links, which could lead out of the folder.
func Lock(path string, mode fs.FileMode) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NONBLOCK|unix.O_NOFOLLOW, mode)
	if err != nil {
		return nil, err
	}
	err = unix.EINTR
	for errors.Is(err, unix.EINTR) { // try again if a signal has interrupted the call
		err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		_ = file.Close()
		return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	return file, nil
}

// lockPause is the time between two attempts to lock a file. Processes have the lock only for milliseconds.
const lockPause = 10 * time.Millisecond

// AwaitLock is like Lock, but waits while another process has the lock, until the context ends.
func AwaitLock(ctx context.Context, path string, mode fs.FileMode) (*os.File, error) {
	for {
		file, err := Lock(path, mode)
		if !errors.Is(err, ErrLocked) {
			return file, err
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(err, ctx.Err())
		case <-time.After(lockPause):
		}
	}
}

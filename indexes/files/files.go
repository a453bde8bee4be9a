// Package files knows what a file system leaves to its callers: whether a file is the one it was, how often
// to ask that, how to open a file without waiting for what is none, how to lock one, how the names in a
// folder are made durable, and what a writer that was killed leaves. It never knows what is in a file.
//
// regular.go has the third, lock.go the fourth, durable.go the fifth and sixth, this file the others.
package files

import (
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// A Stamp tells whether a file is the one it was, content, mode and names. The zero stamp is that of no file.
//
// Its time is that of the last change of any of these: the time of modification can be set back by copying
// tools, and does not move when a mode is mended.
type Stamp struct {
	device, inode uint64
	seconds       int64
	nanoseconds   int64
	Size          int64 // in bytes
}

// PollInterval is how often whoever follows a file looks at its stamp, which keeps the promise to notice a
// change within a second. Events are quicker, but network file systems, container volumes and folders that
// are links send none.
const PollInterval = 500 * time.Millisecond

// StampOf returns the stamp of the file at a path, links followed, and the zero stamp with the error when
// there is none.
func StampOf(path string) (Stamp, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return Stamp{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	// The types of these fields differ between systems.
	return Stamp{uint64(st.Dev), uint64(st.Ino), int64(st.Ctim.Sec), int64(st.Ctim.Nsec), st.Size}, nil //nolint:unconvert
}

// SameFile reports whether both are of one file, though it may have changed.
func (s Stamp) SameFile(t Stamp) bool {
	return s != Stamp{} && s.device == t.device && s.inode == t.inode
}

// Package files detects changes of files, opens regular files without blocking, locks files, makes the names
// in a folder durable, and removes files that killed writers have left. It does not interpret the content of
// files.
//
// Read this file first. regular.go opens files, lock.go locks them, and durable.go makes names durable and
// cleans up.
package files

import (
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// A Stamp identifies a version of a file, including its mode and names. It is zero for a missing file. Two
// stamps are compared with ==.
//
// It contains the time of the last status change. The modification time is not sufficient, because copying
// tools can set it back, and because a change of the mode does not update it.
type Stamp struct {
	device, inode        uint64
	seconds, nanoseconds int64 // time of the last status change
	Size                 int64 // size in bytes
}

// PollInterval is the interval between two checks of a file, so that a change is noticed within a second.
// Events would be faster, but network file systems, container volumes and linked folders do not send them.
const PollInterval = 500 * time.Millisecond

// StampOf returns the stamp of the file at path, following links. If it returns an error, the stamp is zero.
func StampOf(path string) (Stamp, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return Stamp{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	// The types of these fields differ between systems.
	return Stamp{uint64(st.Dev), uint64(st.Ino), int64(st.Ctim.Sec), int64(st.Ctim.Nsec), st.Size}, nil //nolint:unconvert
}

// SameFile reports whether both stamps are of the same file, although its content may have changed.
func (s Stamp) SameFile(t Stamp) bool {
	return s != Stamp{} && s.device == t.device && s.inode == t.inode
}

package snapshot

import (
	"cmp"
	"errors"
	"fmt"
)

var (
	// ErrNoCurrent says that the folder has no CURRENT file yet.
	ErrNoCurrent = errors.New("no current snapshot")
	// ErrLocked says that another build is writing into the folder.
	ErrLocked = errors.New("another build is writing into this folder")
	// ErrUnsynced says that CURRENT was switched, but its folder could not be synced.
	ErrUnsynced = errors.New("CURRENT was switched, but a loss of power may undo it")
)

// A CorruptError says that a snapshot does not hold what its format promises.
type CorruptError struct {
	Path    string // the file, as it was opened; "" when only bytes of it were read
	Section Kind   // 0: the head, or a file that is no snapshot
	Offset  int64  // bytes from the start of the file
	Want    string // what the format promises there
}

func (e *CorruptError) Error() string {
	where := cmp.Or(e.Path, "snapshot") + ":"
	if e.Section != 0 {
		where += " section " + e.Section.String()
	}
	return fmt.Sprintf("%s damaged at byte %d: want %s", where, e.Offset, e.Want)
}

// A VersionError says that a snapshot has a format version that this program does not read.
type VersionError struct {
	Path         string
	Major, Minor uint16 // of the file
}

func (e *VersionError) Error() string {
	return fmt.Sprintf(
		"%s: snapshot of format version %d.%d; this program reads version %d (up to %d.%d): build the catalogue anew with it",
		e.Path, e.Major, e.Minor, FormatMajor, FormatMajor, FormatMinor)
}

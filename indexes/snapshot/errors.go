package snapshot

import (
	"cmp"
	"errors"
	"fmt"
)

var (
	// ErrNoCurrent is returned when the folder has no CURRENT file.
	ErrNoCurrent = errors.New("no current snapshot")
	// ErrLocked is returned when another build is writing to the folder.
	ErrLocked = errors.New("another build is writing to this folder")
	// ErrUnsynced is returned when CURRENT was switched, but its folder could not be synced.
	ErrUnsynced = errors.New("CURRENT was switched, but syncing the folder failed: a power failure may undo the switch")
)

// A CorruptError reports that a snapshot does not conform to the format.
type CorruptError struct {
	Path    string // path that was opened; "" if unknown
	Section Kind   // section with the error; 0 for the head, or for a file that is not a snapshot
	Offset  int64  // offset in bytes from the start of the file
	Want    string // expected content at Offset
}

func (e *CorruptError) Error() string {
	where := cmp.Or(e.Path, "snapshot") + ":"
	if e.Section != 0 {
		where += " section " + e.Section.String()
	}
	return fmt.Sprintf("%s damaged at byte %d: expected %s", where, e.Offset, e.Want)
}

// A VersionError reports a snapshot whose format version this program cannot read.
type VersionError struct {
	Path         string
	Major, Minor uint16 // version of the file
}

func (e *VersionError) Error() string {
	return fmt.Sprintf(
		"%s: unsupported format version %d.%d: this program reads version %d (up to %d.%d); rebuild the catalogue with this program",
		e.Path, e.Major, e.Minor, FormatMajor, FormatMajor, FormatMinor)
}

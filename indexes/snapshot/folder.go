package snapshot

import (
	"errors"
	"time"
)

var (
	// ErrNoCurrent: the folder has no CURRENT file yet.
	ErrNoCurrent = errors.New("no current snapshot")
	// ErrLocked: another build is writing into the folder.
	ErrLocked = errors.New("another build is writing into this folder")
)

// A Folder holds generations (<hash>.snapshot), their reports (<hash>.report.json) and CURRENT, one line with the
// name of the generation in force.
type Folder struct{ Dir string }

// A Stored is a generation that lies in a folder.
type Stored struct {
	Name     string // <hash>.snapshot
	Modified time.Time
	Bytes    int64
}

// Lock takes the folder for one build, until unlock. It returns ErrLocked when another process has it. The folder is
// made when it is not there.
func (f Folder) Lock() (unlock func(), err error) { panic("unwritten") }

// Current returns the name in CURRENT, ErrNoCurrent when there is none, a *CorruptError when it is no snapshot's name.
func (f Folder) Current() (name string, err error) { panic("unwritten") }

// Switch makes name the current generation: CURRENT is replaced by rename, and the folder synced.
func (f Folder) Switch(name string) error { panic("unwritten") }

// Generations returns the snapshots in the folder, newest first by modification time.
func (f Folder) Generations() ([]Stored, error) { panic("unwritten") }

// Prune removes all but the newest keep generations and their reports, never the current one, and the leftovers of
// builds that died. It needs the lock.
func (f Folder) Prune(keep int) (removed []string, err error) { panic("unwritten") }

// Path returns the path of a file in the folder.
func (f Folder) Path(name string) string { panic("unwritten") }

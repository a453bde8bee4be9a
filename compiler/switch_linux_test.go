package compiler_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	goruntime "runtime"
	"testing"

	"golang.org/x/sys/unix"

	"sabine/compiler"
	"sabine/indexes/snapshot"
)

// An unlisted context lets nobody list the folder any more as soon as the report of the build lies in it: the
// switch comes next, and what can't be opened can't be synced. Root loses its privilege over files for that,
// in this thread.
type unlisted struct {
	context.Context
	t      *testing.T
	folder snapshot.Folder
}

func (c unlisted) Err() error {
	if reports, _ := filepath.Glob(c.folder.Path("*.report.json")); len(reports) == 0 {
		return nil
	}
	if err := os.Chmod(c.folder.Dir, 0o333); err != nil {
		c.t.Error(err)
	}
	if os.Getuid() == 0 {
		_ = unix.Setfsuid(nobody)
	}
	return nil
}

const nobody = 65534 // a user of no rights

// CURRENT is switched once its rename went well: what goes wrong behind it is told, and the snapshot is in
// force.
func TestAFaultBehindTheSwitchIsAnError(t *testing.T) {
	t.Chdir(t.TempDir()) // so that no folder above needs to be passed through
	folder := snapshot.Folder{Dir: "."}
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	r, err := compiler.Build(unlisted{context.Background(), t, folder},
		compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(5)...)})
	_ = unix.Setfsuid(os.Getuid())
	if err := os.Chmod(folder.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, snapshot.ErrUnsynced) || !r.Switched {
		t.Errorf("switched %v, %v, want the switch, and that it may be undone", r.Switched, err)
	}
	if now, err := folder.Current(); err != nil || now != r.File {
		t.Errorf("CURRENT names %q, %v, want %s", now, err, r.File)
	}
}

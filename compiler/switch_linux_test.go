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

// An unlisted context makes the folder unreadable as soon as the build report is in the folder, just before
// the switch. A folder that can't be opened can't be synced. Root drops its file privileges in this thread.
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

const nobody = 65534 // a user without permissions

// After its rename has succeeded, CURRENT is switched. A later error is reported, but undoes nothing.
func TestAFaultAfterTheSwitchIsAnError(t *testing.T) {
	t.Chdir(t.TempDir()) // parent folders then need no permissions
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
		t.Errorf("switched %v, %v, want the switch, and an error of the sync", r.Switched, err)
	}
	if now, err := folder.Current(); err != nil || now != r.File {
		t.Errorf("CURRENT names %q, %v, want %s", now, err, r.File)
	}
}

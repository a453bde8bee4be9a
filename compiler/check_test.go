package compiler

import (
	"os"
	"strings"
	"testing"

	"sabine/indexes/snapshot"
)

// TestABuildChecksItsFile checks that a build removes a snapshot that a server would refuse, such as one
// without sections, and does not switch to it.
func TestABuildChecksItsFile(t *testing.T) {
	o := Options{Folder: snapshot.Folder{Dir: t.TempDir()}}
	b := &build{o: o, report: newReport(&o)}
	w, err := snapshot.Create(o.Folder.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	err = b.commit(t.Context(), w, 0)
	if err == nil || !strings.Contains(err.Error(), "check the new snapshot: ") || b.report.Switched {
		t.Errorf("switched %v, %v, want an error of the check", b.report.Switched, err)
	}
	if left, err := os.ReadDir(o.Folder.Dir); err != nil || len(left) > 0 {
		t.Errorf("remaining: %v, %v", left, err)
	}
}

package compiler

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"sabine/dataset"
	"sabine/indexes/files"
)

// TestSourcesAndSnapshotsAreOpenedAlike checks that dataset and indexes both refuse files that are not
// regular, without blocking. Each package has its own function, because neither can import the other.
func TestSourcesAndSnapshotsAreOpenedAlike(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	socket, err := net.Listen("unix", path("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := errors.Join(
		os.WriteFile(path("file"), nil, 0o600),
		os.Symlink("file", path("link")),
		os.Symlink("/dev/zero", path("device")),
		unix.Mkfifo(path("pipe"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	for name, opens := range map[string]bool{"file": true, "link": true, "device": false, "pipe": false, "socket": false,
		".": false, "missing": false} {
		source, sourceErr := dataset.OpenRegular(path(name))
		snapshot, _, snapshotErr := files.OpenRegular(path(name))
		if (sourceErr == nil) != opens || (snapshotErr == nil) != opens ||
			errors.Is(sourceErr, fs.ErrNotExist) != errors.Is(snapshotErr, fs.ErrNotExist) {
			t.Errorf("%s: as a source %v, as a snapshot %v", name, sourceErr, snapshotErr)
		}
		if opens {
			source.Close()
			snapshot.Close()
		}
	}
}

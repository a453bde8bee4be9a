package snapshot

import (
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestOnlyRegularFilesAreOpened checks that opening a pipe, for example, fails without blocking.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	for _, kind := range []string{"a FIFO", "a socket", "a device", "a folder"} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, currentName)
			var err error
			switch kind {
			case "a FIFO":
				err = unix.Mkfifo(path, 0o644)
			case "a socket":
				var listener net.Listener
				if listener, err = net.Listen("unix", path); err == nil {
					defer listener.Close()
				}
			case "a device":
				err = unix.Symlink("/dev/zero", path)
			case "a folder":
				err = unix.Mkdir(path, 0o755)
			}
			if err != nil {
				t.Fatal(err)
			}
			want := path + ": not a regular file"
			if _, err := Open(path); message(err) != want {
				t.Errorf("as a snapshot: %v, want %q", err, want)
			}
			if _, err := (Folder{Dir: dir}).Current(); message(err) != want {
				t.Errorf("as CURRENT: %v, want %q", err, want)
			}
			if held, err := hasContent(t.Context(), path, strings.Repeat("0", hashDigits)); held || err != nil {
				t.Errorf("has the content: %t, %v", held, err)
			}
			report := filepath.Join(dir, ReportOf("x"+suffix))
			if err := unix.Symlink(path, report); err != nil {
				t.Fatal(err)
			}
			if _, err := ReadReport(filepath.Join(dir, "x"+suffix)); message(err) != report+": not a regular file" {
				t.Errorf("as a report: %v, want an error for %s", err, report)
			}
		})
	}
}

func TestCurrentDistinguishesAMissingFolderFromAnEmptyOne(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:                          dir + ": the folder has no file CURRENT: no current snapshot",
		filepath.Join(dir, "absent"): filepath.Join(dir, "absent") + ": the folder does not exist: no current snapshot",
	} {
		if _, err := (Folder{Dir: path}).Current(); !errors.Is(err, ErrNoCurrent) || message(err) != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

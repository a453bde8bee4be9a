package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestALockIsOneHoldersAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".lock")
	held, err := Lock(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(path, 0o600); !errors.Is(err, ErrLocked) {
		t.Errorf("a second holder: got %v", err)
	}
	held.Close()
	again, err := Lock(path, 0o600)
	if err != nil {
		t.Fatalf("after the first has closed it: %v", err)
	}
	again.Close()
	link := path + ".link"
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(link, 0o600); !errors.Is(err, unix.ELOOP) {
		t.Errorf("a link: got %v", err)
	}
}

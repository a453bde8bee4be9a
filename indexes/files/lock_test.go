package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestLockIsExclusive(t *testing.T) {
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

func TestAwaitLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".lock")
	held, err := Lock(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*lockPause)
	defer cancel()
	if _, err := AwaitLock(ctx, path, 0o600); !errors.Is(err, ErrLocked) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while another has it: got %v", err)
	}
	time.AfterFunc(2*lockPause, func() { held.Close() })
	if file, err := AwaitLock(t.Context(), path, 0o600); err != nil || file.Close() != nil {
		t.Errorf("after the other has closed it: %v", err)
	}
}

package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// SyncDir makes the names in a folder durable: what was made, renamed or removed there outlives a loss of
// power.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// MakeDir makes a folder and those above it that are not there, with the mode 0755 and names that are
// durable. Of one that is there it tries to make the name durable, since whoever made it may have been
// killed.
func MakeDir(dir string) error {
	dir = filepath.Clean(dir)
	var parents []string // of what is made
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		parents = append(parents, filepath.Dir(at))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if len(parents) == 0 {
		_ = SyncDir(filepath.Dir(dir)) // which this user may not be allowed to list
	}
	for _, parent := range parents {
		if err := SyncDir(parent); err != nil {
			return err
		}
	}
	return nil
}

// UnfinishedAge is how old what a killed writer has left must be before it is removed where no lock keeps
// others out.
const UnfinishedAge = time.Hour

// RemoveUnfinished removes what was to be renamed to a path, as renameio names it, but is older than an age,
// since its writer was killed. Under a lock that keeps all other writers out the age is 0. It is silent about
// what it can't remove.
func RemoveUnfinished(path string, age time.Duration) {
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		digits, ours := strings.CutPrefix(e.Name(), "."+filepath.Base(path))
		if !ours || digits == "" || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		if info, err := e.Info(); err == nil && (age == 0 || time.Since(info.ModTime()) > age) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}

package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// SyncDir makes the names in a folder durable: files that were created, renamed or removed there remain so
// after a power failure.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// MakeDir creates a folder and its missing parents with mode 0755 and makes their names durable. If the
// folder exists, MakeDir tries to make its name durable, since the process that created it may have been
// killed.
func MakeDir(dir string) error {
	dir = filepath.Clean(dir)
	var parents []string // of the folders to create
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
		_ = SyncDir(filepath.Dir(dir)) // this user may lack permission
	}
	for _, parent := range parents {
		if err := SyncDir(parent); err != nil {
			return err
		}
	}
	return nil
}

// UnfinishedAge is the minimum age of files of killed writers before they are removed without a lock.
const UnfinishedAge = time.Hour

// RemoveUnfinished removes temporary files of renameio for a path that are older than age, since their
// writers were killed. With a lock that excludes other writers, age can be 0. It ignores errors.
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

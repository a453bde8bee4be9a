package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// SyncDir makes the names in a folder durable, so that creating, renaming or removing files there is not
// undone by a power failure.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// MakeDir creates a folder and its missing parents with mode 0755 and makes their names durable. If the
// folder already exists, MakeDir tries to make its name durable, since the process that created the folder
// may have been killed before it did that.
func MakeDir(dir string) error {
	dir = filepath.Clean(dir)
	var parents []string // parents of the folders to create
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
		_ = SyncDir(filepath.Dir(dir)) // ignored, since this user may lack permission
	}
	for _, parent := range parents {
		if err := SyncDir(parent); err != nil {
			return err
		}
	}
	return nil
}

// UnfinishedAge is the age at which the file of a killed writer may be removed without a lock.
const UnfinishedAge = time.Hour

// RemoveUnfinished removes renameio's temporary files for path that killed writers have left: those older
// than age or, if age is 0, all. Age may be 0 only if a lock excludes other writers. Errors are ignored.
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

package keys

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"

	"sabine/indexes/files"
)

// Update reads the key file, calls change and writes the file atomically, under a lock that excludes other
// updates. It creates a missing file with mode 0600. For an existing file, it preserves the owner, the mode
// and symbolic links to the file. If change returns an error, nothing is written.
func Update(path string, change func(*File) error) error {
	target, err := followLinks(path)
	if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	lock, err := files.AwaitLock(context.Background(), target+".lock", 0o600)
	if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	defer lock.Close() // releases the lock
	files.RemoveUnfinished(target, 0)
	f, err := Read(target)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = &File{Accounts: []Account{}, Keys: []Key{}}, nil
	}
	if err != nil {
		return err
	}
	if err := change(f); err != nil {
		return err
	}
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	if b = append(b, '\n'); len(b) > maxFileSize {
		return fmt.Errorf("key file %s: the changed file exceeds the limit of %d MiB; nothing was changed", path,
			maxFileSize>>20)
	}
	if err := replace(target, b); err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	if err := files.SyncDir(filepath.Dir(target)); err != nil {
		return fmt.Errorf("key file: sync its folder: %w", err)
	}
	return nil
}

// followLinks resolves the symbolic links at a path. The target file may be missing.
func followLinks(path string) (string, error) {
	const maxLinks = 40 // the limit in Linux
	for range maxLinks {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link, or the file does not exist yet
		}
		if !filepath.IsAbs(target) {
			target = filepath.Dir(path) + "/" + target // Join would resolve .. without following links to folders
		}
		path = target
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: unix.ELOOP}
}

// replace writes a new file in the same folder, with the owner and mode of the old file, and renames it.
func replace(path string, b []byte) error {
	uid, gid, mode := -1, -1, fs.FileMode(0o600) // of a new file; Chown ignores -1
	var st unix.Stat_t
	switch err := unix.Stat(path, &st); {
	case err == nil:
		uid, gid, mode = int(st.Uid), int(st.Gid), fs.FileMode(st.Mode).Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	file, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)),
		renameio.WithStaticPermissions(mode))
	if err != nil {
		return err
	}
	defer func() { _ = file.Cleanup() }() // has no effect after the rename
	if err := file.Chown(uid, gid); err != nil {
		return fmt.Errorf("%s is owned by user %d and group %d, which this user cannot preserve: run the command as the owner "+
			"or as root: %w", path, uid, gid, err)
	}
	_, err = file.Write(b)
	if err := cmp.Or(err, file.Chmod(mode)); err != nil { // chown can clear bits of the mode
		return err
	}
	return file.CloseAtomicallyReplace()
}

// Warnings returns warnings about an unsafe owner or mode of a key file and its folder, and about a file that
// the server probably cannot read. It assumes that the server runs as the owner of the folder.
func Warnings(path string) []string {
	target, err := followLinks(path)
	if err != nil {
		return nil
	}
	dir := filepath.Dir(target)
	var file, folder unix.Stat_t
	if unix.Stat(target, &file) != nil || unix.Stat(dir, &folder) != nil {
		return nil // there is no file, so there are no warnings
	}
	const writable, readable = 0o022, 0o044 // by the group or all users
	var warnings []string
	if mode := file.Mode & 0o777; mode&writable != 0 {
		warnings = append(warnings, fmt.Sprintf("%s has mode %04o: users other than its owner can write to it and create "+
			"keys; run chmod go-w", target, mode))
	}
	if mode := folder.Mode & 0o777; mode&writable != 0 && folder.Mode&unix.S_ISVTX == 0 {
		warnings = append(warnings, fmt.Sprintf("the folder %s has mode %04o: users other than its owner can replace the "+
			"key file in it; run chmod go-w", dir, mode))
	}
	if file.Uid == 0 && folder.Uid != 0 && file.Mode&readable == 0 {
		warnings = append(warnings, fmt.Sprintf("%s belongs to root and has mode %04o, but its folder belongs to user %d: "+
			"a server of that user cannot read it; run chown", target, file.Mode&0o777, folder.Uid))
	}
	return warnings
}

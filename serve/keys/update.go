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

// Update reads the key file, lets change alter it and writes it back atomically, under a lock that keeps
// other updates out. A file that is not there counts as empty and gets mode 0600; one that is keeps its
// owner, its mode and the symbolic links that lead to it. When change returns an error, nothing is written.
func Update(path string, change func(*File) error) error {
	target, err := followLinks(path)
	if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	lock, err := files.AwaitLock(context.Background(), target+".lock", 0o600)
	if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	defer lock.Close() // gives the lock up
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
		return fmt.Errorf("key file %s: it would be larger than %d MiB, the most that is read; nothing was changed", path,
			maxFileSize>>20)
	}
	if err := replace(target, b); err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	if err := files.SyncDir(filepath.Dir(target)); err != nil {
		return fmt.Errorf("key file: syncing its folder: %w", err)
	}
	return nil
}

// followLinks returns where the symbolic links at a path lead, whether there is a file already or not.
func followLinks(path string) (string, error) {
	const most = 40 // as Linux does
	for range most {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, or nothing there yet
		}
		if !filepath.IsAbs(target) {
			target = filepath.Dir(path) + "/" + target // not Join: .. behind a linked folder is not that folder's parent
		}
		path = target
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: unix.ELOOP}
}

// replace writes a file by renaming a copy beside it, which has the owner and the mode of the file.
func replace(path string, b []byte) error {
	uid, gid, mode := -1, -1, fs.FileMode(0o600)
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
	defer func() { _ = file.Cleanup() }() // does nothing once the file is renamed
	if err := file.Chown(uid, gid); err != nil {
		return fmt.Errorf("%s belongs to user %d and group %d, which this user cannot keep: run the command as its owner "+
			"or as root: %w", path, uid, gid, err)
	}
	_, err = file.Write(b)
	if err := cmp.Or(err, file.Chmod(mode)); err != nil { // a change of owner can take bits away
		return err
	}
	return file.CloseAtomicallyReplace()
}

// Warnings says what is unsafe about the owner and mode of a key file and of its folder, and when a server
// could hardly read it. It only knows the folder's owner, who is likely to be the server's user.
func Warnings(path string) []string {
	target, err := followLinks(path)
	if err != nil {
		return nil
	}
	dir := filepath.Dir(target)
	var file, folder unix.Stat_t
	if unix.Stat(target, &file) != nil || unix.Stat(dir, &folder) != nil {
		return nil // there is nothing to warn of
	}
	const writable, readable = 0o022, 0o044 // by the group or by all
	var warnings []string
	if mode := file.Mode & 0o777; mode&writable != 0 {
		warnings = append(warnings, fmt.Sprintf("%s has mode %04o: others than its owner can write it, and so make keys; "+
			"chmod go-w", target, mode))
	}
	if mode := folder.Mode & 0o777; mode&writable != 0 && folder.Mode&unix.S_ISVTX == 0 {
		warnings = append(warnings, fmt.Sprintf("the folder %s has mode %04o: others than its owner can replace the key "+
			"file in it; chmod go-w", dir, mode))
	}
	if file.Uid == 0 && folder.Uid != 0 && file.Mode&readable == 0 {
		warnings = append(warnings, fmt.Sprintf("%s belongs to root and has mode %04o, but its folder belongs to user %d: "+
			"a server of that user cannot read it; chown it", target, file.Mode&0o777, folder.Uid))
	}
	return warnings
}

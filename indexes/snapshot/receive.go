package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"

	"sabine/indexes/files"
)

// An Incoming writes a received snapshot into a folder. The caller must have the lock of the folder. An
// Incoming is not safe for concurrent use.
type Incoming struct {
	folder Folder
	file   *os.File // nil after Commit and Abort
	hash   hash.Hash
	bytes  int64
}

// Receive creates a file with a temporary name for a snapshot. If links in the folder's path change later,
// the snapshot is still stored in the original folder.
func (f Folder) Receive() (*Incoming, error) {
	f = f.Resolved()
	file, err := os.CreateTemp(f.Dir, tempPrefix+"*"+suffix)
	if err != nil {
		return nil, err
	}
	return &Incoming{folder: f, file: file, hash: sha256.New()}, nil
}

// Temp returns a new file on the folder's file system. The file has no name, so it is deleted when it is
// closed or the process ends.
func (f Folder) Temp() (*os.File, error) {
	file, err := os.CreateTemp(f.Dir, tempPrefix+"*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) { // Lock may have removed it
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// Write appends p to the snapshot.
func (in *Incoming) Write(p []byte) (int, error) {
	if in.file == nil {
		return 0, errors.New("snapshot: write after the end of the snapshot")
	}
	n, err := in.file.Write(p)
	_, _ = in.hash.Write(p[:n]) // a hash.Hash never returns an error
	in.bytes += int64(n)
	if e := (*fs.PathError)(nil); errors.As(err, &e) { // omit the temporary name, which differs between calls
		err = fmt.Errorf("%s: %s: %w", in.folder.Dir, e.Op, e.Err)
	}
	return n, err
}

// Bytes returns the number of bytes written so far.
func (in *Incoming) Bytes() int64 { return in.bytes }

// Commit makes the file read-only, names it after its content hash, and syncs the file and the folder. It
// replaces an existing file with that name. It does not change CURRENT. If the content hash differs from the
// promised one, Commit removes the file and returns a *CorruptError.
func (in *Incoming) Commit(promised string) error {
	if in.file == nil {
		return errors.New("snapshot: commit after the end of the snapshot")
	}
	defer in.Abort()
	if got := hex.EncodeToString(in.hash.Sum(nil)); got != promised {
		want := fmt.Sprintf("content with the SHA-256 in the file name, not %s (%d bytes received)", got, in.bytes)
		return &CorruptError{Path: in.folder.Path(FileName(promised)), Want: want}
	}
	if err := errors.Join(in.file.Chmod(0o444), in.file.Sync()); err != nil {
		return err
	}
	if err := os.Rename(in.file.Name(), in.folder.Path(FileName(promised))); err != nil {
		return err
	}
	in.folder.Touch(FileName(promised))
	return files.SyncDir(in.folder.Dir)
}

// Abort removes the unfinished file. It does nothing after Commit.
func (in *Incoming) Abort() {
	if in.file == nil {
		return
	}
	_ = in.file.Close()
	_ = os.Remove(in.file.Name()) // fails after Commit has renamed the file
	in.file = nil
}

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

// An Incoming is a snapshot that comes from elsewhere, byte by byte, into a folder whose lock its writer has.
// It is for one goroutine.
type Incoming struct {
	folder Folder
	file   *os.File // nil after Commit and Abort
	hash   hash.Hash
	bytes  int64
}

// Receive begins a snapshot under a temporary name. It comes into the folder that the path leads to now.
func (f Folder) Receive() (*Incoming, error) {
	f = f.Resolved()
	file, err := os.CreateTemp(f.Dir, tempPrefix+"*"+suffix)
	if err != nil {
		return nil, err
	}
	return &Incoming{folder: f, file: file, hash: sha256.New()}, nil
}

// Temp returns a new file on the file system of the folder. The file has no name, so nothing of it is left
// after the process closes it or dies.
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

// Write takes the next bytes.
func (in *Incoming) Write(p []byte) (int, error) {
	if in.file == nil {
		return 0, errors.New("snapshot: write behind the end of the snapshot")
	}
	n, err := in.file.Write(p)
	_, _ = in.hash.Write(p[:n]) // a hash never fails
	in.bytes += int64(n)
	if fault := (*fs.PathError)(nil); errors.As(err, &fault) { // which has the temporary name, another one every time
		err = fmt.Errorf("%s: %s: %w", in.folder.Dir, fault.Op, fault.Err)
	}
	return n, err
}

// Bytes returns how many bytes came.
func (in *Incoming) Bytes() int64 { return in.bytes }

// Commit ends the snapshot and gives it the name of its content hash, which has to be the one that was
// promised; else the error is a *CorruptError and nothing is left. A file of that name is replaced. The file
// is synced and read-only, the folder synced, but its CURRENT is as it was.
func (in *Incoming) Commit(promised string) error {
	if in.file == nil {
		return errors.New("snapshot: commit behind the end of the snapshot")
	}
	defer in.Abort()
	if got := hex.EncodeToString(in.hash.Sum(nil)); got != promised {
		want := fmt.Sprintf("content with the SHA-256 that its name states, not the %s of %d bytes that came", got, in.bytes)
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

// Abort removes what came. It does nothing after Commit.
func (in *Incoming) Abort() {
	if in.file == nil {
		return
	}
	_ = in.file.Close()
	_ = os.Remove(in.file.Name()) // not there any more once it has its final name
	in.file = nil
}

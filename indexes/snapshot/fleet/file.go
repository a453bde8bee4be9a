package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"

	"sabine/indexes/files"
	"sabine/indexes/snapshot"
)

// A fileStore is a folder, for example on a network file system that several machines use. The tag of an
// object is the hash of its content.
type fileStore struct{ dir string }

// fileLockName is the file that a publisher locks while it replaces the pointer. The lock also works between
// machines if the file system supports that.
const fileLockName = ".publish.lock"

func newFileStore(u *url.URL) (*fileStore, error) {
	if u.Host != "" && u.Host != "localhost" || u.Path == "" || u.User != nil || u.RawQuery != "" {
		return nil, fmt.Errorf("%q: expected file:/// and the path of a folder; write %%3F for a ? in the path", redacted(u))
	}
	return &fileStore{filepath.Clean(filepath.FromSlash(u.Path))}, nil
}

func (s *fileStore) String() string {
	return redacted(&url.URL{Scheme: "file", Path: filepath.ToSlash(s.dir)})
}

// isFolder reports whether dir is the folder of the store.
func (s *fileStore) isFolder(dir string) bool {
	there, _ := os.Stat(s.dir) // nil if the folder is missing, which SameFile accepts
	here, _ := os.Stat(dir)
	return os.SameFile(there, here)
}

func (s *fileStore) path(name string) string { return filepath.Join(s.dir, name) }

func (s *fileStore) Open(_ context.Context, name string, r ReadOptions) (*Object, error) {
	file, info, err := files.OpenRegular(s.path(name))
	if err != nil {
		return nil, s.notFound(err)
	}
	object := &Object{Body: file}
	if info.Size() <= maxPointerSize { // larger objects have no tag
		var b []byte
		b, err = io.ReadAll(io.LimitReader(file, maxPointerSize+1))
		if object.Tag = tagOf(b); err == nil && object.Tag == r.Tag {
			err = ErrUnchanged
		}
	}
	if err == nil {
		_, err = file.Seek(r.At, io.SeekStart)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return object, nil
}

func tagOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// notFound returns ErrNotFound if err reports a missing file. If the folder is missing too, it returns
// another error, since the folder may be mounted later.
func (s *fileStore) notFound(err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, lost := os.Stat(s.dir); lost != nil {
		return lost
	}
	return fmt.Errorf("%w: %w", ErrNotFound, err)
}

// Probe creates the folder if necessary, waits for its lock, and syncs the folder, since an earlier publisher
// may have failed to sync it.
func (s *fileStore) Probe(ctx context.Context) error {
	if err := files.MakeDir(s.dir); err != nil {
		return err
	}
	lock, err := files.AwaitLock(ctx, s.path(fileLockName), 0o644)
	if err != nil {
		return err
	}
	_ = lock.Close()
	return files.SyncDir(s.dir)
}

func (s *fileStore) Size(_ context.Context, name string) (int64, error) {
	info, err := os.Stat(s.path(name))
	if err != nil {
		return 0, s.notFound(err)
	}
	return info.Size(), nil
}

func (s *fileStore) Put(ctx context.Context, name string, file *os.File, size int64, progress func(int)) error {
	to, err := renameio.NewPendingFile(s.path(name), renameio.WithTempDir(s.dir), renameio.WithPermissions(0o444))
	if err != nil {
		return err
	}
	defer func() { _ = to.Cleanup() }() // has no effect after the rename
	from := &countingReader{ctx: ctx, r: io.NewSectionReader(file, 0, size), progress: progress}
	if n, err := io.Copy(to, from); err != nil || n != size {
		return errors.Join(err, checkLength(n, size))
	}
	if err := to.CloseAtomicallyReplace(); err != nil {
		return err
	}
	return files.SyncDir(s.dir)
}

// checkLength returns an error unless n equals want.
func checkLength(n, want int64) error {
	if n == want {
		return nil
	}
	return fmt.Errorf("got %d bytes, expected %d", n, want)
}

func (s *fileStore) Swap(ctx context.Context, name string, b []byte, tag string) (string, error) {
	lock, err := files.AwaitLock(ctx, s.path(fileLockName), 0o644)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	now := "" // tag of the object in the store; "" if it is missing
	switch old, err := files.Read(s.path(name), maxPointerSize); {
	case err == nil:
		now = tagOf(old)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if now != tag {
		return "", ErrChanged
	}
	files.RemoveUnfinished(s.path(name), 0)
	if err := renameio.WriteFile(s.path(name), b, 0o644, renameio.WithTempDir(s.dir)); err != nil {
		return "", err
	}
	if err := files.SyncDir(s.dir); err != nil {
		return "", fmt.Errorf("%w: %w", snapshot.ErrUnsynced, err)
	}
	return tagOf(b), nil
}

func (s *fileStore) Names(context.Context) ([]Named, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	var names []Named
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && e.Name() != fileLockName {
			names = append(names, Named{e.Name(), time.Since(info.ModTime())})
		}
	}
	return names, nil
}

func (s *fileStore) Remove(_ context.Context, name string) error {
	if err := os.Remove(s.path(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

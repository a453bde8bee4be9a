package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"

	"sabine/indexes/files"
)

const (
	maxCopySize      = 16 << 20
	maxSignatureSize = 4 << 10
	signatureSuffix  = ".minisig"
	// copyTimeout limits the time of a poll and its downloads.
	copyTimeout = 2 * time.Minute
)

// A Copy updates a file from a small object in a source, such as the key file of a fleet. If an update fails,
// the last valid file remains. Unless Trust is empty, the object <name>.minisig must contain a signature.
type Copy struct {
	Follower
	Name  string               // name of the object
	Path  string               // path of the file, which only its owner can read; Copy creates the folder
	Check func(b []byte) error // returns an error if the content is invalid

	tag       string // tag of the object that was copied last
	signature string
	written   files.Stamp // stamp of the file that was written last
}

// Run updates the file until the context ends.
func (c *Copy) Run(ctx context.Context) {
	for ; ctx.Err() == nil; pause(ctx, c.interval()) {
		_ = c.Once(ctx) // ignored, since Once records its error
	}
}

// Once polls the object once and updates the file.
func (c *Copy) Once(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, copyTimeout)
	defer cancel()
	err := c.copy(limited)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", c.Source, err)
	}
	c.record(err)
	return err
}

// copy updates the file if the object or the file has changed since the last update.
func (c *Copy) copy(ctx context.Context) error {
	now, _ := files.StampOf(c.Path)
	isOurs := now == c.written && now != files.Stamp{} // whether the file exists as this Copy wrote it
	if !isOurs {
		c.tag = "" // the object must be read again
	}
	if c.State().Hash == "" { // an existing file remains in use until the source responds
		if b, err := files.Read(c.Path, maxCopySize); err == nil {
			c.update(func(s *State) { s.Hash = tagOf(b) })
		}
	}
	b, tag, err := readSmall(ctx, c.Source, c.Name, ReadOptions{Tag: c.tag}, maxCopySize)
	if err == nil || errors.Is(err, ErrUnchanged) {
		c.update(func(s *State) { s.LastResponse = time.Now() })
	}
	if errors.Is(err, ErrUnchanged) && c.tag != "" { // without a tag, ErrUnchanged is a fault of the source
		return nil
	}
	if err != nil {
		return err
	}
	signature, err := c.checkSignature(ctx, b)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	if isOurs && tagOf(b) == c.State().Hash && string(signature) == c.signature {
		c.tag = tag // the content is the same, but the tag differs or is missing
		return nil
	}
	if err := c.Check(b); err != nil {
		return err
	}
	if err := c.replace(b, signature); err != nil {
		return err
	}
	c.tag, c.signature = tag, string(signature)
	c.written, err = files.StampOf(c.Path)
	c.update(func(s *State) {
		s.Hash, s.Fetched, s.Bytes = tagOf(b), s.Fetched+1, s.Bytes+int64(len(b))
	})
	return err
}

// checkSignature returns the signature of the object, or nil if Trust is empty. It returns an error if the
// signature is not from a trusted key, or is older than the signature of the file. Otherwise, anyone with
// write access to the store could restore a revoked key.
func (c *Copy) checkSignature(ctx context.Context, b []byte) (signature []byte, err error) {
	if len(c.Trust) == 0 {
		return nil, nil
	}
	signature, _, err = readSmall(ctx, c.Source, c.Name+signatureSuffix, ReadOptions{}, maxSignatureSize)
	if errors.Is(err, ErrNotFound) {
		err = nil // not an error if the file has no signature
	}
	if err := cmp.Or(err, c.Trust.check(b, string(signature))); err != nil {
		return nil, err
	}
	before, _ := files.Read(c.Path+signatureSuffix, maxSignatureSize) // nil if the file is missing
	if signedAt(signature) < signedAt(before) {
		return nil, fmt.Errorf("%w, according to the times in the signatures", ErrOlder)
	}
	return signature, nil
}

// replace replaces the signature file, if there is a signature, and then the file. If it is interrupted
// between the two, older content is still refused.
func (c *Copy) replace(b, signature []byte) error {
	dir := filepath.Dir(c.Path)
	if err := files.MakeDir(dir); err != nil {
		return err
	}
	for _, file := range []struct {
		path string
		b    []byte
	}{{c.Path + signatureSuffix, signature}, {c.Path, b}} {
		files.RemoveUnfinished(file.path, files.UnfinishedAge)
		if file.b == nil {
			continue
		}
		// renameio.WriteFile would retain the permissions of an existing file.
		f, err := renameio.NewPendingFile(file.path, renameio.WithTempDir(dir), renameio.WithStaticPermissions(0o600))
		if err != nil {
			return err
		}
		if _, err = f.Write(file.b); err == nil {
			err = f.CloseAtomicallyReplace()
		}
		if err != nil {
			return errors.Join(err, f.Cleanup())
		}
	}
	return files.SyncDir(dir)
}

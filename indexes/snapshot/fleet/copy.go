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
	// copyTimeout is how long a look and what it downloads may take in all.
	copyTimeout = 2 * time.Minute
)

// A Copy keeps a file the same as a small object of a source, such as the keys of a fleet. Whatever the
// source does, the last good content stays. Where somebody is trusted, the signature of the object lies
// beside it as <name>.minisig.
type Copy struct {
	Follower
	Name  string               // of the object
	Path  string               // of the file, which is its owner's alone; its folder is made
	Check func(b []byte) error // whether content is what its readers expect

	tag       string // of the object that the file is a copy of
	signature string
	made      files.Stamp // of the file
}

// Run keeps the copy until the context ends.
func (c *Copy) Run(ctx context.Context) {
	for ; ctx.Err() == nil; pause(ctx, c.interval()) {
		_ = c.Once(ctx) // noted
	}
}

// Once looks at the object and makes the file its copy.
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
	c.note(err)
	return err
}

// copy makes the file a copy of the object, when either has changed.
func (c *Copy) copy(ctx context.Context) error {
	now, _ := files.StampOf(c.Path)
	if now != c.made {
		c.tag = ""
	}
	if c.State().Hash == "" { // what an earlier run has left is in force until the source answers
		if b, err := files.Read(c.Path, maxCopySize); err == nil {
			c.update(func(s *State) { s.Hash = tagOf(b) })
		}
	}
	b, tag, err := readSmall(ctx, c.Source, c.Name, Range{Tag: c.tag}, maxCopySize)
	if err == nil || errors.Is(err, ErrUnchanged) {
		c.update(func(s *State) { s.Looked = time.Now() })
	}
	if errors.Is(err, ErrUnchanged) && c.tag != "" {
		return nil
	}
	if err != nil {
		return err
	}
	signature, err := c.trusts(ctx, b)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	if now != (files.Stamp{}) && now == c.made && tagOf(b) == c.State().Hash && string(signature) == c.signature {
		c.tag = tag // the object has another one, or none
		return nil
	}
	if err := c.Check(b); err != nil {
		return err
	}
	if err := c.replace(b, signature); err != nil {
		return err
	}
	c.tag, c.signature = tag, string(signature)
	c.made, err = files.StampOf(c.Path)
	c.update(func(s *State) {
		s.Hash, s.Fetched, s.Bytes = tagOf(b), s.Fetched+1, s.Bytes+int64(len(b))
	})
	return err
}

// trusts returns the signature of the object's content, and an error unless it is by one who is trusted, and
// not from before that of the file: who can write to the store could bring back a key that was revoked.
// Nobody has to sign when nobody is trusted.
func (c *Copy) trusts(ctx context.Context, b []byte) (signature []byte, err error) {
	if len(c.Trust) == 0 {
		return nil, nil
	}
	signature, _, err = readSmall(ctx, c.Source, c.Name+signatureSuffix, Range{}, maxSignatureSize)
	if errors.Is(err, ErrNotFound) {
		err = nil // it has no signature
	}
	if err := cmp.Or(err, c.Trust.check(b, string(signature))); err != nil {
		return nil, err
	}
	before, _ := files.Read(c.Path+signatureSuffix, maxSignatureSize) // none says nothing
	if signedAt(signature) < signedAt(before) {
		return nil, fmt.Errorf("%w, by the times of their signatures", ErrOlder)
	}
	return signature, nil
}

// replace puts content in the file's place, and its signature, if any, beside it: first, so that nothing
// older can follow the content.
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
		// WriteFile would keep the permissions of a file that is there already.
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

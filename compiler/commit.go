package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// readPrevious stores the name and the number of products of the current snapshot. It ignores a snapshot that
// cannot be read, unless the number is needed for MaxDrop.
func (b *build) readPrevious(ctx context.Context) error {
	name, err := b.o.Folder.Current()
	if errors.Is(err, snapshot.ErrNoCurrent) {
		return nil
	}
	if err == nil {
		b.previous = name
		// If MaxDrop depends on the number, verify the checksums first.
		b.report.Counts.Previous, err = countProducts(ctx, b.o.Folder.Path(name), b.o.MaxDrop != nil)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case b.o.MaxDrop != nil && !b.o.UnknownDrop:
		return fmt.Errorf("%w, because the current snapshot can't be read: %w; nothing was built; "+
			"to build without this check, add --max-drop-unknown", ErrUnknownDrop, err)
	}
	b.note("the previous snapshot can't be read and is ignored: %v", err)
	return nil
}

// countProducts opens a snapshot as a server does and returns its number of products.
func countProducts(ctx context.Context, path string, verified bool) (int, error) {
	f, err := snapshot.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	if verified {
		if err := f.VerifyChecksums(ctx); err != nil {
			return 0, err
		}
	}
	products := 0
	err = f.Guard(func() error { // reading can fail if the file is truncated meanwhile or the disk fails
		x, err := indexes.Open(f)
		if err == nil {
			products = x.Docs
		}
		return err
	})
	return products, err
}

// commit names the snapshot, checks it and makes it current. Then it removes older generations. With too few
// products, the snapshot gets a refused name and does not become current, and the error is ErrShrunk.
func (b *build) commit(ctx context.Context, w *snapshot.Writer, products int) error {
	defer b.report.stage(stageCommit)()
	w.Hashed = func(bytes, total int64) { b.progress(stageCommit, bytes, total, "bytes") }
	shrunk := b.shrunk(products)
	end := w.Commit
	if shrunk {
		end = w.Refuse
	}
	info, err := end()
	if err != nil {
		return fmt.Errorf("finish the snapshot: %w", err)
	}
	b.describe(info, products)
	if _, err := countProducts(ctx, info.Path, false); err != nil { // not verified, since Commit has read the file back
		return errors.Join(fmt.Errorf("check the new snapshot: %w", err), b.withdraw(info))
	}
	if shrunk {
		return b.refuse(products)
	}
	if err := b.activate(ctx); err != nil {
		if b.report.Switched { // unsynced: do not prune, since after a power failure, CURRENT may name an older file
			return err
		}
		return errors.Join(err, b.withdraw(info))
	}
	if _, err := b.o.Folder.Prune(cmp.Or(max(b.o.Keep, 0), DefaultKeep)); err != nil {
		b.note("CURRENT was switched, but older files could not be removed: %v", err)
	}
	return nil
}

// describe adds the data of the snapshot to the report.
func (b *build) describe(info snapshot.Info, products int) {
	r := b.report
	r.Hash, r.File, r.Bytes = info.Hash, filepath.Base(info.Path), info.Bytes
	r.Counts.Products = products
	for _, s := range info.Sections {
		r.Sections = append(r.Sections, Section{Name: s.Kind.String(), Bytes: s.Length})
	}
}

// activate writes the report to the snapshot's folder and then switches CURRENT to the snapshot.
func (b *build) activate(ctx context.Context) error {
	name := b.report.File
	b.report.Outcome = OutcomeUnchanged
	if name != b.previous {
		b.report.Outcome = outcomeBuilt
	}
	if err := b.report.write(b.o.Folder, ""); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if name != b.previous {
		if err := b.o.Folder.Switch(name); err != nil {
			b.report.Switched = errors.Is(err, snapshot.ErrUnsynced)
			return fmt.Errorf("switch CURRENT to %s: %w", name, err)
		}
	}
	b.report.Switched = true
	return nil
}

// withdraw removes a snapshot and its report. It retains a snapshot that existed before the build. It also
// retains one that CURRENT names, or might name because CURRENT can't be read.
func (b *build) withdraw(info snapshot.Info) error {
	current, err := b.o.Folder.Current()
	if _, isFailure := errors.AsType[unix.Errno](err); isFailure {
		b.note("the new snapshot is retained, because CURRENT can't be read and might name it: %v", err)
		return nil
	}
	var faults []error
	if !info.Existed && b.report.File != current {
		for _, name := range []string{snapshot.ReportOf(b.report.File), b.report.File} {
			if err := os.Remove(b.o.Folder.Path(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
				faults = append(faults, err)
			}
		}
	}
	b.report.Hash, b.report.File = "", ""
	return errors.Join(faults...)
}

// shrunk reports whether the number of products has decreased by more than MaxDrop percent.
func (b *build) shrunk(products int) bool {
	before := b.report.Counts.Previous
	return b.o.MaxDrop != nil && float64(before-products)*100 > *b.o.MaxDrop*float64(before)
}

// refuse returns an error that contains the name of the refused snapshot and describes how to accept it. It
// removes previously refused snapshots.
func (b *build) refuse(products int) error {
	before, name := b.report.Counts.Previous, b.report.File
	if err := b.o.Folder.ClearRefused(name); err != nil {
		b.note("snapshots refused by earlier builds could not be removed: %v", err)
	}
	dir, err := filepath.Abs(b.o.Folder.Dir)
	if err != nil {
		dir = b.o.Folder.Dir
	}
	drop := float64(before-products) * 100 / float64(before)
	accepted := snapshot.FileName(b.report.Hash)
	accept := fmt.Sprintf("cd %s && mv -f %s %s && mv -f %s %s && echo %s > NEXT && mv -f NEXT CURRENT", shellWord(dir),
		name, accepted, snapshot.ReportOf(name), snapshot.ReportOf(accepted), accepted)
	return fmt.Errorf(
		"%w: from %d to %d products, by %.1f %% (the maximum is %g %%); CURRENT was not switched, and the new "+
			"snapshot is stored as %s\n"+
			"To accept it, build again with --max-drop %g or more, or run:\n  %s",
		ErrShrunk, before, products, drop, *b.o.MaxDrop, b.o.Folder.Path(name),
		math.Ceil(drop*10)/10, accept)
}

// shellWord quotes text as a word for a shell.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

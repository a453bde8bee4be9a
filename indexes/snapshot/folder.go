package snapshot

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"

	"sabine/indexes/files"
)

// A Folder contains generations (<hash>.snapshot), their reports (<hash>.report.json), and the file CURRENT,
// whose only line is the name of the current generation. A refused snapshot must not be served. It is stored
// as <hash>.refused with its report and is not a generation. Only the newest one is retained. A generation is
// never changed once it has its name, so open snapshots remain valid when the folder changes.
type Folder struct{ Dir string }

// A Stored is a generation in a folder.
type Stored struct {
	Name     string // file name, <hash>.snapshot
	Modified time.Time
	Bytes    int64
}

// Path returns the path of a file in the folder.
func (f Folder) Path(name string) string { return filepath.Join(f.Dir, name) }

// Resolved returns the folder with all symbolic links in its path resolved, so that replacing a link later
// does not redirect the caller to another folder. If the folder does not exist, Resolved returns f.
func (f Folder) Resolved() Folder {
	if dir, err := filepath.EvalSymlinks(f.Dir); err == nil {
		f.Dir = dir
	}
	return f
}

// Touch makes a file the newest in the folder, even if the clock was set back. It sets the modification time
// to now, or later if a generation, a refused snapshot or CURRENT is newer, so that modification times show
// the order in which files were added. If another user owns the file, Touch cannot set its time, and Prune
// removes the file earlier. Touch does not change the target of a link.
func (f Folder) Touch(name string) {
	now := time.Now()
	others, _ := f.names(func(other string) bool {
		return other != name && (isGeneration(other) || isRefused(other) || other == currentName)
	})
	for _, other := range others {
		if info, err := os.Stat(f.Path(other)); err == nil && !now.After(info.ModTime()) {
			now = info.ModTime().Add(time.Second) // one second is the time resolution of some file systems
		}
	}
	if t, err := unix.TimeToTimespec(now); err == nil {
		_ = unix.UtimesNanoAt(unix.AT_FDCWD, f.Path(name), []unix.Timespec{t, t}, unix.AT_SYMLINK_NOFOLLOW)
	}
}

// Lock locks the folder for one build until unlock is called or the process ends. It creates the folder if
// necessary. It returns ErrLocked if another process has the lock. To free disk space, Lock also removes the
// unfinished files of earlier builds. It ignores errors in the removal, since Prune reports them.
func (f Folder) Lock() (unlock func(), err error) {
	if err := files.MakeDir(f.Dir); err != nil {
		return nil, err
	}
	file, err := files.Lock(f.Path(lockName), 0o644)
	if errors.Is(err, files.ErrLocked) {
		err = fmt.Errorf("%s: %w", f.Dir, ErrLocked)
	}
	if err != nil {
		return nil, err
	}
	if left, err := f.names(isLeftover); err == nil {
		_, _ = f.remove(left)
	}
	return func() { _ = file.Close() }, nil
}

// Current returns the name in CURRENT. The error is ErrNoCurrent if there is no CURRENT, and a *CorruptError
// if its content is not a snapshot name. Current does not check the snapshot.
func (f Folder) Current() (name string, err error) {
	path := f.Path(currentName)
	line, err := files.Read(path, int64(hashDigits+len(suffix)+len("\n")+1)) // one byte more than a valid line
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(f.Dir); errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: the folder does not exist: %w", f.Dir, ErrNoCurrent)
		}
		return "", fmt.Errorf("%s: the folder has no file CURRENT: %w", f.Dir, ErrNoCurrent)
	}
	if err != nil {
		return "", err
	}
	name = strings.TrimSuffix(string(line), "\n")
	if !isGeneration(name) {
		return "", &CorruptError{Path: path,
			Want: fmt.Sprintf("one line with the name of a snapshot (%d hex digits and %s), not %q", hashDigits, suffix, line)}
	}
	return name, nil
}

// Switch makes the snapshot with the given name the current generation. It replaces CURRENT with a rename,
// then syncs the folder. If Switch is interrupted, CURRENT is either the complete old file or the complete
// new one. After ErrUnsynced, it is the new one.
func (f Folder) Switch(name string) error {
	if !isGeneration(name) {
		return fmt.Errorf("%s: invalid snapshot name %q: expected %d hex digits and %s", f.Dir, name, hashDigits, suffix)
	}
	if _, err := os.Stat(f.Path(name)); err != nil {
		return err
	}
	if err := renameio.WriteFile(f.Path(currentName), []byte(name+"\n"), 0o644, renameio.WithTempDir(f.Dir)); err != nil {
		return err
	}
	f.Touch(currentName)
	if err := files.SyncDir(f.Dir); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsynced, err)
	}
	return nil
}

// Generations returns the snapshots in the folder, newest modification time first. It does not open them.
func (f Folder) Generations() ([]Stored, error) {
	names, err := f.names(isGeneration)
	if err != nil {
		return nil, err
	}
	var found []Stored
	for _, name := range names {
		info, err := os.Stat(f.Path(name)) // follows links, which Kubernetes volumes use
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // another process has removed the file
		case err != nil:
			return nil, err
		case info.Mode().IsRegular():
			found = append(found, Stored{Name: name, Modified: info.ModTime(), Bytes: info.Size()})
		}
	}
	slices.SortFunc(found, func(a, b Stored) int {
		return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(a.Name, b.Name))
	})
	return found, nil
}

// Prune removes generations and their reports, except the newest keep generations and the current one. It
// also removes refused snapshots and unfinished files. The caller must have the lock. If a file cannot be
// removed, Prune continues with the next one. It returns the names of the removed files. If CURRENT cannot be
// read, it removes nothing.
func (f Folder) Prune(keep int) (removed []string, err error) {
	current, err := f.Current()
	if err != nil && !errors.Is(err, ErrNoCurrent) {
		return nil, err
	}
	generations, err := f.Generations()
	if err != nil {
		return nil, err
	}
	obsolete, err := f.names(func(name string) bool { return isLeftover(name) || isRefused(name) || f.isOrphan(name) })
	if err != nil {
		return nil, err
	}
	for _, g := range generations[min(max(keep, 0), len(generations)):] {
		if g.Name != current {
			obsolete = append(obsolete, ReportOf(g.Name), g.Name) // report first, so that none remains without a snapshot
		}
	}
	return f.remove(obsolete)
}

// Refused returns the name of the newest refused snapshot, or "" when none is newer than CURRENT, which must
// exist.
func (f Folder) Refused() (name string, err error) {
	candidates, err := f.names(func(name string) bool { return isRefused(name) && strings.HasSuffix(name, refusedSuffix) })
	if err != nil {
		return "", err
	}
	current, err := os.Stat(f.Path(currentName))
	if err != nil {
		return "", err
	}
	newest := current.ModTime()
	for _, candidate := range candidates {
		info, err := os.Stat(f.Path(candidate))
		if err == nil && info.ModTime().After(newest) {
			name, newest = candidate, info.ModTime()
		}
	}
	return name, nil
}

// ClearRefused removes all refused snapshots and their reports, except the snapshot named keep and its
// report. The caller must have the lock.
func (f Folder) ClearRefused(keep string) error {
	obsolete, err := f.names(func(name string) bool { return isRefused(name) && name != keep && name != ReportOf(keep) })
	if err != nil {
		return err
	}
	_, err = f.remove(obsolete)
	return err
}

// isOrphan reports whether name is the name of a report whose snapshot no longer exists.
func (f Folder) isOrphan(name string) bool {
	hash, ok := strings.CutSuffix(name, reportSuffix)
	if !ok || !IsHash(hash) {
		return false
	}
	_, err := os.Lstat(f.Path(FileName(hash)))
	return errors.Is(err, fs.ErrNotExist)
}

// remove removes files and syncs the folder. If a file cannot be removed, it continues with the next one.
func (f Folder) remove(obsolete []string) (removed []string, err error) {
	var faults []error
	for _, name := range obsolete {
		switch err := os.Remove(f.Path(name)); {
		case err == nil:
			removed = append(removed, name)
		case !errors.Is(err, fs.ErrNotExist):
			faults = append(faults, err)
		}
	}
	if len(removed) > 0 {
		faults = append(faults, files.SyncDir(f.Dir))
	}
	return removed, errors.Join(faults...)
}

func (f Folder) names(wanted func(name string) bool) (names []string, err error) {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if wanted(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// isLeftover reports whether name is the name of a file that an interrupted process has left unfinished.
func isLeftover(name string) bool {
	// Package renameio writes CURRENT, MIRROR.json and reports under names that begin with a dot.
	hidden, unfinished := strings.CutPrefix(name, ".")
	unfinished = unfinished && (strings.HasPrefix(hidden, currentName) || strings.HasPrefix(hidden, MirrorName) ||
		strings.Contains(hidden, reportSuffix))
	return unfinished || strings.HasPrefix(name, tempPrefix)
}

// ReadReport returns the report on the snapshot at path. It reads the report from the snapshot's folder.
func ReadReport(path string) ([]byte, error) {
	return files.Read(filepath.Join(filepath.Dir(path), ReportOf(filepath.Base(path))), math.MaxInt64)
}

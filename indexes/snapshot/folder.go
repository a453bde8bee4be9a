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

// A Folder holds generations (<hash>.snapshot), their reports (<hash>.report.json) and CURRENT, one line with
// the name of the generation in force. What was built but is not to be served lies aside as <hash>.refused,
// the newest of its kind alone, with its report: it is no generation. Generations are never written again
// once they have their name, so a reader that has one open may keep it whatever happens to the folder.
type Folder struct{ Dir string }

// A Stored is a generation that lies in a folder.
type Stored struct {
	Name     string // <hash>.snapshot
	Modified time.Time
	Bytes    int64
}

// Path returns the path of a file in the folder.
func (f Folder) Path(name string) string { return filepath.Join(f.Dir, name) }

// Resolved returns the folder with the links in its path followed, so that who works in it for a while works
// in one folder, also when a link is exchanged meanwhile. One that is not there is returned as it is.
func (f Folder) Resolved() Folder {
	if dir, err := filepath.EvalSymlinks(f.Dir); err == nil {
		f.Dir = dir
	}
	return f
}

// Touch makes a file the newest of the folder: its time of modification becomes now, or later than those of
// all generations, of what lies aside and of CURRENT. So these tell in which order files came, also when the
// clock was set back. Where the file belongs to somebody else and its time can't be set, it is merely pruned
// earlier. Nor is that of what a link leads to.
func (f Folder) Touch(name string) {
	now := time.Now()
	others, _ := f.names(func(other string) bool {
		return other != name && (isGeneration(other) || isRefused(other) || other == currentName)
	})
	for _, other := range others {
		if info, err := os.Stat(f.Path(other)); err == nil && !now.After(info.ModTime()) {
			now = info.ModTime().Add(time.Second) // there are file systems that know only these
		}
	}
	if t, err := unix.TimeToTimespec(now); err == nil {
		_ = unix.UtimesNanoAt(unix.AT_FDCWD, f.Path(name), []unix.Timespec{t, t}, unix.AT_SYMLINK_NOFOLLOW)
	}
}

// Lock takes the folder for one build, until unlock. It returns ErrLocked when another process has it. The
// folder is made when it is not there. The lock goes with its process, so a build that died leaves none
// behind; what else it left is cleared away here, before the next one needs the room. Prune tells what could
// not be.
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

// Current returns the name in CURRENT, ErrNoCurrent when there is none, a *CorruptError when it is no
// snapshot's name. The snapshot itself may be missing or damaged: Open says so.
func (f Folder) Current() (name string, err error) {
	path := f.Path(currentName)
	line, err := files.Read(path, int64(hashDigits+len(suffix)+len("\n")+1)) // one more than there may be
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(f.Dir); errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: the folder does not exist: %w", f.Dir, ErrNoCurrent)
		}
		return "", fmt.Errorf("%s: there is no CURRENT in the folder: %w", f.Dir, ErrNoCurrent)
	}
	if err != nil {
		return "", err
	}
	name = strings.TrimSuffix(string(line), "\n")
	if !isGeneration(name) {
		return "", &CorruptError{Path: path,
			Want: fmt.Sprintf("one line with a snapshot's name (%d hex digits and %s), not %q", hashDigits, suffix, line)}
	}
	return name, nil
}

// Switch makes name, a snapshot in the folder, the current generation: CURRENT is replaced by rename, and the
// folder synced. Whenever it is interrupted, CURRENT is whole: the old one or the new one. After ErrUnsynced
// it is the new one.
func (f Folder) Switch(name string) error {
	if !isGeneration(name) {
		return fmt.Errorf("%s: %q is no snapshot's name: want %d hex digits and %s", f.Dir, name, hashDigits, suffix)
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

// Generations returns the snapshots in the folder, newest first by modification time. It looks at names only.
func (f Folder) Generations() ([]Stored, error) {
	names, err := f.names(isGeneration)
	if err != nil {
		return nil, err
	}
	var found []Stored
	for _, name := range names {
		info, err := os.Stat(f.Path(name)) // which may be a link, as in a Kubernetes volume
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // removed meanwhile
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

// Prune removes all but the newest keep generations and their reports, never the current one, what lies
// aside, and the leftovers of builds that died or could not remove them. It needs the lock. It returns the
// names of the files that it removed, and goes on after one that it can't remove. A folder whose CURRENT
// can't be read is left alone.
func (f Folder) Prune(keep int) (removed []string, err error) {
	current, err := f.Current()
	if err != nil && !errors.Is(err, ErrNoCurrent) {
		return nil, err
	}
	generations, err := f.Generations()
	if err != nil {
		return nil, err
	}
	doomed, err := f.names(func(name string) bool { return isLeftover(name) || isRefused(name) || f.isOrphan(name) })
	if err != nil {
		return nil, err
	}
	for _, g := range generations[min(max(keep, 0), len(generations)):] {
		if g.Name != current {
			doomed = append(doomed, ReportOf(g.Name), g.Name) // in this order no report outlives its snapshot
		}
	}
	return f.remove(doomed)
}

// Refused returns the name of the snapshot that lies aside, "" when there is none that is newer than CURRENT.
func (f Folder) Refused() (name string, err error) {
	aside, err := f.names(func(name string) bool { return isRefused(name) && strings.HasSuffix(name, refused) })
	if err != nil {
		return "", err
	}
	current, err := os.Stat(f.Path(currentName))
	if err != nil {
		return "", err
	}
	newest := current.ModTime()
	for _, candidate := range aside {
		info, err := os.Stat(f.Path(candidate))
		if err == nil && info.ModTime().After(newest) {
			name, newest = candidate, info.ModTime()
		}
	}
	return name, nil
}

// ClearRefused removes what lies aside but for the snapshot with that name and its report. It needs the lock.
func (f Folder) ClearRefused(but string) error {
	doomed, err := f.names(func(name string) bool { return isRefused(name) && name != but && name != ReportOf(but) })
	if err != nil {
		return err
	}
	_, err = f.remove(doomed)
	return err
}

// isOrphan reports whether a name is that of a report whose snapshot is gone: the report could not be
// removed.
func (f Folder) isOrphan(name string) bool {
	hash, ok := strings.CutSuffix(name, reportSuffix)
	if !ok || !IsHash(hash) {
		return false
	}
	_, err := os.Lstat(f.Path(FileName(hash)))
	return errors.Is(err, fs.ErrNotExist)
}

// remove removes files, goes on after one that it can't remove, and syncs the folder.
func (f Folder) remove(doomed []string) (removed []string, err error) {
	var faults []error
	for _, name := range doomed {
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

// isLeftover reports whether a name is that of a file that a build began and did not finish.
func isLeftover(name string) bool {
	// CURRENT, what a mirror notes and reports have such names, which are renameio's, until they are whole.
	hidden, unfinished := strings.CutPrefix(name, ".")
	unfinished = unfinished && (strings.HasPrefix(hidden, currentName) || strings.HasPrefix(hidden, MirrorName) ||
		strings.Contains(hidden, reportSuffix))
	return unfinished || strings.HasPrefix(name, tempPrefix)
}

// ReadReport returns the report that lies beside the snapshot at a path.
func ReadReport(path string) ([]byte, error) {
	return files.Read(filepath.Join(filepath.Dir(path), ReportOf(filepath.Base(path))), math.MaxInt64)
}

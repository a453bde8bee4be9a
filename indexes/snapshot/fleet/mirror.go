package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/google/renameio/v2"

	"sabine/indexes/files"
	"sabine/indexes/snapshot"
)

const (
	// keepHere is how many generations stay in the folder of a mirror, the one that comes among them.
	keepHere = 3
	// leastLook and mostLook are how long a look may take, whatever the time between two looks.
	leastLook = 2 * time.Second
	mostLook  = 30 * time.Second
)

// A Mirror brings into a folder what a store says is in force: it downloads the generation, verifies its
// SHA-256, and switches the folder's CURRENT to it. Whatever the store does, the folder keeps the last good
// generation. It is the only one that switches the folder, but for other mirrors of the same store.
type Mirror struct {
	Follower
	Folder   snapshot.Folder
	Name     string                  // of the store in signatures; default StoreName(Source)
	Progress func(done, total int64) // of a download; nil: nobody asks

	// The pointer that was read last, and its tag.
	pointer *Pointer
	tag     string
	newest  Generation  // that was allowed; it may still be on its way while the edge of a CDN has an older pointer
	whole   files.Stamp // of the file whose SHA-256 was verified last

	last try
}

// mirrored is what a folder keeps of its mirror, in the file snapshot.MirrorName: the generation that was
// brought into force last, so that an older one is refused after a restart too.
type mirrored struct {
	Store      string     `json:"store"`
	Generation Generation `json:"generation"`
}

// ErrOlder says that a store has a generation in force that does not follow the one that is known here: it
// was brought into force earlier, or at the same time, which no two moves of a pointer have.
var ErrOlder = errors.New("it was not brought into force after the one that is known here")

// Once brings what the store has in force now into the folder, with its report.
func (m *Mirror) Once(ctx context.Context) (*Generation, error) {
	g, err := m.look(ctx)
	if err == nil {
		err = m.bring(ctx, g)
	}
	if err == nil {
		err = m.complete(ctx, g)
	}
	m.note(err)
	return g, err
}

// complete fetches the report of the generation in force, if it is not here, and makes durable what an
// earlier run could not.
func (m *Mirror) complete(ctx context.Context, g *Generation) error {
	if b, _ := snapshot.ReadReport(m.Folder.Path(g.snapshotName())); g.Report != "" && tagOf(b) != g.Report {
		unlock, err := m.Folder.Lock() // who takes it clears away what looks unfinished
		if err == nil {
			err = m.report(ctx, g)
			unlock()
		}
		if err != nil {
			return fmt.Errorf("%s is in force, but its report was not downloaded: %w", g.snapshotName(), err)
		}
	}
	return files.SyncDir(m.Folder.Dir)
}

// look asks the store which generation shall be in force.
func (m *Mirror) look(ctx context.Context) (*Generation, error) {
	limit := min(max(cmp.Or(m.Poll, DefaultPoll), leastLook), mostLook)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit))
	defer cancel()
	pointer, tag, err := ReadPointer(ctx, m.Source, m.tag)
	switch {
	case errors.Is(err, ErrUnchanged) && m.pointer != nil:
	case errors.Is(err, ErrNotFound) && m.before().Hash == "":
		return nil, fmt.Errorf("%w: %w", errEmpty, err)
	case err != nil && ctx.Err() != nil:
		return nil, awayError{fmt.Errorf("%s: %w", m.Source, context.Cause(ctx))}
	case err != nil:
		return nil, err
	default:
		m.pointer, m.tag = pointer, tag
	}
	g, newer := m.pointer.InForce(snapshot.FormatMajor)
	if m.Log != nil && newer > m.State().Newer {
		m.Log.Warn("a newer snapshot format waits in the store, which a newer version of this program reads",
			"store", m.Source.String(), "newer", newer, "format", snapshot.FormatMajor)
	}
	m.update(func(s *State) {
		s.Looked, s.Newer = time.Now(), newer
		if g != nil {
			s.Hash, s.Published = g.Hash, g.Published
		}
	})
	switch {
	case g != nil:
		if err := cmp.Or(m.allow(g, m.newest), m.allow(g, m.before())); err != nil {
			return nil, err
		}
		m.newest = *g
		return g, nil
	case len(m.pointer.Generations) == 0:
		return nil, fmt.Errorf("%s: %w", m.Source, errEmpty)
	default:
		return nil, fmt.Errorf("%s: the store has no generation of the snapshot format that this program reads: %d",
			m.Source, snapshot.FormatMajor)
	}
}

// allow returns an error when a generation may not come into force here, after the one that was last.
func (m *Mirror) allow(g *Generation, before Generation) error {
	if err := m.Trust.allow(g, cmp.Or(m.Name, StoreName(m.Source))); err != nil {
		return fmt.Errorf("%s: generation %s: %w", m.Source, g.Hash, err)
	}
	if g.Published.Before(before.Published) || g.Published.Equal(before.Published) && g.Hash != before.Hash {
		return fmt.Errorf("%s: generation %s of %s: %w: %s of %s", m.Source, g.Hash, g.Published.Format(time.RFC3339Nano),
			ErrOlder, before.Hash, before.Published.Format(time.RFC3339Nano))
	}
	return nil
}

// before returns the generation of this store and of the format read here that was brought into force last,
// the zero one when none was. A file that cannot be read says nothing: a server that nobody looks at has to
// go on.
func (m *Mirror) before() Generation {
	var was mirrored
	b, err := files.Read(m.Folder.Path(snapshot.MirrorName), maxPointerSize)
	if err != nil || json.Unmarshal(b, &was) != nil || was.Store != m.Source.String() ||
		was.Generation.Format != snapshot.FormatMajor {
		return Generation{}
	}
	return was.Generation
}

// CheckCache returns an error when a folder has a current generation that no mirror has brought: that of a
// local build, which a mirror would replace and in time remove.
func CheckCache(folder snapshot.Folder) error {
	if _, err := folder.Current(); err != nil {
		return nil // there is nothing to lose
	}
	_, err := os.Lstat(folder.Path(snapshot.MirrorName))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is the folder of a local build (it has a current snapshot and no %s): expected a folder of "+
			"its own for what comes from a store", folder.Dir, snapshot.MirrorName)
	}
	return err
}

// bring makes the folder's CURRENT name g, which is downloaded when it is not there or damaged.
func (m *Mirror) bring(ctx context.Context, g *Generation) error {
	if m.has(ctx, g) {
		return nil
	}
	if store, ok := m.Source.(*fileStore); ok && store.isIn(m.Folder.Dir) {
		return fmt.Errorf("%s is the store itself: expected a folder of its own for what comes from there", m.Folder.Dir)
	}
	unlock, err := m.Folder.Lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := m.allow(g, m.before()); err != nil { // another mirror of this folder may have seen a later pointer
		return err
	}
	if err := m.fetch(ctx, g); err != nil {
		return err
	}
	b, err := json.Marshal(mirrored{m.Source.String(), *g})
	if err != nil {
		return err
	}
	// First, so that from its first moment in force nothing older can follow.
	if err := renameio.WriteFile(m.Folder.Path(snapshot.MirrorName), b, 0o644,
		renameio.WithTempDir(m.Folder.Dir)); err != nil {
		return err
	}
	if err := m.Folder.Switch(g.snapshotName()); err != nil {
		return err
	}
	if _, err := m.Folder.Prune(keepHere); err != nil && m.Log != nil {
		m.Log.Warn("generations that are no longer needed were not removed", "error", err)
	}
	return nil
}

func (m *Mirror) has(ctx context.Context, g *Generation) bool {
	name, err := m.Folder.Current()
	before := m.before()
	return err == nil && name == g.snapshotName() && before.is(g) && m.isWhole(ctx, g)
}

// isWhole reports whether the folder has the file of a generation with the content that its name states. That
// is found out once for every change of the file.
func (m *Mirror) isWhole(ctx context.Context, g *Generation) bool {
	path := m.Folder.Path(g.snapshotName())
	now, err := files.StampOf(path)
	if err != nil {
		return false
	}
	if now != m.whole {
		f, err := snapshot.Open(path)
		if err != nil {
			return false
		}
		defer f.Close()
		if f.VerifyHash(ctx) != nil {
			return false
		}
		m.whole = now
	}
	return true
}

func (m *Mirror) fetch(ctx context.Context, g *Generation) error {
	path := m.Folder.Path(g.snapshotName())
	if m.isWhole(ctx, g) {
		m.Folder.Touch(g.snapshotName()) // Prune keeps what was in force last
	} else {
		_, _ = m.Folder.Prune(keepHere - 1) // room for the one that comes; what fails now is told by the Prune behind it
		m.fetching()
		if err := m.download(ctx, g); err != nil {
			return fmt.Errorf("%s: download %s: %w", m.Source, g.snapshotName(), err)
		}
	}
	if g.Report != "" {
		if err := m.report(ctx, g); err != nil && m.Log != nil {
			m.Log.Warn("the report of a generation was not downloaded", "generation", g.Hash, "error", err)
		}
	}
	var err error
	m.whole, err = files.StampOf(path)
	return err
}

func (m *Mirror) report(ctx context.Context, g *Generation) error {
	b, _, err := readSmall(ctx, m.Source, g.reportName(), Range{}, maxReportSize)
	if err != nil {
		return err
	}
	if tagOf(b) != g.Report {
		return fmt.Errorf("%s: its content is not what the pointer states", g.reportName())
	}
	return renameio.WriteFile(m.Folder.Path(g.reportName()), b, 0o644, renameio.WithTempDir(m.Folder.Dir))
}

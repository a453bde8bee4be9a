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
	// keepLocal is the number of generations in the folder of a mirror, including one being downloaded.
	keepLocal = 3
	// A poll may take as long as Follower.Poll, limited to the range from minPollTime to maxPollTime.
	minPollTime = 2 * time.Second
	maxPollTime = 30 * time.Second
	// maxBackOff is the maximum time before a generation with invalid content is downloaded again.
	maxBackOff = 2 * time.Minute
)

// A Mirror downloads the current generation of a store into a folder, verifies its SHA-256, and switches the
// folder's CURRENT to it. If any step fails, the previous generation remains current. Apart from Mirrors of
// this store, no process may switch CURRENT of the folder.
type Mirror struct {
	Follower
	Folder   snapshot.Folder
	Name     string                  // store name that signatures must contain; "" means StoreName(Source)
	Progress func(done, total int64) // called during a download; may be nil

	// The pointer that was read last, and its tag.
	pointer  *Pointer
	tag      string
	newest   Generation  // latest valid generation so far, since a CDN may return an older pointer later
	verified files.Stamp // stamp of the file whose SHA-256 was verified last

	last attempt
}

// A mirrorRecord is the content of the file snapshot.MirrorName. It contains the generation that became
// current last, so that older generations are refused even after a restart.
type mirrorRecord struct {
	Store      string     `json:"store"`
	Generation Generation `json:"generation"`
}

// ErrOlder is returned when the store's current generation is not newer than the latest one that this mirror
// has seen. Two moves of a pointer never have the same time.
var ErrOlder = errors.New("not newer than the known version")

// An attempt is the outcome of the last attempt to install a generation.
type attempt struct {
	generation Generation
	failed     error         // error of the attempt, or nil
	wait       time.Duration // pause before the next attempt; 0 after an outage, which may have ended
	until      time.Time     // end of the pause; zero if there is none
}

// Run installs the store's current generations until the context ends.
func (m *Mirror) Run(ctx context.Context) {
	for ; ctx.Err() == nil; pause(ctx, m.interval()) {
		g, err := m.poll(ctx)
		for err == nil && g != nil { // g is nil once a generation is installed
			g, err = m.follow(ctx, g)
		}
		if ctx.Err() == nil {
			m.record(err)
		}
	}
}

// follow installs a generation and meanwhile polls the store. If the current generation of the store changes,
// follow stops the installation and returns the new generation. Otherwise it returns nil and the error of the
// attempt. After invalid content, later calls with the same generation return that error during a pause,
// which doubles after each attempt. After an outage of the store, there is no pause.
func (m *Mirror) follow(ctx context.Context, g *Generation) (next *Generation, err error) {
	last := &m.last
	if !last.generation.equal(g) {
		*last = attempt{generation: *g}
	}
	if time.Now().Before(last.until) {
		return nil, last.failed
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	var outcome error // valid once done is closed
	done := make(chan struct{})
	go func() {
		defer close(done)
		outcome = m.install(working, g)
	}()
	for {
		select {
		case <-done:
			wait := min(cmp.Or(2*last.wait, m.Poll, DefaultPoll), maxBackOff)
			*last = attempt{generation: *g}
			switch statusOf(outcome) {
			case StatusRefused:
				last.failed, last.wait, last.until = outcome, wait, time.Now().Add(wait)
			case StatusAway:
				last.failed = outcome
			}
			return nil, outcome
		case <-time.After(m.interval()):
		}
		switch polled, err := m.poll(ctx); {
		case ctx.Err() != nil: // the installation ends too
		case err != nil:
			m.record(err)
		case polled.equal(g):
			m.recordFetching()
		default:
			stop()
			<-done
			return polled, nil
		}
	}
}

// recordFetching sets the status to StatusFetching, or to the error of the last attempt if it failed.
func (m *Mirror) recordFetching() { m.setStatus(cmp.Or(m.last.failed, errFetching), 0) }

// Once installs the store's current generation and its report.
func (m *Mirror) Once(ctx context.Context) (*Generation, error) {
	g, err := m.poll(ctx)
	if err == nil {
		err = m.install(ctx, g)
	}
	if err == nil {
		err = m.complete(ctx, g)
	}
	m.record(err)
	return g, err
}

// complete downloads the report on the current generation if it is missing. It also syncs the folder, since
// an earlier run may have failed to sync it.
func (m *Mirror) complete(ctx context.Context, g *Generation) error {
	if b, _ := snapshot.ReadReport(m.Folder.Path(g.snapshotName())); g.Report != "" && tagOf(b) != g.Report {
		unlock, err := m.Folder.Lock() // without the lock, another process could remove the unfinished file
		if err == nil {
			err = m.fetchReport(ctx, g)
			unlock()
		}
		if err != nil {
			return fmt.Errorf("%s is current, but its report was not downloaded: %w", g.snapshotName(), err)
		}
	}
	return files.SyncDir(m.Folder.Dir)
}

// poll reads the store's pointer and returns the generation that should be current.
func (m *Mirror) poll(ctx context.Context) (*Generation, error) {
	limit := min(max(cmp.Or(m.Poll, DefaultPoll), minPollTime), maxPollTime)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no response within %v", limit))
	defer cancel()
	pointer, tag, err := ReadPointer(ctx, m.Source, m.tag)
	switch {
	case errors.Is(err, ErrUnchanged) && m.pointer != nil: // use the pointer that was read last
	case errors.Is(err, ErrNotFound) && m.lastInstalled().Hash == "":
		return nil, fmt.Errorf("%w: %w", errEmpty, err)
	case err != nil && ctx.Err() != nil:
		return nil, awayError{fmt.Errorf("%s: %w", m.Source, context.Cause(ctx))}
	case err != nil:
		return nil, err
	default:
		m.pointer, m.tag = pointer, tag
	}
	g, newer := m.pointer.Current(snapshot.FormatMajor)
	if newer > m.State().NewerFormat { // logged once
		m.logger().Warn("the store has a generation in a newer snapshot format: update this program to read it",
			"store", m.Source.String(), "newer", newer, "format", snapshot.FormatMajor)
	}
	m.update(func(s *State) {
		s.LastResponse, s.NewerFormat = time.Now(), newer
		if g != nil {
			s.Hash, s.Published = g.Hash, g.Published
		}
	})
	switch {
	case g != nil:
		if err := cmp.Or(m.allow(g, m.newest), m.allow(g, m.lastInstalled())); err != nil {
			return nil, err
		}
		m.newest = *g
		return g, nil
	case len(m.pointer.Generations) == 0:
		return nil, fmt.Errorf("%s: %w", m.Source, errEmpty)
	default:
		return nil, fmt.Errorf("%s: the store has no generation of snapshot format %d, which this program reads",
			m.Source, snapshot.FormatMajor)
	}
}

// allow returns an error if g must not replace before, the previous generation.
func (m *Mirror) allow(g *Generation, before Generation) error {
	if err := m.Trust.allow(g, cmp.Or(m.Name, StoreName(m.Source))); err != nil {
		return fmt.Errorf("%s: generation %s: %w", m.Source, g.Hash, err)
	}
	if g.Published.Before(before.Published) || g.Published.Equal(before.Published) && g.Hash != before.Hash {
		return fmt.Errorf("%s: generation %s of %s: %w, %s of %s", m.Source, g.Hash, g.Published.Format(time.RFC3339Nano),
			ErrOlder, before.Hash, before.Published.Format(time.RFC3339Nano))
	}
	return nil
}

// lastInstalled returns the generation that became current last, if it is from this store and in this format.
// Otherwise it returns the zero Generation. It does the same if the file cannot be read, so that an
// unattended server continues to work.
func (m *Mirror) lastInstalled() Generation {
	var record mirrorRecord
	b, err := files.Read(m.Folder.Path(snapshot.MirrorName), maxPointerSize)
	if err != nil || json.Unmarshal(b, &record) != nil || record.Store != m.Source.String() ||
		record.Generation.Format != snapshot.FormatMajor {
		return Generation{}
	}
	return record.Generation
}

// CheckCache returns an error if the folder's current generation was built locally, since a mirror would
// replace it and later remove it.
func CheckCache(folder snapshot.Folder) error {
	if _, err := folder.Current(); err != nil {
		return nil // the folder has no generation that could be lost
	}
	_, err := os.Lstat(folder.Path(snapshot.MirrorName))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is the folder of a local build (it has a current snapshot and no %s): use a separate "+
			"folder for the copy of a store", folder.Dir, snapshot.MirrorName)
	}
	return err
}

// install makes g the folder's current generation. It downloads g unless the folder has an intact copy. If g
// is already the current one, it does nothing.
func (m *Mirror) install(ctx context.Context, g *Generation) error {
	if m.isInstalled(ctx, g) {
		return nil
	}
	if store, ok := m.Source.(*fileStore); ok && store.isFolder(m.Folder.Dir) {
		return fmt.Errorf("%s is the store itself: use a separate folder for the copy of the store", m.Folder.Dir)
	}
	unlock, err := m.Folder.Lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := m.allow(g, m.lastInstalled()); err != nil { // another mirror may have installed a later generation
		return err
	}
	if err := m.fetch(ctx, g); err != nil {
		return err
	}
	b, err := json.Marshal(mirrorRecord{m.Source.String(), *g})
	if err != nil {
		return err
	}
	// Write the record before the switch, so that an older generation can never replace g.
	if err := renameio.WriteFile(m.Folder.Path(snapshot.MirrorName), b, 0o644,
		renameio.WithTempDir(m.Folder.Dir)); err != nil {
		return err
	}
	if err := m.Folder.Switch(g.snapshotName()); err != nil {
		return err
	}
	if _, err := m.Folder.Prune(keepLocal); err != nil {
		m.logger().Warn("removing generations that are no longer needed failed", "error", err)
	}
	return nil
}

// isInstalled reports whether CURRENT names g, g became current in the same move of the pointer, and its file
// is intact.
func (m *Mirror) isInstalled(ctx context.Context, g *Generation) bool {
	name, err := m.Folder.Current()
	before := m.lastInstalled()
	return err == nil && name == g.snapshotName() && before.equal(g) && m.isIntact(ctx, g)
}

// isIntact reports whether the folder's file of a generation has the expected content. It verifies the
// content only if the file has changed since the last verification.
func (m *Mirror) isIntact(ctx context.Context, g *Generation) bool {
	path := m.Folder.Path(g.snapshotName())
	now, err := files.StampOf(path)
	if err != nil {
		return false
	}
	if now != m.verified {
		f, err := snapshot.Open(path)
		if err != nil {
			return false
		}
		defer f.Close()
		if f.VerifyHash(ctx) != nil {
			return false
		}
		m.verified = now
	}
	return true
}

// fetch stores the file of g, which becomes the newest file, and its report in the folder. It does not make g
// current. A report that cannot be downloaded is only logged, since a server needs only the file.
func (m *Mirror) fetch(ctx context.Context, g *Generation) error {
	path := m.Folder.Path(g.snapshotName())
	if m.isIntact(ctx, g) {
		m.Folder.Touch(g.snapshotName()) // makes the file the newest, so that Prune retains it
	} else {
		_, _ = m.Folder.Prune(keepLocal - 1) // frees disk space; a later call logs its errors
		m.recordFetching()
		if err := m.download(ctx, g); err != nil {
			return fmt.Errorf("%s: download %s: %w", m.Source, g.snapshotName(), err)
		}
	}
	if g.Report != "" {
		if err := m.fetchReport(ctx, g); err != nil {
			m.logger().Warn("downloading the report of a generation failed", "generation", g.Hash, "error", err)
		}
	}
	var err error
	m.verified, err = files.StampOf(path)
	return err
}

func (m *Mirror) fetchReport(ctx context.Context, g *Generation) error {
	b, _, err := readSmall(ctx, m.Source, g.reportName(), ReadOptions{}, maxReportSize)
	if err != nil {
		return err
	}
	if tagOf(b) != g.Report {
		return fmt.Errorf("%s: its hash differs from the hash in the pointer", g.reportName())
	}
	return renameio.WriteFile(m.Folder.Path(g.reportName()), b, 0o644, renameio.WithTempDir(m.Folder.Dir))
}

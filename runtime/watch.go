package runtime

import (
	"context"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"sabine/indexes/files"
)

// Watch calls Load whenever CURRENT, the folder or the current file changes, or when reload receives a value,
// until the context ends. It detects a change within a second, even on file systems without change events.
// The folder may be created later. A file that was refused because of its content is opened again only after
// a change, and a file that could not be opened because of an error of the system at every poll. An unchanged
// file is verified again only after a value from reload or a call to Recheck. Watch also compares the content
// of the served file with the hash in its name.
func (c *Current) Watch(ctx context.Context, reload <-chan struct{}) {
	tick := time.NewTicker(files.PollInterval)
	defer tick.Stop()
	events := c.subscribe()
	defer events.close()
	var hash hashCheck
	defer hash.end()
	for {
		if c.changed() {
			c.reload(ctx)
		}
		hash.startIfDue(ctx, c)
		select {
		case <-ctx.Done():
			return
		case _, open := <-reload:
			if !open {
				reload = nil // receiving from a nil channel blocks forever
				continue
			}
			c.Recheck()
			c.reload(ctx)
		case <-events.changes:
		case err := <-events.faults: // for example, events were lost: the loop checks the folder
			c.log.Warn("file events failed; the folder is checked instead", "error", err)
		case <-tick.C:
			events.renew()
		}
	}
}

// reload calls Load and logs its error.
func (c *Current) reload(ctx context.Context) {
	if err := c.Load(ctx); err != nil && ctx.Err() == nil {
		c.log.Error("loading the current snapshot failed", "error", err)
	}
}

// changed reports whether the folder has changed since it was last loaded, or the current file is suspect.
func (c *Current) changed() bool {
	c.loading.Lock()
	defer c.loading.Unlock()
	return c.suspect.Load() || c.folderState() != c.seen
}

// A folderState is the state of a folder that can be read quickly, with a few calls of stat and by reading
// one line. If it is unchanged, Load would have the same result, unless the served file is suspect.
type folderState struct {
	current string      // name in CURRENT, or the error when reading it
	file    files.Stamp // file that CURRENT names
	folder  files.Stamp // changes whenever a file is added, removed or replaced
	inForce files.Stamp // file of the generation in use, even if CURRENT names another one
}

// folderState reads the state of the folder.
func (c *Current) folderState() folderState {
	l := folderState{folder: stampOf(c.folder.Dir)}
	if g := c.inForce.Load(); g != nil {
		l.inForce = stampOf(g.file.Path())
	}
	name, err := c.folder.Current()
	if err != nil {
		l.current = err.Error()
		return l
	}
	l.current, l.file = name, stampOf(c.folder.Path(name))
	return l
}

// stampOf returns the stamp of the file at a path, or the zero stamp on an error, which is reported when the
// file is opened.
func stampOf(path string) files.Stamp {
	stamp, _ := files.StampOf(path)
	return stamp
}

// A subscription delivers file system events for the folder if the system provides them. Without events,
// polling detects each change later.
type subscription struct {
	watcher *fsnotify.Watcher // nil if the system does not provide one
	changes <-chan fsnotify.Event
	faults  <-chan error // must be read, or the sender of changes blocks
	dir     string
	watched files.Stamp // stamp of the subscribed folder; zero while it does not exist
}

// subscribe starts following the folder.
func (c *Current) subscribe() *subscription {
	s := &subscription{dir: c.folder.Dir}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		c.log.Warn("file events are unavailable; the folder is polled instead", "error", err)
		return s
	}
	s.watcher, s.changes, s.faults = watcher, watcher.Events, watcher.Errors
	s.renew()
	return s
}

// renew subscribes to the folder at the path if it was replaced.
func (s *subscription) renew() {
	now := stampOf(s.dir)
	if s.watcher == nil || s.watched.SameFile(now) {
		return
	}
	_ = s.watcher.Remove(s.dir) // fails if nothing was watched or the folder was removed
	s.watched = files.Stamp{}
	if now != (files.Stamp{}) && s.watcher.Add(s.dir) == nil {
		s.watched = now
	}
}

func (s *subscription) close() {
	if s.watcher != nil {
		_ = s.watcher.Close()
	}
}

// A nameCheck is the progress of comparing the content of a generation with its name.
type nameCheck uint8

const (
	unchecked nameCheck = iota // not compared
	checking                   // in progress, or the SHA-256 differs; then Watch drops the generation
	checked                    // the SHA-256 matches the name
)

// A hashCheck compares the content of a generation with its name, concurrently with requests. A gigabyte
// takes half a second of processor time or more. A switch does not wait for it, because the checksums of the
// sections are already verified.
type hashCheck struct {
	stop    context.CancelFunc // cancels the check; nil before the first check
	running sync.WaitGroup
}

// startIfDue starts to check the current generation if it is unchecked. Before that, it cancels a running
// check, which is for another generation or may have read bytes that have changed since.
func (h *hashCheck) startIfDue(ctx context.Context, c *Current) {
	c.loading.Lock()
	g := c.inForce.Load()
	isDue := g != nil && g.nameCheck == unchecked && g.tryAcquire()
	c.loading.Unlock()
	if !isDue {
		return
	}
	h.end() // before the state changes, so that an old result is ignored
	c.loading.Lock()
	g.nameCheck = checking
	c.loading.Unlock()
	of, stop := context.WithCancel(ctx)
	h.stop = stop
	h.running.Go(func() {
		defer g.Release()
		if fault := g.file.VerifyHash(of); of.Err() == nil { // if the context has ended, the result is unknown
			c.resolveName(ctx, g, fault)
		}
	})
}

// end cancels a running check and waits for it.
func (h *hashCheck) end() {
	if h.stop != nil {
		h.stop()
		h.running.Wait()
	}
}

// resolveName applies the result of a check. A generation whose content does not match its name is dropped
// immediately; without another valid file, nothing is served. The result is ignored if this check was
// replaced, because the file may have been verified again since.
func (c *Current) resolveName(ctx context.Context, g *trackedGeneration, fault error) {
	c.loading.Lock()
	if g.nameCheck != checking {
		c.loading.Unlock()
		return
	}
	inForce := g == c.inForce.Load()
	if fault != nil {
		c.misnamed[g.stamp] = fault
		c.history.misnamed(g.Name(), g.stamp, fault)
	} else if g.nameCheck = checked; inForce {
		c.mu.Lock()
		c.state.Hashed = true
		c.mu.Unlock()
	}
	c.loading.Unlock()
	switch {
	case fault != nil:
		c.reload(ctx)
	case inForce:
		c.log.Info("the content of the current snapshot matches its name", "generation", g.Hash())
	}
}

package runtime

import (
	"context"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"sabine/indexes/files"
)

// Watch loads again whenever CURRENT, the folder or the file in force changes, or reload delivers, until the
// context ends. It notices a change within a second, on file systems without change events too, and a folder
// that comes into being later. A generation that was refused is tried again only then, and what is in force,
// unchanged, verified again only when reload delivers or it is suspect. Beside that it holds the content of
// what is in force against its name.
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
		hash.follow(ctx, c)
		select {
		case <-ctx.Done():
			return
		case _, open := <-reload:
			if !open {
				reload = nil // a nil channel never delivers
				continue
			}
			c.Recheck()
			c.reload(ctx)
		case <-events.changes:
		case err := <-events.faults: // such as events that were lost: the folder is looked at
			c.log.Warn("file events", "error", err)
		case <-tick.C:
			events.follow()
		}
	}
}

// reload is Load for the watch, which has nobody to return an error to.
func (c *Current) reload(ctx context.Context) {
	if err := c.Load(ctx); err != nil && ctx.Err() == nil {
		c.log.Error("no snapshot can serve", "error", err)
	}
}

// changed reports whether the folder looks otherwise than when it was last loaded, or what is in force is
// suspect.
func (c *Current) changed() bool {
	c.loading.Lock()
	defer c.loading.Unlock()
	return c.suspect.Load() || c.folderState() != c.seen
}

// A look is what can be seen of a folder at little cost: some stats and the reading of one line. Two equal
// looks mean that loading again would find the same.
type folderState struct {
	current string      // the name in CURRENT, or why there is none
	file    files.Stamp // of the file that CURRENT names
	folder  files.Stamp // changes whenever a name in it comes, goes or is replaced
	inForce files.Stamp // of the file in force, which may be another than CURRENT names
}

// look looks at the folder now.
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

// stampOf returns the stamp of the file at a path, the zero stamp when there is none: why is told by whoever
// opens it.
func stampOf(path string) files.Stamp {
	stamp, _ := files.StampOf(path)
	return stamp
}

// A subscription brings the file system's events from the folder, where there are any. It only saves waiting
// for the next poll: whatever goes wrong with it is made up for by polling.
type subscription struct {
	watcher *fsnotify.Watcher // nil when the system gives none
	changes <-chan fsnotify.Event
	faults  <-chan error // has to be read, or no more changes come
	dir     string
	watched files.Stamp // of the folder as it was subscribed to; zero while it is not there
}

// subscribe begins to follow the folder.
func (c *Current) subscribe() *subscription {
	s := &subscription{dir: c.folder.Dir}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		c.log.Warn("no file events; the folder is polled", "error", err)
		return s
	}
	s.watcher, s.changes, s.faults = watcher, watcher.Events, watcher.Errors
	s.follow()
	return s
}

// follow subscribes to the folder that stands at the path now, when it is another than before.
func (s *subscription) follow() {
	now := stampOf(s.dir)
	if s.watcher == nil || s.watched.SameFile(now) {
		return
	}
	_ = s.watcher.Remove(s.dir) // fails when nothing was watched, or what was watched is gone
	s.watched = files.Stamp{}
	if now != (files.Stamp{}) && s.watcher.Add(s.dir) == nil {
		s.watched = now
	}
}

// close ends the subscription.
func (s *subscription) close() {
	if s.watcher != nil {
		_ = s.watcher.Close()
	}
}

// nameCheck says whether the content of a generation is known to be what its name states.
type nameCheck uint8

const (
	unchecked nameCheck = iota // not known
	checking                   // a hashing is on its way
	checked                    // its SHA-256 is that of the name
)

// A hashing holds the content of a generation against its name, beside the requests: a gigabyte takes half
// a second of a processor or more, for which no switch shall wait, since the checksums of the sections hold
// already.
type hashCheck struct {
	stop    context.CancelFunc // nil before the first
	running sync.WaitGroup
}

// follow begins with the generation in force when its name is not known to be right. What was on its way
// ends: it is another generation's, or read bytes that have changed since.
func (h *hashCheck) follow(ctx context.Context, c *Current) {
	c.loading.Lock()
	g := c.inForce.Load()
	isNew := g != nil && g.nameCheck == unchecked && g.tryAcquire()
	c.loading.Unlock()
	if !isNew {
		return
	}
	h.end() // while the name is unchecked, which a result of bytes from before does not change
	c.loading.Lock()
	g.nameCheck = checking
	c.loading.Unlock()
	of, stop := context.WithCancel(ctx)
	h.stop = stop
	h.running.Go(func() {
		defer g.Release()
		if fault := g.file.VerifyHash(of); of.Err() == nil { // else nothing was found out
			c.resolveName(ctx, g, fault)
		}
	})
}

// end stops what is on its way, when there is something, and waits for it.
func (h *hashCheck) end() {
	if h.stop != nil {
		h.stop()
		h.running.Wait()
	}
}

// resolveName takes in whether the content of a generation is what its name states; one that is not is out
// of force. A result counts only while it is asked for: the file may have been verified anew since.
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
		c.log.Info("the content of the snapshot in force is what its name states", "generation", g.Hash())
	}
}

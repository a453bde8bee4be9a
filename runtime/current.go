package runtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"sabine/indexes/files"
	"sabine/indexes/snapshot"
)

// A Current provides a folder's current generation. Watch updates it.
//
// A request uses the generation that it acquired. A switch first exchanges the pointer, then releases the
// opener's reference to the old generation; the last release unmaps the file. Alternatives: with a lock
// around each request, or a switch that waits for readers, one slow reader delays the switch and all new
// readers. Unmapping after a fixed time relies on a guess about the slowest reader.
type Current struct {
	folder snapshot.Folder
	log    *slog.Logger
	open   func(ctx context.Context, path string) (*Generation, error) // openGently, or a replacement in tests

	inForce atomic.Pointer[trackedGeneration]
	history *history

	// suspect requests a verification of the current file, even if it seems unchanged.
	suspect atomic.Bool

	loading  sync.Mutex            // protects Load and the fields up to closed
	seen     folderState           // state of the folder when last loaded
	misnamed map[files.Stamp]error // errors of files whose content does not match the hash in their name
	closed   bool

	mu    sync.Mutex // protects state
	state State
}

// A trackedGeneration is a generation with the state of its file. Current.loading protects the fields.
type trackedGeneration struct {
	*Generation
	stamp     files.Stamp // state of the file when it was last verified
	nameCheck nameCheck
}

// State is the state of a server's data.
type State struct {
	Status   string    // "waiting": no generation; "ready"; "degraded": not the generation that CURRENT names
	Reason   string    // reason why Status is "degraded" or "waiting"
	Name     string    // file name of the current generation
	Hash     string    // content hash in the file name
	Hashed   bool      // whether Watch has compared the content with Hash since the switch
	Products int       // number of products
	Since    time.Time // time of the latest switch
	Switches int       // number of switches, including the switch to the first generation
	Refused  int       // number of refused generations
	Bytes    int64     // size of the mapping in bytes
}

// The values of State.Status.
const (
	StatusWaiting  = "waiting"
	StatusReady    = "ready"
	StatusDegraded = "degraded"
)

// errClosed is returned by Load and AcquireOlder after Close.
var errClosed = errors.New("runtime: the folder was closed")

// NewCurrent returns a Current for a folder, without a generation. The folder may be created later. If log is
// nil, nothing is logged.
func NewCurrent(folder snapshot.Folder, log *slog.Logger) *Current {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	c := &Current{
		folder:   folder,
		log:      log,
		history:  newHistory(),
		misnamed: map[files.Stamp]error{},
		state:    State{Status: StatusWaiting, Reason: "no snapshot has been loaded yet"},
	}
	c.open = c.openGently
	return c
}

// openGently opens a generation. It runs at low speed while another generation serves requests, because
// otherwise a switch would increase the p99 of requests up to tenfold on two cores. Later verifications of
// the file also run at low speed.
func (c *Current) openGently(ctx context.Context, path string) (*Generation, error) {
	g, err := open(ctx, path, c.inForce.Load() != nil)
	if err == nil {
		g.file.Gentle = true
	}
	return g, err
}

// Acquire returns the current generation, or nil when there is none. The generation stays mapped until
// Release, even after a switch.
func (c *Current) Acquire() *Generation {
	for {
		g := c.inForce.Load()
		if g == nil {
			return nil
		}
		if g.tryAcquire() { // fails after the last release; a newer generation is then current
			return g.Generation
		}
	}
}

// State returns the state of the data.
func (c *Current) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Close releases the current generation and the older ones. Load fails after Close.
func (c *Current) Close() error {
	c.loading.Lock()
	defer c.loading.Unlock()
	c.closed = true
	c.history.close()
	g := c.inForce.Swap(nil)
	c.mu.Lock()
	c.state = State{Status: StatusWaiting, Reason: "closed", Switches: c.state.Switches, Refused: c.state.Refused}
	c.mu.Unlock()
	if g == nil {
		return nil
	}
	return g.Close()
}

// Recheck makes Watch verify the current file again, even if it seems unchanged. Call it when a request finds
// an invalid body, or when a user requests a verification.
func (c *Current) Recheck() { c.suspect.Store(true) }

// Load opens the generation that CURRENT names and makes it current. If that file is damaged, Load retains
// the current generation or, without one, opens the newest valid generation of the folder. Load returns an
// error when the folder contains generations, but none is valid and none is current. It returns the context's
// error when the context ends first.
//
// A generation becomes current only after its checksums are verified and a first query succeeds. When its
// file has changed in place, or is suspect, Load verifies the checksums again, and drops the generation
// immediately if they do not match.
func (c *Current) Load(ctx context.Context) error {
	c.loading.Lock()
	defer c.loading.Unlock()
	if c.closed {
		return errClosed
	}
	began := time.Now()
	c.seen = c.folderState() // read the state before anything else, so that the next check detects later changes
	serving := c.inForce.Load()
	suspect := c.suspect.Swap(false)
	if fault := c.damage(ctx, serving, suspect); fault != nil {
		c.log.Error("the current snapshot is damaged", "generation", serving.Hash(), "error", fault)
		c.install(nil, fault, began) // do this first, because a search for another generation reads entire files
		serving = nil
	}
	next, why := c.choose(ctx, serving)
	if (next == nil || next == serving) && ctx.Err() != nil {
		c.seen = folderState{} // unknown, so that the next check loads again
		return ctx.Err()
	}
	if failure, isSystem := errors.AsType[unix.Errno](why); isSystem && failure != unix.ENOENT {
		c.seen = folderState{} // not an error of the file: with more memory or permissions a retry may succeed
	}
	c.install(next, why, began)
	c.history.follow(c.folder, next)
	switch {
	case next == nil:
		c.seen.inForce = files.Stamp{}
	case next != serving: // otherwise the stamp is already known, and the file may have been replaced since
		c.seen.inForce = next.stamp
	}
	if next == nil && !errors.Is(why, snapshot.ErrNoCurrent) {
		return why
	}
	return nil
}

// damage returns the damage in serving's file, or nil. A damaged file must not serve any more responses.
func (c *Current) damage(ctx context.Context, serving *trackedGeneration, suspect bool) error {
	if serving == nil {
		return nil
	}
	fault := c.misnamed[serving.stamp]
	if fault == nil {
		fault = serving.verifyAgain(ctx, suspect)
	}
	if ctx.Err() != nil {
		return nil // it is unknown whether the file is damaged
	}
	return fault
}

// choose returns the generation to make current: the argument serving, a newly opened generation, or nil if
// none is valid. The error explains why the result is not the generation that CURRENT names.
func (c *Current) choose(ctx context.Context, serving *trackedGeneration) (*trackedGeneration, error) {
	name, err := c.folder.Current()
	c.seen.current = name // CURRENT may have changed since folderState, and may change back
	if err != nil {
		c.seen.current = err.Error() // as in folderState
	}
	if errors.Is(err, snapshot.ErrNoCurrent) {
		return serving, err
	}
	if err == nil {
		if serving != nil && serving.isFile(c.folder.Path(name)) {
			return serving, nil
		}
		g, fault := c.try(ctx, name)
		if fault == nil {
			return g, nil
		}
		if now, gone := c.folder.Current(); gone == nil && now != name && ctx.Err() == nil {
			return c.choose(ctx, serving) // a build has switched in the meantime, and may have removed the other file
		}
		err = fault
	}
	err = fmt.Errorf("cannot open the generation that CURRENT names: %w", err)
	if serving != nil {
		return serving, err
	}
	return c.fallBack(ctx, name, err)
}

// fallBack opens the newest valid generation. It skips the file whose name is the argument except, which was
// refused with the error why. If no generation is valid, it returns all errors, joined.
func (c *Current) fallBack(ctx context.Context, except string, why error) (*trackedGeneration, error) {
	generations, err := c.folder.Generations()
	faults := []error{why, err}
	for _, s := range generations {
		if s.Name == except || ctx.Err() != nil {
			continue
		}
		g, err := c.try(ctx, s.Name)
		if err == nil {
			return g, why
		}
		faults = append(faults, err)
	}
	return nil, errors.Join(faults...)
}

// try opens a generation, and counts it as refused if opening fails before the context ends.
func (c *Current) try(ctx context.Context, name string) (*trackedGeneration, error) {
	path := c.folder.Path(name)
	before := stampOf(path)
	err := c.misnamed[before]
	if err == nil {
		var g *Generation
		if g, err = c.open(ctx, path); err == nil {
			return &trackedGeneration{Generation: g, stamp: before}, nil
		}
	}
	if ctx.Err() == nil {
		c.mu.Lock()
		c.state.Refused++
		c.mu.Unlock()
	}
	return nil, err
}

// install makes next current. next may be nil, or may already be current. If next is not the generation that
// CURRENT names, why is the reason; otherwise why is nil.
func (c *Current) install(next *trackedGeneration, why error, began time.Time) {
	c.mu.Lock()
	was, s := c.state.Reason, &c.state
	old := c.inForce.Swap(next)
	switch {
	case next == nil:
		*s = State{Switches: s.Switches, Refused: s.Refused}
	case next != old:
		// Name and hash are valid after unmapping: they are parts of the path, not of the mapping.
		s.Name, s.Hash, s.Products, s.Bytes = next.Name(), next.Hash(), next.Products(), next.file.Size()
		s.Since = time.Now()
		s.Switches++
	}
	s.Hashed = next != nil && next.nameCheck == checked
	s.Status, s.Reason = StatusReady, ""
	if why != nil {
		s.Status, s.Reason = StatusDegraded, strings.ReplaceAll(why.Error(), "\n", "; ")
	}
	if next == nil {
		s.Status = StatusWaiting
	}
	now := *s
	c.mu.Unlock()

	if next != old && next != nil {
		c.log.Info("current snapshot", "generation", now.Hash, "products", now.Products, "seconds",
			time.Since(began).Seconds())
	}
	switch {
	case now.Reason == was:
	case why == nil:
		c.log.Info("the snapshot that CURRENT names is in use", "generation", now.Hash)
	case next == nil && errors.Is(why, snapshot.ErrNoCurrent):
		c.log.Warn("there is no snapshot yet: run sabine build", "status", now.Status, "reason", now.Reason)
	default:
		c.log.Warn("the snapshot that CURRENT names is not in use", "status", now.Status, "reason", now.Reason,
			"generation", now.Hash)
	}
	if next == old || old == nil {
		return
	}
	if err := old.Close(); err != nil {
		c.log.Error("cannot unmap the old snapshot", "error", err)
	}
}

// isFile reports whether path is still the file that g was opened from. The modification time may differ,
// because a build with the same content updates it.
func (g *trackedGeneration) isFile(path string) bool {
	now := stampOf(path)
	return g.file.Path() == path && g.stamp.SameFile(now) && g.stamp.Size == now.Size
}

// verifyAgain verifies the checksums again if the file has changed in place or suspect is true.
func (g *trackedGeneration) verifyAgain(ctx context.Context, suspect bool) error {
	now := stampOf(g.file.Path())
	changed := now != g.stamp && now.SameFile(g.stamp)
	switch {
	case changed && now.Size != g.stamp.Size:
		want := fmt.Sprintf("a file of %d bytes, its size when it was opened, not %d", g.stamp.Size, now.Size)
		return &snapshot.CorruptError{Path: g.file.Path(), Want: want}
	case !changed && !suspect:
		return nil
	}
	if err := g.file.VerifyChecksums(ctx); err != nil {
		return err
	}
	if changed {
		g.stamp = now
	}
	g.nameCheck = unchecked
	return nil
}

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

// Current is the generation in force, and the watch over the folder that it comes from.
//
// A request holds the generation that it began with: the pointer is exchanged first, then the opener's hold
// on the old generation is given up, and the old mapping goes with its last holder. Ways not taken: a lock
// around every request lets one slow reader keep a switch, and with it every new reader, waiting; waiting for
// the readers of the old generation before the switch does the same; unmapping after a grace period is a
// guess about the slowest reader.
type Current struct {
	folder snapshot.Folder
	log    *slog.Logger
	open   func(ctx context.Context, path string) (*Generation, error) // openGently; tests put something smaller in

	inForce atomic.Pointer[trackedGeneration]
	history *history

	// suspect: the file in force is to be verified again, whether or not it seems to have changed.
	suspect atomic.Bool

	loading  sync.Mutex            // held by Load; what follows is Load's
	seen     folderState           // of the folder, when it was last loaded
	misnamed map[files.Stamp]error // files whose content is not what their name states, and how that shows
	closed   bool

	mu    sync.Mutex // of state
	state State
}

// A verified is a generation with what Current knows of its file, which is read and written under loading
// alone.
type trackedGeneration struct {
	*Generation
	stamp     files.Stamp // of the file that was last verified
	nameCheck nameCheck
}

// State is the condition of a server's data.
type State struct {
	Status   string    // "waiting": nothing serves yet; "ready"; "degraded": something else than CURRENT names serves
	Reason   string    // why it is degraded or waiting
	Name     string    // file name of the generation in force
	Hash     string    // its content hash, as its name states it
	Hashed   bool      // its content was held against Hash; Watch does that behind a switch
	Products int       // in it
	Since    time.Time // when it was put in force
	Switches int       // how many switches there were, the first generation included
	Refused  int       // how many times a generation was refused
	Bytes    int64     // size of the mapping
}

// The values of State.Status.
const (
	StatusWaiting  = "waiting"
	StatusReady    = "ready"
	StatusDegraded = "degraded"
)

// errClosed: the Current was closed and loads nothing any more.
var errClosed = errors.New("runtime: load after close")

// NewCurrent returns a Current of a folder that serves nothing yet. The folder may come into being later. A
// nil log logs nothing.
func NewCurrent(folder snapshot.Folder, log *slog.Logger) *Current {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	c := &Current{
		folder:   folder,
		log:      log,
		history:  newHistory(),
		misnamed: map[files.Stamp]error{},
		state:    State{Status: StatusWaiting, Reason: "nothing was loaded yet"},
	}
	c.open = c.openGently
	return c
}

// openGently opens a generation, gently while another one serves: a switch costs requests time otherwise, on
// two cores up to ten times the p99. So is verified later whatever serves.
func (c *Current) openGently(ctx context.Context, path string) (*Generation, error) {
	g, err := open(ctx, path, c.inForce.Load() != nil)
	if err == nil {
		g.file.Gentle = true
	}
	return g, err
}

// Acquire returns the generation in force, or nil when there is none. It stays mapped until Release, whatever
// is switched meanwhile.
func (c *Current) Acquire() *Generation {
	for {
		g := c.inForce.Load()
		if g == nil {
			return nil
		}
		if g.tryAcquire() { // fails once the last holder has left: a newer generation is in force
			return g.Generation
		}
	}
}

// State says what serves and why it may not be what CURRENT names.
func (c *Current) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Close gives the generation in force up, and those of the past. Nothing is loaded after it.
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

// Recheck has the watch verify the file in force again, though it seems unchanged: a request found a body in it
// that does not fit, or somebody asks for it.
func (c *Current) Recheck() { c.suspect.Store(true) }

// Load opens what CURRENT names and puts it in force. When that is damaged, the generation in force stays;
// when there is none, the newest good generation of the folder takes its place. It returns an error when
// there are generations but none is good, and none serves; and the context's when that ends first.
//
// A generation comes into force only when its checksums hold and a first query was answered. When its file
// has changed where it lies, or is in doubt, they are verified again; when they do not hold any more, it is
// out of force at once.
func (c *Current) Load(ctx context.Context) error {
	c.loading.Lock()
	defer c.loading.Unlock()
	if c.closed {
		return errClosed
	}
	began := time.Now()
	c.seen = c.folderState() // before anything is read: what changes from now on is seen by the next look
	serving := c.inForce.Load()
	suspect := c.suspect.Swap(false)
	if fault := c.damage(ctx, serving, suspect); fault != nil {
		c.log.Error("the snapshot in force is damaged where it lies", "generation", serving.Hash(), "error", fault)
		c.install(nil, fault, began) // at once: to find another means to read all of it
		serving = nil
	}
	next, why := c.choose(ctx, serving)
	if (next == nil || next == serving) && ctx.Err() != nil {
		c.seen = folderState{} // nothing was found out
		return ctx.Err()
	}
	var failure unix.Errno
	if errors.As(why, &failure) && failure != unix.ENOENT {
		c.seen = folderState{} // no fault of the file: with more memory, or another right, the next look may succeed
	}
	c.install(next, why, began)
	c.history.follow(c.folder, next)
	switch {
	case next == nil:
		c.seen.inForce = files.Stamp{}
	case next != serving: // else it was looked at already, which may have found it gone or replaced
		c.seen.inForce = next.stamp
	}
	if next == nil && !errors.Is(why, snapshot.ErrNoCurrent) {
		return why
	}
	return nil
}

// damage returns how the file of serving was damaged where it lies, nil when it was not or there is none:
// nothing of a damaged one may be sent any more.
func (c *Current) damage(ctx context.Context, serving *trackedGeneration, suspect bool) error {
	if serving == nil {
		return nil
	}
	fault := c.misnamed[serving.stamp]
	if fault == nil {
		fault = serving.verifyAgain(ctx, suspect)
	}
	if ctx.Err() != nil {
		return nil // nothing was found out
	}
	return fault
}

// choose returns the generation that shall be in force, serving or one that it opened, and why it is not what
// CURRENT names, nil when it is. It returns no generation when none serves and none is good.
func (c *Current) choose(ctx context.Context, serving *trackedGeneration) (*trackedGeneration, error) {
	name, err := c.folder.Current()
	if c.seen.current = name; err != nil { // CURRENT may have changed since the look, and may change back
		c.seen.current = err.Error()
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
			return c.choose(ctx, serving) // a build has switched meanwhile, and may have cleared the other away
		}
		err = fault
	}
	err = fmt.Errorf("what CURRENT names cannot serve: %w", err)
	if serving != nil {
		return serving, err
	}
	return c.fallBack(ctx, name, err)
}

// fallBack opens the newest good generation other than the one that CURRENT names, which was refused for the
// reason why. When none is good it returns all the reasons, joined.
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

// try opens a generation, or counts it as refused. An end of the context is no refusal.
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

// settle puts next in force, which may be the one in force already or nil when there is none, and states why
// it is not what CURRENT names; a nil reason says that it is.
func (c *Current) install(next *trackedGeneration, why error, began time.Time) {
	c.mu.Lock()
	was, s := c.state.Reason, &c.state
	old := c.inForce.Swap(next)
	switch {
	case next == nil:
		*s = State{Switches: s.Switches, Refused: s.Refused}
	case next != old:
		// Name and hash outlive the mapping: they come from the path, not from the file's bytes.
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
		c.log.Info("snapshot in force", "generation", now.Hash, "products", now.Products, "seconds",
			time.Since(began).Seconds())
	}
	switch {
	case now.Reason == was:
	case why == nil:
		c.log.Info("the snapshot that CURRENT names serves", "generation", now.Hash)
	case next == nil && errors.Is(why, snapshot.ErrNoCurrent):
		c.log.Warn("no snapshot to serve yet: sabine build makes one", "status", now.Status, "reason", now.Reason)
	default:
		c.log.Warn("the snapshot that CURRENT names does not serve", "status", now.Status, "reason", now.Reason,
			"generation", now.Hash)
	}
	if next == old || old == nil {
		return
	}
	if err := old.Close(); err != nil {
		c.log.Error("the mapping of the old snapshot stays", "error", err)
	}
}

// isFile reports whether g was opened from the file that lies at path now. Its time may differ: a build that
// made the same content again sets the time of modification.
func (g *trackedGeneration) isFile(path string) bool {
	now := stampOf(path)
	return g.file.Path() == path && g.stamp.SameFile(now) && g.stamp.Size == now.Size
}

// verifyAgain holds the generation's bytes against their checksums once more when its file has changed where
// it lies, or when it is suspect.
func (g *trackedGeneration) verifyAgain(ctx context.Context, suspect bool) error {
	now := stampOf(g.file.Path())
	changed := now != g.stamp && now.SameFile(g.stamp)
	switch {
	case changed && now.Size != g.stamp.Size:
		return &snapshot.CorruptError{Path: g.file.Path(), Want: fmt.Sprintf("a file of %d bytes, as it was opened, not %d",
			g.stamp.Size, now.Size)}
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

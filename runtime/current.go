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

	"sabine/indexes/snapshot"
)

// Current is the generation in force, and the watch over the folder that it comes from.
//
// A request holds the generation that it began with: the pointer is exchanged first, then the opener's hold on the old
// generation is given up, and the old mapping goes with its last holder. Ways not taken: a lock around every request
// lets one slow reader keep a switch, and with it every new reader, waiting; waiting for the readers of the old
// generation before the switch does the same; unmapping after a grace period is a guess about the slowest reader.
type Current struct {
	folder snapshot.Folder
	log    *slog.Logger
	open   func(ctx context.Context, path string) (*Generation, error) // Open; tests put something smaller in

	gen atomic.Pointer[Generation]

	loading sync.Mutex // held by Load; seen and closed are Load's
	seen    look       // of the folder, when it was last loaded
	closed  bool

	mu    sync.Mutex // of state
	state State
}

// State is the condition of a server's data.
type State struct {
	Status   string    // "waiting": nothing serves yet; "ready"; "degraded": something else than CURRENT names serves
	Reason   string    // why it is degraded or waiting
	Name     string    // file name of the generation in force
	Hash     string    // its content hash
	Products int       // in it
	Since    time.Time // when it was put in force
	Switches int       // how many switches there were, the first generation included
	Refused  int       // how many times a generation was refused
	Bytes    int64     // size of the mapping
	Damaged  bool      // the file in force was damaged where it lies, and no other is good: requests fail
}

// The values of State.Status.
const (
	StatusWaiting  = "waiting"
	StatusReady    = "ready"
	StatusDegraded = "degraded"
)

// errDamagedInForce: somebody wrote into the file in force, and no generation is good.
var errDamagedInForce = errors.New("the snapshot in force is damaged where it lies, and no other is good")

// errClosed: the Current was closed and loads nothing any more.
var errClosed = errors.New("runtime: load after close")

// NewCurrent returns a Current of a folder that serves nothing yet. The folder may come into being later. A nil log
// logs nothing.
func NewCurrent(folder snapshot.Folder, log *slog.Logger) *Current {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Current{
		folder: folder,
		log:    log,
		open:   Open,
		state:  State{Status: StatusWaiting, Reason: "nothing was loaded yet"},
	}
}

// Acquire returns the generation in force, or nil when there is none. It stays mapped until Release, whatever is
// switched meanwhile.
func (c *Current) Acquire() *Generation {
	for {
		g := c.gen.Load()
		if g == nil || g.hold() { // hold fails once the last holder has left: a newer generation is in force
			return g
		}
	}
}

// State says what serves and why it may not be what CURRENT names.
func (c *Current) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Close gives the generation in force up. Nothing is loaded after it.
func (c *Current) Close() error {
	c.loading.Lock()
	defer c.loading.Unlock()
	c.closed = true
	g := c.gen.Swap(nil)
	c.mu.Lock()
	c.state = State{Status: StatusWaiting, Reason: "closed", Switches: c.state.Switches, Refused: c.state.Refused}
	c.mu.Unlock()
	if g == nil {
		return nil
	}
	return g.Close()
}

// Load opens what CURRENT names and puts it in force. When that is damaged, the generation in force stays; when there is
// none, or the damaged file is the one in force, the newest good generation of the folder takes its place. It returns
// an error when there are generations but none is good, and none serves; and the context's when that ends first.
//
// A generation comes into force only when its checksums hold and a first query was answered.
func (c *Current) Load(ctx context.Context) error {
	c.loading.Lock()
	defer c.loading.Unlock()
	if c.closed {
		return errClosed
	}
	began := time.Now()
	c.seen = c.look() // before anything is read: what changes from now on is seen by the next look
	serving := c.gen.Load()
	next, why := c.choose(ctx, serving)
	if why != nil && next == serving && ctx.Err() != nil {
		c.seen = look{} // nothing was found out
		return ctx.Err()
	}
	var failure unix.Errno
	if errors.As(why, &failure) && failure != unix.ENOENT {
		c.seen = look{} // no fault of the file: with more memory, or another right, the next look may succeed
	}
	c.settle(next, why, began)
	if next == nil && !errors.Is(why, snapshot.ErrNoCurrent) {
		return why
	}
	return nil
}

// choose returns the generation that shall be in force, serving or one that it opened, and why it is not what CURRENT
// names, nil when it is. It returns no generation when none serves and none is good.
func (c *Current) choose(ctx context.Context, serving *Generation) (*Generation, error) {
	name, err := c.folder.Current()
	if errors.Is(err, snapshot.ErrNoCurrent) {
		return serving, err
	}
	path := c.folder.Path(name)
	if err == nil {
		if serving != nil && serving.isFile(path) {
			return serving, nil
		}
		g, fault := c.try(ctx, name)
		if fault == nil {
			return g, nil
		}
		err = fault
	}
	err = fmt.Errorf("what CURRENT names cannot serve: %w", err)
	if serving != nil && !serving.isDamaged(path) {
		return serving, err
	}
	return c.fallBack(ctx, serving, name, err)
}

// fallBack opens the newest good generation other than the one that CURRENT names, which was refused for the reason
// why. When none is good it returns serving, which is nil or damaged where it lies, and all the reasons, joined.
func (c *Current) fallBack(ctx context.Context, serving *Generation, except string, why error) (*Generation, error) {
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
	if serving != nil { // else choose would not have asked
		faults = append([]error{errDamagedInForce}, faults...)
	}
	return serving, errors.Join(faults...)
}

// try opens a generation, or counts it as refused. An end of the context is no refusal.
func (c *Current) try(ctx context.Context, name string) (*Generation, error) {
	path := c.folder.Path(name)
	before := stampOf(path)
	g, err := c.open(ctx, path)
	if err == nil {
		g.stamp = before
		return g, nil
	}
	if ctx.Err() == nil {
		c.mu.Lock()
		c.state.Refused++
		c.mu.Unlock()
	}
	return nil, err
}

// settle puts next in force, which may be the one in force already or nil when there is none, and states why it is not
// what CURRENT names; a nil reason says that it is.
func (c *Current) settle(next *Generation, why error, began time.Time) {
	c.mu.Lock()
	was, s := c.state.Reason, &c.state
	old := c.gen.Swap(next)
	if next != old {
		// Name and hash outlive the mapping: they come from the path, not from the file's bytes.
		s.Name, s.Hash, s.Products, s.Bytes = next.Name(), next.Hash(), next.Products(), next.file.Size()
		s.Since = time.Now()
		s.Switches++
	}
	s.Status, s.Reason, s.Damaged = StatusReady, "", errors.Is(why, errDamagedInForce)
	if why != nil {
		s.Status, s.Reason = StatusDegraded, strings.ReplaceAll(why.Error(), "\n", "; ")
	}
	if next == nil {
		s.Status = StatusWaiting
	}
	now := *s
	c.mu.Unlock()

	if next != old {
		c.log.Info("snapshot in force", "generation", now.Hash, "products", now.Products, "seconds", time.Since(began).Seconds())
	}
	switch now.Reason {
	case was:
	case "":
		c.log.Info("the snapshot that CURRENT names serves", "generation", now.Hash)
	default:
		c.log.Warn("the snapshot that CURRENT names does not serve", "status", now.Status, "reason", now.Reason, "generation", now.Hash)
	}
	if next == old || old == nil {
		return
	}
	if err := old.Close(); err != nil {
		c.log.Error("the mapping of the old snapshot stays", "error", err)
	}
}

// isFile reports whether g was opened from the file that lies at path now.
func (g *Generation) isFile(path string) bool {
	return g.file.Path() == path && g.stamp.sameFile(stampOf(path))
}

// isDamaged reports whether the file at path, which was refused, is the one that g reads from: somebody wrote into it.
func (g *Generation) isDamaged(path string) bool {
	return g.file.Path() == path && g.stamp.sameInode(stampOf(path))
}

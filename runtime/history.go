package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"sabine/indexes/files"
	"sabine/indexes/snapshot"
)

// Why AcquireOlder returns no generation.
var (
	// ErrGone says that the folder has none with such a hash, or not any more.
	ErrGone = errors.New("no such generation is kept")
	// ErrUnreadable says that it has one that cannot answer: damaged, or of another format. What is joined to it
	// says which.
	ErrUnreadable = errors.New("the generation cannot be read")
	// ErrAmbiguous says that the hashes of several begin with the digits.
	ErrAmbiguous = errors.New("the hashes of several generations begin with these digits")
)

// maxOlder is how many generations that are not in force stay open, those apart that requests hold at the
// moment.
const maxOlder = 4

// A past is the generations of a folder that are not in force and that requests asked for. Each is verified
// once, its name too, since that means reading all of it, and stays open until its file is gone or changed,
// or others were asked for more lately.
type history struct {
	mu     sync.Mutex
	known  map[string]*older // by the file's name
	clock  uint64            // counts what was asked for
	closed bool

	turn    sync.Mutex // of who verifies: one after the other
	opening sync.WaitGroup
	life    context.Context // ends with Close: to open a generation outlives the request that asked for it
	end     context.CancelFunc
}

// An older is a generation of the past, or why there is none.
type older struct {
	stamp   files.Stamp   // of the file when it was opened
	lastUse uint64        // when it was asked for last
	done    chan struct{} // closed once what follows is known
	g       *Generation
	err     error
}

func newHistory() *history {
	p := &history{known: map[string]*older{}}
	p.life, p.end = context.WithCancel(context.Background())
	return p
}

// AcquireOlder returns the generation of the folder whose content hash is the digits, or begins with them. It
// stays mapped until Release. It may be now, which is held by the caller and may have left the folder, or the
// one in force.
//
// The error is ErrGone, ErrUnreadable, ErrAmbiguous, that of the context, or that of the system.
func (c *Current) AcquireOlder(ctx context.Context, now *Generation, digits string) (*Generation, error) {
	for {
		name, err := c.nameOf(now, digits)
		if err != nil {
			return nil, err
		}
		if name == now.Name() && now.tryAcquire() {
			return now, nil
		}
		if g := c.Acquire(); g != nil {
			if g.Name() == name {
				return g, nil
			}
			g.Release()
		}
		o, err := c.older(name)
		if err != nil {
			return nil, err
		}
		select {
		case <-o.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if o.err != nil {
			return nil, o.err
		}
		if o.g.tryAcquire() { // fails when it was closed meanwhile: its file is gone or changed
			return o.g, nil
		}
	}
}

// nameOf returns the name of the file whose hash begins with the digits.
func (c *Current) nameOf(now *Generation, digits string) (string, error) {
	names := []string{now.Name()}
	if stored, err := c.folder.Generations(); err == nil {
		for _, s := range stored {
			names = append(names, s.Name)
		}
	} else if !errors.Is(err, unix.ENOENT) {
		return "", err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, digits) })
	slices.Sort(names)
	switch names = slices.Compact(names); len(names) {
	case 0:
		return "", ErrGone
	case 1:
		return names[0], nil
	}
	return "", ErrAmbiguous
}

// older returns what is known of a file, or, when that is nothing or the file has changed, begins to open it.
func (c *Current) older(name string) (*older, error) {
	p, stamp := c.history, stampOf(c.folder.Path(name))
	if stamp == (files.Stamp{}) {
		return nil, ErrGone
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	o := p.known[name]
	if o == nil || o.isResolved() && o.stamp != stamp {
		p.forget(name)
		o = &older{stamp: stamp, done: make(chan struct{})}
		p.known[name] = o
		p.opening.Go(func() { c.openOlder(name, o) })
	}
	p.touch(o)
	return o, nil
}

// openOlder opens a file of the past and tells all who wait for it.
func (c *Current) openOlder(name string, o *older) {
	p, path := c.history, c.folder.Path(name)
	p.turn.Lock()
	g, err := c.openNamed(p.life, path)
	p.turn.Unlock()
	var failure unix.Errno
	isGone := errors.Is(err, unix.ENOENT)                      // since it was asked for
	passing := errors.As(err, &failure) || p.life.Err() != nil // no fault of the file: the next who asks may succeed
	switch {
	case isGone:
		err = ErrGone
	case err != nil && !passing:
		c.log.Warn("an older snapshot that is asked for cannot be read", "file", name, "error", err)
		err = fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	defer close(o.done)
	o.g, o.err = g, err
	p.touch(o)
	switch {
	case p.known[name] != o: // it was found misnamed meanwhile
		if g != nil {
			g.Close()
		}
	case passing || stampOf(path) != o.stamp:
		p.forget(name)
	}
	p.shrink()
}

// openNamed opens a file whose content is what its name states.
func (c *Current) openNamed(ctx context.Context, path string) (*Generation, error) {
	g, err := c.open(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := g.file.VerifyHash(ctx); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// ReportDamage tells that bytes of a generation are not those of its build. One that AcquireOlder opened is not given
// out any more, one in force is suspect.
func (c *Current) ReportDamage(g *Generation, fault error) {
	p := c.history
	p.mu.Lock()
	o := p.known[g.Name()]
	isOlder := o != nil && o.g == g
	if isOlder {
		p.refuse(g.Name(), o.stamp, fault)
	}
	p.mu.Unlock()
	if isOlder {
		c.log.Error("an older snapshot is damaged where it lies", "generation", g.Hash(), "error", fault)
	} else {
		c.Recheck()
	}
}

// The methods below are called with mu held.

// ask notes that a generation was asked for.
func (p *history) touch(o *older) {
	p.clock++
	o.lastUse = p.clock
}

// refuse remembers why a file is not to be given out as long as it does not change.
func (p *history) refuse(name string, stamp files.Stamp, fault error) {
	p.forget(name)
	o := &older{stamp: stamp, done: make(chan struct{}), err: fmt.Errorf("%w: %w", ErrUnreadable, fault)}
	close(o.done)
	p.known[name] = o
}

// forget gives a generation up, which is unmapped once its last request has ended.
func (p *history) forget(name string) {
	if o := p.known[name]; o != nil && o.g != nil {
		o.g.Close()
	}
	delete(p.known, name)
}

// shrink closes what was not asked for in the longest time and no request holds, until there are no more open
// than may be.
func (p *history) shrink() {
	open, last, lastUse := 0, "", uint64(0)
	for name, o := range p.known {
		if o.g == nil {
			continue
		}
		open++
		if o.g.references.Load() == 1 && (last == "" || o.lastUse < lastUse) {
			last, lastUse = name, o.lastUse
		}
	}
	if open > maxOlder && last != "" {
		p.forget(last)
		p.shrink()
	}
}

// The others are not.

// misnamed remembers that the content of a file is not what its name states.
func (p *history) misnamed(name string, stamp files.Stamp, fault error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse(name, stamp, fault)
}

// follow gives up what the folder has no more, or has otherwise, and what came in force.
func (p *history) follow(folder snapshot.Folder, inForce *trackedGeneration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, o := range p.known {
		if o.isResolved() && (inForce != nil && name == inForce.Name() || stampOf(folder.Path(name)) != o.stamp) {
			p.forget(name)
		}
	}
	p.shrink()
}

// close gives all up and ends what is being opened.
func (p *history) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.end()
	p.opening.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	for name := range p.known {
		p.forget(name)
	}
}

// settled reports whether it is known what there is.
func (o *older) isResolved() bool { return o.g != nil || o.err != nil }

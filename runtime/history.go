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

// Errors of AcquireOlder.
var (
	// ErrGone is returned when the folder contains no generation with this hash, or no longer does.
	ErrGone = errors.New("the folder has no such generation")
	// ErrUnreadable is returned when the generation is damaged or has another format. It wraps the cause.
	ErrUnreadable = errors.New("the generation cannot be read")
	// ErrAmbiguous is returned when the hashes of several generations begin with the given digits.
	ErrAmbiguous = errors.New("the hashes of several generations begin with these digits")
)

// maxOlder is the maximum number of open older generations. Generations in use by requests may exceed this
// limit.
const maxOlder = 4

// A history contains the older generations of a folder that requests have acquired. Each file is compared
// with the hash in its name only once, because this reads the entire file. A generation stays open until its
// file is removed or changed, or until more recently used generations displace it.
type history struct {
	mu     sync.Mutex
	known  map[string]*olderEntry // entries by file name
	clock  uint64                 // counter of uses
	closed bool

	turn    sync.Mutex // serializes verifications
	opening sync.WaitGroup
	life    context.Context // ends with Close, not with the request for which the file is being opened
	end     context.CancelFunc
}

// An olderEntry contains an older generation, or the error from opening it.
type olderEntry struct {
	stamp   files.Stamp   // state of the file when it was opened
	lastUse uint64        // clock at the latest use
	done    chan struct{} // closed after g or err is set
	g       *Generation
	err     error
}

func newHistory() *history {
	p := &history{known: map[string]*olderEntry{}}
	p.life, p.end = context.WithCancel(context.Background())
	return p
}

// AcquireOlder returns the generation of the folder whose content hash begins with digits. The generation
// stays mapped until Release. The result may be the current generation. It may also be the generation now,
// which the caller has already acquired and whose file may have been removed from the folder.
//
// The error is ErrGone, ErrUnreadable, ErrAmbiguous, the context's error or a system error.
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
		if o.g.tryAcquire() { // fails if the generation was closed because its file was removed or changed
			return o.g, nil
		}
	}
}

// nameOf returns the file name whose hash begins with digits.
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

// older returns the entry of a file. If there is none, or the file has changed, it starts to open the file.
func (c *Current) older(name string) (*olderEntry, error) {
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
		o = &olderEntry{stamp: stamp, done: make(chan struct{})}
		p.known[name] = o
		p.opening.Go(func() { c.openOlder(name, o) })
	}
	p.touch(o)
	return o, nil
}

// openOlder opens an older file and sets the result of its entry.
func (c *Current) openOlder(name string, o *olderEntry) {
	p, path := c.history, c.folder.Path(name)
	p.turn.Lock()
	g, err := c.openNamed(p.life, path)
	p.turn.Unlock()
	var failure unix.Errno
	isGone := errors.Is(err, unix.ENOENT)                      // the file was removed after the request
	passing := errors.As(err, &failure) || p.life.Err() != nil // not an error of the file: a retry may succeed
	switch {
	case isGone:
		err = ErrGone
	case err != nil && !passing:
		c.log.Warn("cannot read an older snapshot", "file", name, "error", err)
		err = fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	defer close(o.done)
	o.g, o.err = g, err
	p.touch(o)
	switch {
	case p.known[name] != o: // refused in the meantime because of the file name
		if g != nil {
			g.Close()
		}
	case passing || stampOf(path) != o.stamp:
		p.forget(name)
	}
	p.shrink()
}

// openNamed opens a file and compares its content with the hash in its name.
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

// ReportDamage reports that bytes of a generation are damaged. AcquireOlder does not return this generation
// again. If it is the current generation, it is verified again.
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
		c.log.Error("an older snapshot is damaged", "generation", g.Hash(), "error", fault)
	} else {
		c.Recheck()
	}
}

// The methods below require mu.

// touch records a use of an entry.
func (p *history) touch(o *olderEntry) {
	p.clock++
	o.lastUse = p.clock
}

// refuse records why a file must not be returned. The refusal is valid until the file changes.
func (p *history) refuse(name string, stamp files.Stamp, fault error) {
	p.forget(name)
	o := &olderEntry{stamp: stamp, done: make(chan struct{}), err: fmt.Errorf("%w: %w", ErrUnreadable, fault)}
	close(o.done)
	p.known[name] = o
}

// forget releases a generation. It is unmapped when its last request ends.
func (p *history) forget(name string) {
	if o := p.known[name]; o != nil && o.g != nil {
		o.g.Close()
	}
	delete(p.known, name)
}

// shrink closes the least recently used generations without requests, until at most maxOlder are open.
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

// The methods below lock mu.

// misnamed refuses a file whose content does not match the hash in its name.
func (p *history) misnamed(name string, stamp files.Stamp, fault error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse(name, stamp, fault)
}

// follow closes generations whose file was removed, changed or made current.
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

// close closes all generations and cancels the opening of files.
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

// isResolved reports whether the generation was opened or has failed.
func (o *olderEntry) isResolved() bool { return o.g != nil || o.err != nil }

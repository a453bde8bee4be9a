package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

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
	closed bool

	turn    sync.Mutex // serializes verifications
	opening sync.WaitGroup
	life    context.Context // ends with Close, not with the request for which the file is being opened
	end     context.CancelFunc
}

// An olderEntry contains an older generation, or the error from opening it.
type olderEntry struct {
	stamp   files.Stamp // state of the file when it was opened
	lastUse time.Time
	done    chan struct{} // closed after g or err is set
	g       *Generation
	err     error
}

func newHistory() *history {
	h := &history{known: map[string]*olderEntry{}}
	h.life, h.end = context.WithCancel(context.Background())
	return h
}

// AcquireOlder returns the generation of the folder whose content hash begins with digits. The generation
// stays mapped until Release. The result may be the current generation. It may also be the generation that
// the caller passes in acquired, whose file may have been removed from the folder.
//
// The error is ErrGone, ErrUnreadable, ErrAmbiguous, the context's error or a system error.
func (c *Current) AcquireOlder(ctx context.Context, acquired *Generation, digits string) (*Generation, error) {
	for {
		name, err := c.nameOf(acquired, digits)
		if err != nil {
			return nil, err
		}
		if name == acquired.Name() && acquired.tryAcquire() {
			return acquired, nil
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

// nameOf returns the only file name that begins with digits, among the folder's generations and acquired.
func (c *Current) nameOf(acquired *Generation, digits string) (string, error) {
	names := []string{acquired.Name()}
	if stored, err := c.folder.Generations(); err == nil {
		for _, s := range stored {
			names = append(names, s.Name)
		}
	} else if !errors.Is(err, unix.ENOENT) { // without a folder, there may still be the acquired generation
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
	h, stamp := c.history, stampOf(c.folder.Path(name))
	if stamp == (files.Stamp{}) {
		return nil, ErrGone
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errClosed
	}
	o := h.known[name]
	if o == nil || o.isResolved() && o.stamp != stamp {
		h.forget(name)
		o = &olderEntry{stamp: stamp, done: make(chan struct{})}
		h.known[name] = o
		h.opening.Go(func() { c.openOlder(name, o) })
	}
	o.lastUse = time.Now()
	return o, nil
}

// openOlder opens an older file and sets the result of its entry.
func (c *Current) openOlder(name string, o *olderEntry) {
	h, path := c.history, c.folder.Path(name)
	h.turn.Lock()
	g, err := c.openNamed(h.life, path)
	h.turn.Unlock()
	_, isSystem := errors.AsType[unix.Errno](err)
	passing := isSystem || h.life.Err() != nil // not an error of the file: a retry may succeed
	switch {
	case errors.Is(err, unix.ENOENT): // the file was removed after the request
		err = ErrGone
	case err != nil && !passing:
		c.log.Warn("cannot read an older snapshot", "file", name, "error", err)
		err = fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	defer close(o.done)
	o.g, o.err = g, err
	o.lastUse = time.Now()
	switch {
	case h.known[name] != o: // replaced in the meantime: misnamed has refused the file
		if g != nil {
			g.Close()
		}
	case passing || stampOf(path) != o.stamp:
		h.forget(name)
	}
	h.shrink()
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
	h := c.history
	h.mu.Lock()
	o := h.known[g.Name()]
	isOlder := o != nil && o.g == g
	if isOlder {
		h.refuse(g.Name(), o.stamp, fault)
	}
	h.mu.Unlock()
	if isOlder {
		c.log.Error("an older snapshot is damaged", "generation", g.Hash(), "error", fault)
	} else {
		c.Recheck()
	}
}

// The methods below require mu.

// refuse records why a file must not be returned. The refusal is valid until the file changes.
func (h *history) refuse(name string, stamp files.Stamp, fault error) {
	h.forget(name)
	o := &olderEntry{stamp: stamp, done: make(chan struct{}), err: fmt.Errorf("%w: %w", ErrUnreadable, fault)}
	close(o.done)
	h.known[name] = o
}

// forget releases a generation. It is unmapped when its last request ends.
func (h *history) forget(name string) {
	if o := h.known[name]; o != nil && o.g != nil {
		o.g.Close()
	}
	delete(h.known, name)
}

// shrink closes the least recently used generations without requests, until at most maxOlder are open.
func (h *history) shrink() {
	open := 0
	var idle []string
	for name, o := range h.known {
		if o.g == nil {
			continue
		}
		open++
		if o.g.references.Load() == 1 { // the history's own
			idle = append(idle, name)
		}
	}
	slices.SortFunc(idle, func(a, b string) int { return h.known[a].lastUse.Compare(h.known[b].lastUse) })
	for _, name := range idle[:min(len(idle), max(open-maxOlder, 0))] {
		h.forget(name)
	}
}

// The methods below lock mu.

// misnamed refuses a file whose content does not match the hash in its name.
func (h *history) misnamed(name string, stamp files.Stamp, fault error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refuse(name, stamp, fault)
}

// follow closes generations whose file was removed, changed or made current.
func (h *history) follow(folder snapshot.Folder, inForce *trackedGeneration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, o := range h.known {
		if o.isResolved() && (inForce != nil && name == inForce.Name() || stampOf(folder.Path(name)) != o.stamp) {
			h.forget(name)
		}
	}
	h.shrink()
}

// close closes all generations and cancels the opening of files.
func (h *history) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.end()
	h.opening.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	for name := range h.known {
		h.forget(name)
	}
}

// isResolved reports whether the generation was opened or has failed.
func (o *olderEntry) isResolved() bool { return o.g != nil || o.err != nil }

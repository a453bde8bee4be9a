package runtime

import (
	"context"
	"sync"
)

// naming says whether the content of a generation is known to be what its name states.
type naming uint8

const (
	unnamed naming = iota // not known
	asked                 // a hashing is on its way
	named                 // its SHA-256 is that of the name
)

// A hashing holds the content of a generation against its name, beside the requests: a gigabyte takes half a second of a
// processor or more, for which no switch shall wait, since the checksums of the sections hold already.
type hashing struct {
	stop    context.CancelFunc // nil before the first
	running sync.WaitGroup
}

// follow begins with the generation in force when its name is not known to be right. What was on its way ends: it is
// another generation's, or read bytes that have changed since.
func (h *hashing) follow(ctx context.Context, c *Current) {
	c.loading.Lock()
	g := c.inForce.Load()
	isNew := g != nil && g.naming == unnamed && g.hold()
	if isNew {
		g.naming = asked
	}
	c.loading.Unlock()
	if !isNew {
		return
	}
	h.end()
	of, stop := context.WithCancel(ctx)
	h.stop = stop
	h.running.Go(func() {
		defer g.Release()
		if fault := g.file.VerifyHash(of); of.Err() == nil { // else nothing was found out
			c.settleName(ctx, g, fault)
		}
	})
}

// end stops what is on its way, when there is something, and waits for it.
func (h *hashing) end() {
	if h.stop != nil {
		h.stop()
		h.running.Wait()
	}
}

// settleName takes in whether the content of a generation is what its name states; one that is not is out of force.
func (c *Current) settleName(ctx context.Context, g *verified, fault error) {
	c.loading.Lock()
	inForce := g == c.inForce.Load()
	if fault != nil {
		c.misnamed[g.stamp] = fault
		c.past.misnamed(g.Name(), g.stamp, fault)
	} else if g.naming = named; inForce {
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

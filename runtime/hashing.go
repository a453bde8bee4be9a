package runtime

import "context"

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
	of   *verified // held; nil when none is on its way
	stop context.CancelFunc
	done chan error // delivers what VerifyHash returned
}

// follow begins with the generation in force when its name is not known to be right. What was on its way ends: it is
// another generation's, or read bytes that have changed since.
func (h *hashing) follow(ctx context.Context, c *Current) {
	g := c.ask()
	if g == nil {
		return
	}
	h.end()
	ctx, h.stop = context.WithCancel(ctx)
	done := make(chan error, 1)
	h.of, h.done = g, done
	go func() {
		defer close(done)
		done <- g.file.VerifyHash(ctx)
	}()
}

// end stops what is on its way, when there is something, and waits for it.
func (h *hashing) end() {
	if h.of == nil {
		return
	}
	h.stop()
	for range h.done { // until it is closed
	}
	h.of.Release()
	*h = hashing{}
}

// ask returns the generation in force, held, when its name is to be asked for; nil otherwise.
func (c *Current) ask() *verified {
	c.loading.Lock()
	defer c.loading.Unlock()
	g := c.inForce.Load()
	if g == nil || g.naming != unnamed || !g.hold() {
		return nil
	}
	g.naming = asked
	return g
}

// settleName takes in whether the content of a generation is what its name states; one that is not is out of force.
func (c *Current) settleName(ctx context.Context, g *verified, fault error) {
	if ctx.Err() != nil {
		return // nothing was found out
	}
	c.loading.Lock()
	if fault != nil {
		c.misnamed[g.stamp] = fault
		c.past.misnamed(g.Name(), g.stamp, fault)
	} else {
		g.naming = named
	}
	inForce := g == c.inForce.Load()
	if fault == nil && inForce {
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

package fleet

import (
	"cmp"
	"context"
	"time"
)

// maxBackOff is the maximum time before a generation with invalid content is downloaded again.
const maxBackOff = 2 * time.Minute

// An attempt is the outcome of the last attempt to install a generation.
type attempt struct {
	generation Generation
	failed     error         // error of the attempt, or nil
	wait       time.Duration // pause before the next attempt; 0 after an outage, which may have ended
	until      time.Time     // end of the pause; zero if there is none
}

// Run installs the store's current generations until the context ends.
func (m *Mirror) Run(ctx context.Context) {
	for ; ctx.Err() == nil; pause(ctx, m.interval()) {
		g, err := m.poll(ctx)
		for err == nil && g != nil { // g is nil once a generation is installed
			g, err = m.follow(ctx, g)
		}
		if ctx.Err() == nil {
			m.record(err)
		}
	}
}

// follow installs a generation and meanwhile polls the store. If the current generation of the store changes,
// follow stops the installation and returns the new generation. Otherwise it returns nil and the error of the
// attempt. After invalid content, later calls with the same generation return that error during a pause,
// which doubles after each attempt. After an outage of the store, there is no pause.
func (m *Mirror) follow(ctx context.Context, g *Generation) (next *Generation, err error) {
	last := &m.last
	if !last.generation.equal(g) {
		*last = attempt{generation: *g}
	}
	if time.Now().Before(last.until) {
		return nil, last.failed
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	installed := make(chan error, 1)
	go func() { installed <- m.install(working, g) }()
	for {
		select {
		case err := <-installed:
			wait := min(cmp.Or(2*last.wait, m.Poll, DefaultPoll), maxBackOff)
			*last = attempt{generation: *g}
			switch statusOf(err) {
			case StatusRefused:
				last.failed, last.wait, last.until = err, wait, time.Now().Add(wait)
			case StatusAway:
				last.failed = err
			}
			return nil, err
		case <-time.After(m.interval()):
		}
		switch polled, err := m.poll(ctx); {
		case ctx.Err() != nil: // the installation ends too
		case err != nil:
			m.record(err)
		case polled.equal(g):
			m.recordFetching()
		default:
			stop()
			<-installed
			return polled, nil
		}
	}
}

// recordFetching sets the status to StatusFetching, or to the error of the last attempt if it failed.
func (m *Mirror) recordFetching() { m.setStatus(cmp.Or(m.last.failed, errFetching), 0) }

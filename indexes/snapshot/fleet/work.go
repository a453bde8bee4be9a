package fleet

import (
	"cmp"
	"context"
	"time"
)

// mostBackOff is the longest time for which a generation whose bytes were wrong is not downloaded again.
const mostBackOff = 2 * time.Minute

// A work is the bringing of one generation into the folder, beside the looks at the store. The zero value is that of none.
type work struct {
	of   *Generation
	stop context.CancelFunc
	done chan error // gets how it has ended; nil while it does not go on

	failed error         // how the last try has ended, nil when it has not failed
	wait   time.Duration // until the next try: 0 after an outage, which the next look may find ended
	until  time.Time
}

// Run follows the store until the context ends. A download that the store's pointer has left behind is given up.
func (m *Mirror) Run(ctx context.Context) {
	defer m.halt()
	for next := time.After(0); ctx.Err() == nil; {
		select {
		case <-ctx.Done():
		case err := <-m.work.done:
			m.settle(err)
		case <-next:
			m.step(ctx)
			next = time.After(m.interval())
		}
	}
}

// step looks at the store once, and begins to bring what it has in force into the folder.
func (m *Mirror) step(ctx context.Context) {
	g, err := m.look(ctx)
	switch w := &m.work; {
	case ctx.Err() != nil:
		return
	case err != nil:
		m.note(err)
		return
	case w.of == nil || !w.of.is(g):
		m.halt()
		m.work = work{of: g}
	case w.done != nil:
		m.fetching()
		return
	case time.Now().Before(w.until):
		m.note(w.failed)
		return
	}
	ctx, m.work.stop = context.WithCancel(ctx)
	done := make(chan error, 1)
	m.work.done = done
	go func() { done <- m.bring(ctx, g) }()
}

// halt gives the work up and waits until it has ended.
func (m *Mirror) halt() {
	if m.work.done != nil {
		m.work.stop()
		<-m.work.done
		m.work.done = nil
	}
}

// settle notes how the work ended. When it is not the store that has failed, the next try waits, twice as long every time.
func (m *Mirror) settle(err error) {
	w := &m.work
	w.stop()
	w.done, w.failed = nil, nil
	switch statusOf(err) {
	case StatusRefused:
		w.failed, w.wait = err, min(cmp.Or(2*w.wait, m.Poll, DefaultPoll), mostBackOff)
		w.until = time.Now().Add(w.wait)
	case StatusAway:
		w.failed, w.wait = err, 0
	}
	m.note(err)
}

// fetching states that a generation is not here yet: that it is being downloaded, or why that has failed so far.
func (m *Mirror) fetching() { m.set(cmp.Or(m.work.failed, errFetching), 0) }

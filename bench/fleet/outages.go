package main

import (
	"context"
	"sync"
	"syscall"
	"time"

	"sabine/bench/trial"
)

// The parts that go away.
const (
	store = "store"
	redis = "Redis"
)

// An outage is a time in which a part did not answer.
type outage struct {
	of           string
	began, ended time.Time // ended is zero while it lasts
}

// outages are all of a run.
type outages struct {
	mu  sync.Mutex
	all []outage
}

// begin notes that a part is about to go away; its caller says by end that it is back.
func (o *outages) begin(of string) (end func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(o.all)
	o.all = append(o.all, outage{of: of, began: time.Now()})
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.all[n].ended = time.Now()
	}
}

// counted returns the moment from which the delay of a step counts: the move, or when the store was back for
// the last time between the two.
func (o *outages) counted(moved, step time.Time) time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, a := range o.all {
		if a.of == store && a.began.Before(step) && a.ended.After(moved) && a.ended.Before(step) {
			moved = a.ended
		}
	}
	return moved
}

// since returns how long a part has been back at a moment: 0 while it is away, and false when it never was.
func (o *outages) since(of string, now time.Time) (back time.Duration, was bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, a := range o.all {
		if a.of == of && a.began.Before(now) {
			back, was = 0, true
			if !a.ended.IsZero() {
				back = max(0, now.Sub(a.ended))
			}
		}
	}
	return back, was
}

// A fault is a way in which a part goes away. leave makes it go, comeBack brings it back.
type fault struct {
	name            string
	leave, comeBack func(context.Context, *trial.Process) error
}

var (
	paused = fault{"paused",
		func(_ context.Context, p *trial.Process) error { return p.Signal(syscall.SIGSTOP) },
		func(_ context.Context, p *trial.Process) error { return p.Signal(syscall.SIGCONT) }}
	killed = fault{"killed",
		func(_ context.Context, p *trial.Process) error { return p.End(syscall.SIGKILL) },
		func(ctx context.Context, p *trial.Process) error { return p.Start(ctx) }}
)

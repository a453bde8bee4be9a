package main

import (
	"sync"
	"time"
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

// returned returns when a part was back for the last time between two moments, or else the first of them.
func (o *outages) returned(of string, from, to time.Time) time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, a := range o.all {
		if a.of == of && a.began.Before(to) && a.ended.After(from) && a.ended.Before(to) {
			from = a.ended
		}
	}
	return from
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

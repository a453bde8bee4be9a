package ratelimit

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"
)

// TestAWindowNeverGoesBack spends a budget at noon and asks again at other times of the clock, then at noon
// once more.
func TestAWindowNeverGoesBack(t *testing.T) {
	policy := Policy{{2, time.Minute}, {3, 24 * time.Hour}}
	for _, tt := range []struct {
		rule  string
		at    time.Time
		retry string // until when the minute of noon, or the day, ends
	}{
		{"a request that came late", noon.Add(-time.Nanosecond), "61"},
		{"a minute late", noon.Add(-time.Minute), "120"},
		{"the clock was set back by a day", noon.AddDate(0, 0, -1), "60"}, // what a window that lies ahead lasts
		{"to the epoch", time.Unix(0, 0), "60"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			eachStore(t, func(t *testing.T, store Store) {
				l := NewLimiter(store, policy, policy, nil)
				ask := func(at time.Time) (allowed bool, h http.Header) {
					t.Helper()
					d, err := l.Account(context.Background(), "a", at)
					if err != nil {
						t.Fatal(err)
					}
					h = http.Header{}
					d.Header(h)
					return d.Allowed, h
				}
				for range 2 {
					if allowed, _ := ask(noon); !allowed {
						t.Fatal("the budget was spent before")
					}
				}
				if allowed, h := ask(tt.at); allowed || h.Get("Retry-After") != tt.retry || h.Get("RateLimit-Reset") != tt.retry {
					t.Errorf("got %t and %v, want a refusal until %s s later", allowed, h, tt.retry)
				}
				if allowed, _ := ask(noon); allowed {
					t.Error("noon's window has a fresh budget")
				}
				if allowed, h := ask(noon.Add(time.Minute)); !allowed || h.Get("RateLimit-Limit") != "3" ||
					h.Get("RateLimit-Remaining") != "0" {
					t.Errorf("the next minute: got %t, %v, want the last request of the day", allowed, h)
				}
			})
		})
	}
}

// A server whose clock was ahead for a moment has begun windows there. They end when they have lasted their
// span, and not when the clock comes there.
func TestAWindowThatLiesAheadLastsItsSpan(t *testing.T) {
	policy := Policy{{2, time.Minute}, {1000, 24 * time.Hour}}
	for _, ahead := range []time.Duration{time.Hour, 365 * 24 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			eachStore(t, func(t *testing.T, store Store) {
				ask := func(at time.Time) bool {
					t.Helper()
					_, counted, err := store.Take(context.Background(), "account:a", policy, at, 1)
					if err != nil {
						t.Fatal(err)
					}
					return counted
				}
				for range 2 {
					if !ask(noon.Add(ahead)) {
						t.Fatal("the budget was spent before")
					}
				}
				pass(t, store, "account:a", policy, 30*time.Second)
				if ask(noon.Add(30 * time.Second)) {
					t.Error("there is a fresh budget before the span is over")
				}
				pass(t, store, "account:a", policy, 30*time.Second)
				if !ask(noon.Add(time.Minute)) {
					t.Error("there is no budget when the span is over")
				}
			})
		})
	}
}

// pass makes the windows of a client as much older as if time had passed.
func pass(t *testing.T, store Store, client string, p Policy, d time.Duration) {
	t.Helper()
	switch s := store.(type) {
	case *Memory:
		s.opened = s.opened.Add(-d)
	case *Redis:
		for _, w := range p {
			if _, err := s.do("HINCRBY", s.key(client), fmt.Sprint(w.seconds(), ":begun"), -int64(d/time.Second)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A request from before the window is counted in it, while there is something left.
func TestALateRequestCountsInTheWindowThatHasBegun(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		take(t, store, "account:a", account, noon)
		late := noon.Add(-time.Second)
		c := take(t, store, "account:a", account, late)
		if c.N[0] != 2 || c.N[1] != 2 || !c.At.Equal(noon) {
			t.Errorf("got %+v, want the second request of noon", c)
		}
	})
}

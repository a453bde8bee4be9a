package ratelimit

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"
)

// TestAWindowNeverGoesBack exhausts a budget at noon, then makes requests at earlier times and again at noon.
func TestAWindowNeverGoesBack(t *testing.T) {
	policy := Policy{{2, time.Minute}, {3, 24 * time.Hour}}
	for _, tt := range []struct {
		rule  string
		at    time.Time
		retry string // seconds until the end of the minute at noon, or until the end of its span
	}{
		{"a late request", noon.Add(-time.Nanosecond), "61"},
		{"a minute late", noon.Add(-time.Minute), "120"},
		{"the clock was set back by a day", noon.AddDate(0, 0, -1), "60"}, // a future window lasts its span
		{"the clock was set back to the epoch", time.Unix(0, 0), "60"},
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
						t.Fatal("the budget was exhausted too early")
					}
				}
				if allowed, h := ask(tt.at); allowed || h.Get("Retry-After") != tt.retry || h.Get("RateLimit-Reset") != tt.retry {
					t.Errorf("got %t and %v, want a refusal until %s s later", allowed, h, tt.retry)
				}
				if allowed, _ := ask(noon); allowed {
					t.Error("the window of noon has a fresh budget")
				}
				if allowed, h := ask(noon.Add(time.Minute)); !allowed || h.Get("RateLimit-Limit") != "3" ||
					h.Get("RateLimit-Remaining") != "0" {
					t.Errorf("the next minute: got %t, %v, want the last request of the day", allowed, h)
				}
			})
		})
	}
}

// TestAWindowInTheFutureLastsItsSpan checks that windows that were begun while a server's clock was ahead for
// a short time end after their span, and not when the clock reaches their end.
func TestAWindowInTheFutureLastsItsSpan(t *testing.T) {
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
						t.Fatal("the budget was exhausted too early")
					}
				}
				pass(t, store, "account:a", policy, 30*time.Second)
				if ask(noon.Add(30 * time.Second)) {
					t.Error("there is a fresh budget before the span is over")
				}
				pass(t, store, "account:a", policy, 30*time.Second)
				if !ask(noon.Add(time.Minute)) {
					t.Error("there is no fresh budget when the span is over")
				}
			})
		})
	}
}

// pass makes a client's windows older by d, as if this time had passed.
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

// TestALateRequestCountsInTheCurrentWindow makes a request whose time is before the current window.
func TestALateRequestCountsInTheCurrentWindow(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		take(t, store, "account:a", account, noon)
		late := noon.Add(-time.Second)
		c := take(t, store, "account:a", account, late)
		if c.N[0] != 2 || c.N[1] != 2 || !c.At.Equal(noon) {
			t.Errorf("got %+v, want the second request of noon", c)
		}
	})
}

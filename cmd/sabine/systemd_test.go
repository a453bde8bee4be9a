package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestSystemdNotifications checks the notifications of a server that starts, waits, serves, hangs and ends.
// It uses synctest's clock, which advances while all goroutines are blocked.
func TestSystemdNotifications(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		var mu sync.Mutex // protects the following variables
		var heard []string
		answers, state := false, serverState{}
		s := notifier{
			interval: 5 * time.Second,
			watched:  true,
			log:      slog.New(slog.NewTextHandler(&log, nil)),
			fetch: func(ctx context.Context, path string) (serverState, error) {
				mu.Lock()
				alive, current := answers, state
				mu.Unlock()
				switch {
				case !alive:
					<-ctx.Done()
					return serverState{}, ctx.Err()
				case path == "/healthz":
					return serverState{Status: "ok"}, nil
				}
				return current, errors.New("503")
			},
			notify: func(states ...string) {
				mu.Lock()
				defer mu.Unlock()
				heard = append(heard, states...)
			},
		}
		becomes := func(alive bool, s serverState) {
			mu.Lock()
			defer mu.Unlock()
			answers, state = alive, s
		}
		waiting := serverState{Status: "waiting", Reason: "there is\nno snapshot"}
		serving := serverState{Status: "ready", Snapshot: "x.snapshot", Products: 3}
		ctx, cancel := context.WithCancel(t.Context())
		go s.run(ctx)
		hears := func(rule string, want ...string) {
			t.Helper()
			time.Sleep(s.interval)
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if !slices.Equal(heard, want) {
				t.Errorf("%s: got %q, want %q", rule, heard, want)
			}
			heard = nil
		}
		time.Sleep(s.interval * 3 / 4) // between two checks: one without a response takes half an interval
		hears("the server does not respond yet")
		becomes(true, waiting)
		hears("it waits", "READY=1", "WATCHDOG=1", `STATUS=waiting: there is\nno snapshot`)
		hears("it still waits", "WATCHDOG=1")
		becomes(true, serving)
		hears("it serves", "WATCHDOG=1", "STATUS=ready, 3 products of x.snapshot")
		becomes(false, serving)
		hears("it hangs")
		hears("it still hangs")
		if got := strings.Count(log.String(), "does not respond"); got != 2 {
			t.Errorf("%d log lines about two outages, want 2:\n%s", got, log.String())
		}
		becomes(true, serving)
		hears("it responds again", "WATCHDOG=1")
		cancel()
		hears("it drains", "STOPPING=1", "STATUS=draining")
	})
}

// TestWithoutNotifySocket checks that notifySystemd returns immediately if systemd is not the supervisor.
func TestWithoutNotifySocket(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	notifySystemd(t.Context(), "127.0.0.1:1", slog.New(slog.NewTextHandler(io.Discard, nil))) // must return
}

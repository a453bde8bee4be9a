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

// TestWhatSystemdHears in a bubble, whose clock moves when all wait: a server that is not there yet, one that
// waits, serves, hangs, and ends.
func TestWhatSystemdHears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		var mu sync.Mutex // of what follows
		var heard []string
		answers, state := false, serverState{}
		s := supervision{
			interval: 5 * time.Second,
			watched:  true,
			log:      slog.New(slog.NewTextHandler(&log, nil)),
			ask: func(ctx context.Context, path string) (serverState, error) {
				mu.Lock()
				lives, says := answers, state
				mu.Unlock()
				switch {
				case !lives:
					<-ctx.Done()
					return serverState{}, ctx.Err()
				case path == "/healthz":
					return serverState{Status: "ok"}, nil
				}
				return says, errors.New("503")
			},
			notify: func(states ...string) {
				mu.Lock()
				defer mu.Unlock()
				heard = append(heard, states...)
			},
		}
		becomes := func(lives bool, s serverState) {
			mu.Lock()
			defer mu.Unlock()
			answers, state = lives, s
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
		time.Sleep(s.interval * 3 / 4) // between two looks, of which one that nobody answers takes half the interval
		hears("nothing answers yet")
		becomes(true, waiting)
		hears("it waits", "READY=1", "WATCHDOG=1", `STATUS=waiting: there is\nno snapshot`)
		hears("it still waits", "WATCHDOG=1")
		becomes(true, serving)
		hears("it serves", "WATCHDOG=1", "STATUS=ready, 3 products of x.snapshot")
		becomes(false, serving)
		hears("it hangs")
		hears("it hangs still")
		if got := strings.Count(log.String(), "does not answer"); got != 2 {
			t.Errorf("%d lines of two times that it hung:\n%s", got, log.String())
		}
		becomes(true, serving)
		hears("it lives again", "WATCHDOG=1")
		cancel()
		hears("it drains", "STOPPING=1", "STATUS=draining")
	})
}

// TestASocketThatNobodyNames: nothing is told, and nothing goes on.
func TestASocketThatNobodyNames(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	superviseBySystemd(t.Context(), "127.0.0.1:1", slog.New(slog.NewTextHandler(io.Discard, nil))) // returns
}

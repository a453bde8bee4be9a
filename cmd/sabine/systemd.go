package main

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"sabine/serve/statefile"
)

// stateInterval is the time between two notifications, unless systemd's watchdog requires a shorter time.
const stateInterval = 10 * time.Second

// notifySystemd notifies systemd of the server's state until the context ends and the server starts to drain.
// It does nothing if NOTIFY_SOCKET is not set.
//
// SIGHUP does not send RELOADING=1, so the unit has Type=notify and not Type=notify-reload. The server reads
// CURRENT in the background, so systemd could not wait for the end of a reload.
func notifySystemd(ctx context.Context, admin string, log *slog.Logger) {
	sent, err := daemon.SdNotify(false, "STATUS=starting")
	if !sent && err == nil {
		return
	}
	watchdog, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("the systemd watchdog interval is invalid; watchdog notifications are disabled", "error", err)
	}
	s := notifier{
		interval: stateInterval,
		watched:  watchdog > 0,
		log:      log,
		fetch:    func(ctx context.Context, path string) (serverState, error) { return fetchState(ctx, admin, path) },
		notify: func(states ...string) {
			if _, err := daemon.SdNotify(false, strings.Join(states, "\n")); err != nil {
				log.Warn("notifying systemd failed", "error", err)
			}
		},
	}
	if s.watched {
		s.interval = min(s.interval, watchdog/2)
	}
	s.run(ctx)
}

// A notifier notifies systemd that a server is ready and alive, and which snapshot it serves.
type notifier struct {
	interval time.Duration // time between two checks of the server
	watched  bool          // whether systemd restarts a server that sends no notification for two intervals
	log      *slog.Logger
	fetch    func(ctx context.Context, path string) (serverState, error) // requests a path from the admin address
	notify   func(states ...string)

	ready       bool   // whether systemd was notified that the server is ready
	unreachable bool   // whether the last check got no response
	state       string // last state sent
}

func (s *notifier) run(ctx context.Context) {
	s.check(ctx)
	for range statefile.Ticks(ctx, s.interval) {
		s.check(ctx)
	}
	s.notify(daemon.SdNotifyStopping, "STATUS=draining")
}

// check requests /healthz, notifies systemd, and only then requests the state of the snapshot. It takes at
// most half an interval, so that the watchdog receives the notification in time.
func (s *notifier) check(ctx context.Context) {
	within, cancel := context.WithTimeout(ctx, min(s.interval/2, healthTimeout))
	defer cancel()
	_, err := s.fetch(within, "/healthz")
	if err != nil {
		if !s.unreachable && ctx.Err() == nil {
			s.log.Error("the admin address does not respond, so the systemd watchdog is not notified", "error", err)
		}
		s.unreachable = true
		return
	}
	s.unreachable = false
	if !s.ready {
		s.ready = true
		s.notify(daemon.SdNotifyReady)
	}
	if s.watched {
		s.notify(daemon.SdNotifyWatchdog)
	}
	state, _ := s.fetch(within, "/readyz") // a server without a snapshot returns an error with its state
	if state.Status != "" && state.String() != s.state {
		s.state = state.String()
		s.notify("STATUS=" + s.state)
	}
}

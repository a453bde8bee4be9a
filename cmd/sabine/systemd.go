package main

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"sabine/serve/statefile"
)

// stateInterval is how often systemd hears what serves, where no watchdog asks for more.
const stateInterval = 10 * time.Second

// superviseBySystemd tells systemd of the server until the context ends, when the server begins to drain.
// Where the environment has no NOTIFY_SOCKET it does nothing.
//
// A SIGHUP is not told by RELOADING=1, so the unit is of Type=notify and not of Type=notify-reload: what it
// asks for, a look at CURRENT, happens beside requests and has no end that systemd could wait for.
func superviseBySystemd(ctx context.Context, admin string, log *slog.Logger) {
	told, err := daemon.SdNotify(false, "STATUS=starting")
	if !told && err == nil {
		return
	}
	watchdog, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("systemd's watchdog is not told that the server lives", "error", err)
	}
	s := supervision{
		interval: stateInterval,
		watched:  watchdog > 0,
		log:      log,
		ask:      func(ctx context.Context, path string) (serverState, error) { return askState(ctx, admin, path) },
		notify: func(states ...string) {
			if _, err := daemon.SdNotify(false, strings.Join(states, "\n")); err != nil {
				log.Warn("systemd cannot be told of the server", "error", err)
			}
		},
	}
	if s.watched {
		s.interval = min(s.interval, watchdog/2)
	}
	s.run(ctx)
}

// A supervision is what systemd hears of a server: that it is ready, what serves, and that it lives.
type supervision struct {
	interval time.Duration // between two looks at the server
	watched  bool          // systemd ends a server that it does not hear of for two intervals
	log      *slog.Logger
	ask      func(ctx context.Context, path string) (serverState, error) // the admin address
	notify   func(states ...string)

	ready bool
	mute  bool   // the server did not answer at the last look
	state string // that was told last
}

func (s *supervision) run(ctx context.Context) {
	s.look(ctx)
	for range statefile.Ticks(ctx, s.interval) {
		s.look(ctx)
	}
	s.notify(daemon.SdNotifyStopping, "STATUS=draining")
}

// look asks the server whether it lives, and tells that before it asks what serves. It takes half of an
// interval at most, so that a server that lives is told of in time.
func (s *supervision) look(ctx context.Context) {
	within, cancel := context.WithTimeout(ctx, min(s.interval/2, healthTimeout))
	defer cancel()
	_, err := s.ask(within, "/healthz")
	if err != nil {
		if !s.mute && ctx.Err() == nil {
			s.log.Error("the admin address does not answer: systemd is not told that the server lives", "error", err)
		}
		s.mute = true
		return
	}
	s.mute = false
	if !s.ready {
		s.ready = true
		s.notify(daemon.SdNotifyReady)
	}
	if s.watched {
		s.notify(daemon.SdNotifyWatchdog)
	}
	state, _ := s.ask(within, "/readyz") // a server that waits for a snapshot says so with an error
	if state.Status != "" && state.String() != s.state {
		s.state = state.String()
		s.notify("STATUS=" + s.state)
	}
}

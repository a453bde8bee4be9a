package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sabine/bench/results"
	"sabine/bench/step"
)

func TestARunEndsWithAllThatItStarted(t *testing.T) {
	kept := func(r *run) record { return &fleetRecord{results.FleetRun{Run: results.Run{Faults: r.faults}}} }
	// serve starts a program that is ready immediately.
	serve := func(r *run, command ...string) *server {
		s := r.newServer("server")
		s.command, s.ready = command, func() error { return nil }
		s.start()
		return s
	}
	var started *server
	tests := []struct {
		rule  string
		play  func(*run) record
		fault string // part of the error; "" for no error
	}{
		{"every promise was kept", func(r *run) record { started = serve(r, "sleep", "60"); return kept(r) }, ""},
		{"nothing is judged", func(*run) record { return nil }, ""},
		{"a promise is broken", func(r *run) record {
			r.fault(wrong, "an answer")
			return kept(r)
		}, "broken promises (1): nothing is wrong: 1 faults"},
		{"a step has failed, and what is done beside it ends", func(r *run) record {
			started = serve(r, "sleep", "60")
			r.together(func() { <-r.Done() }, func() { step.Check(errors.New("no step")) })
			return kept(r)
		}, "no step"},
		{"a server has ended by itself", func(r *run) record {
			<-serve(r, "false").ended
			return kept(r)
		}, "server ended by itself"},
		{"a server does not become ready", func(r *run) record {
			s := r.newServer("server")
			s.command = []string{"sh", "-c", "echo no such flag; exit 2"}
			s.start()
			return kept(r)
		}, "server is not ready: it ended by itself"},
		{"a log has a panic", func(r *run) record {
			s := serve(r, "sh", "-c", "echo panic: no map; exec sleep 60")
			step.Check(await(r, startTime, func() error {
				if b, err := os.ReadFile(s.log()); err != nil || len(b) == 0 {
					return errors.New("the log is empty")
				}
				return nil
			}))
			return kept(r)
		}, "nothing is careless: 1 faults"},
	}
	for _, tt := range tests {
		t.Setenv("TMPDIR", t.TempDir())
		s := scenario{name: "test", play: tt.play}
		err := s.start(&options{})
		if (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%s: got %v, want %q", tt.rule, err, tt.fault)
		}
		if started != nil && started.process.Signal(syscall.Signal(0)) == nil {
			t.Errorf("%s: the server runs on", tt.rule)
		}
		left, err := filepath.Glob(filepath.Join(os.TempDir(), "*", "*"))
		for _, name := range left {
			if filepath.Ext(name) != ".log" || tt.fault == "" {
				t.Errorf("%s: %s is left, %v", tt.rule, name, err)
			}
		}
	}
}

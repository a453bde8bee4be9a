package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/tidwall/gjson"

	"sabine/bench/trial"
	"sabine/indexes/snapshot"
)

// pause waits, unless the context ends before.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// keptGenerations is how many a folder has, as after a build.
const keptGenerations = 3

// operate does what operators do to the folder of a site: a switch every two seconds, and behind some of them
// something else.
func (s *soak) operate(ctx context.Context, t *site) error {
	beside := []func(*site) error{nil, s.hangUp, nil, s.buildTooSmall, nil, s.damage, s.hangUp, s.buildFaulty, s.truncate,
		s.misname}
	for n := 0; ctx.Err() == nil; n++ {
		next, began := t.other(t.inForce), time.Now()
		if err := t.switchTo(next); err != nil {
			return err
		}
		s.tally.happened("switches", time.Since(began))
		if err := t.forget(keptGenerations); err != nil {
			return err
		}
		pause(ctx, time.Second)
		if do := beside[n%len(beside)]; do != nil {
			if err := do(t); err != nil {
				return err
			}
		}
		pause(ctx, time.Second)
	}
	return nil
}

// rebuild makes one new generation after the other.
func (s *soak) rebuild(ctx context.Context, t *site, rest time.Duration) error {
	for {
		pause(ctx, rest)
		if ctx.Err() != nil {
			return nil
		}
		began := time.Now()
		if err := t.build(ctx); err != nil {
			if ctx.Err() != nil {
				return nil // it was cut off
			}
			return err
		}
		s.tally.happened("builds", time.Since(began))
	}
}

// hangUp has what is in force verified again.
func (s *soak) hangUp(t *site) error {
	s.tally.happened("SIGHUP", 0)
	return t.Signal(syscall.SIGHUP)
}

// buildTooSmall builds a catalogue that is too small to be believed, straight into the folder that is served.
func (s *soak) buildTooSmall(t *site) error {
	return s.refusedBuild(t, s.smallSource, "--max-drop", "10")
}

// buildFaulty builds a file that is no catalogue.
func (s *soak) buildFaulty(t *site) error { return s.refusedBuild(t, s.keys) }

func (s *soak) refusedBuild(t *site, source string, flags ...string) error {
	before, err := t.folder.Current()
	if err != nil {
		return err
	}
	out, err := trial.Run(context.Background(), nil,
		append([]string{s.sabine, "build", source, "--snapshots", t.folder.Dir}, flags...)...)
	if err == nil {
		s.tally.fault(careless, "a build of %s was not refused: %s", source, out)
	}
	if now, err := t.folder.Current(); now != before || err != nil {
		s.tally.fault(careless, "a build that was refused moved CURRENT from %s to %s, %v", before, now, err)
	}
	s.tally.happened("builds refused", 0)
	return nil
}

// damage names a generation in CURRENT of which a bit is wrong.
func (s *soak) damage(t *site) error {
	return s.unserved(t, "damaged generations refused", func(b []byte) []byte { b[len(b)/3] ^= 4; return b })
}

// truncate names one that ends too early.
func (s *soak) truncate(t *site) error {
	return s.unserved(t, "truncated generations refused", func(b []byte) []byte { return b[:len(b)/2] })
}

// misname names something that is no generation.
func (s *soak) misname(t *site) error {
	return s.unserved(t, "files that are no generation refused", func([]byte) []byte { return []byte("no snapshot\n") })
}

// unserved lays a generation of the small catalogue, changed, into the folder, and names it in CURRENT until
// the server has refused it.
func (s *soak) unserved(t *site, what string, change func([]byte) []byte) error {
	name := snapshot.FileName(s.small.generations()[0].Hash)
	whole, err := os.ReadFile(s.small.folder.Path(name))
	if err != nil {
		return err
	}
	if err := os.WriteFile(t.folder.Path(name), change(whole), 0o400); err != nil {
		return err
	}
	began := time.Now()
	if err := t.folder.Switch(name); err != nil {
		return err
	}
	err = t.await(func(ready gjson.Result) bool {
		return ready.Get("status").String() == "degraded" && strings.Contains(ready.Get("reason").String(), name) &&
			ready.Get("snapshot").String() == snapshot.FileName(t.inForce.Hash)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	s.tally.happened(what, time.Since(began))
	err = errors.Join(t.folder.Switch(snapshot.FileName(t.inForce.Hash)), os.Remove(t.folder.Path(name)))
	if err != nil {
		return err
	}
	return t.await(func(ready gjson.Result) bool { return ready.Get("status").String() == "ready" })
}

package main

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"sabine/bench/results"
	"sabine/bench/trial"
)

// A soak is everything that runs, and what is known of it.
type soak struct {
	sabine, dir, keys string // the program, the folder of everything that is written, the key file
	smallSource       string // records of the small catalogue
	rate              int
	accounts          []string // keys of everybody who asks
	spender           string   // key of who spends a budget
	turn              atomic.Int64
	running           []*trial.Process
	small, large      *site
	tally             *tally
}

// parts is how many windows there are while everything happens at once: the last is held against the second,
// behind the first, in which pools and caches fill.
const parts = 5

// measure plays the soak: switches of a small catalogue under load, switches of the large one, and then
// everything at once, until the time is over; and last a rest. An error says that it could not be played.
func (o *options) measure(ctx context.Context, dir string) (r *report, err error) {
	s := &soak{sabine: o.sabine, dir: dir, keys: filepath.Join(dir, "keys.json"),
		smallSource: filepath.Join(dir, "small.ndjson"), rate: o.rate, tally: newTally()}
	defer func() {
		how := syscall.SIGTERM
		if err != nil {
			how = syscall.SIGKILL
		}
		for _, p := range slices.Backward(s.running) {
			if p.Started() {
				err = errors.Join(err, p.End(how))
			}
		}
	}()
	if err := s.setUp(ctx, o); err != nil {
		return nil, err
	}
	part := func(of float64) time.Duration { return time.Duration(of * float64(o.time)) }
	r = &report{Soak: results.Soak{Date: time.Now().UTC().Format(time.RFC3339), Cores: goruntime.NumCPU(),
		Products: s.large.inForce.Products}}
	began := time.Now()
	for _, c := range []struct {
		site             *site
		switches         int
		quiet, switching time.Duration
	}{
		{s.small, o.switches, part(0.05), part(0.1)},
		{s.large, int(part(0.1) / time.Second), part(0.05), part(0.1)},
	} {
		swaps, err := s.compare(ctx, c.site, c.switches, c.quiet, c.switching)
		if err != nil {
			return nil, err
		}
		r.Swaps = append(r.Swaps, swaps)
	}
	r.Snapshot = r.Swaps[1].Snapshot
	if r.AtFirst, err = s.rest(ctx, s.large, nil); err != nil {
		return nil, err
	}
	windows, err := s.everything(ctx, part(0.65)/parts)
	if err != nil {
		return nil, err
	}
	if err := s.large.forget(1); err != nil {
		return nil, err
	}
	if r.AtLast, err = s.rest(ctx, s.large, &r.AtFirst); err != nil {
		return nil, err
	}
	r.Seconds = time.Since(began).Seconds()
	return r, r.tell(s, windows)
}

// setUp makes keys, catalogues and servers.
func (s *soak) setUp(ctx context.Context, o *options) (err error) {
	if err := s.createKeys(ctx, o.rate); err != nil {
		return err
	}
	if s.small, err = newSite(ctx, s, "small", o.small); err != nil {
		return err
	}
	if _, err := s.small.catalogue.Write(0, s.smallSource); err != nil {
		return err
	}
	trial.Tell("two generations of %d products are built; those of %d take a minute or two", o.small, o.products)
	s.large, err = newSite(ctx, s, "large", o.products)
	return err
}

// compare asks a site without switches for a time, and then while so many switches are spread over another.
func (s *soak) compare(ctx context.Context, t *site, switches int, quiet, switching time.Duration) (r results.Swaps,
	err error) {
	r = results.Swaps{Products: t.inForce.Products, Switches: switches}
	if r.Snapshot, err = t.bytes(); err != nil {
		return r, err
	}
	trial.Tell("%s: load without switches", t.Name)
	loaded, unload := context.WithTimeout(ctx, quiet)
	defer unload()
	r.Quiet = s.load(loaded, t).latency()
	trial.Tell("%s: %d switches", t.Name, switches)
	loaded, unload = context.WithCancel(ctx)
	defer unload()
	began := time.Now()
	var switcher errgroup.Group
	switcher.Go(func() error {
		defer unload()
		for n := range switches {
			pause(loaded, time.Until(began.Add(switching/time.Duration(switches)*time.Duration(n))))
			if err := t.switchTo(t.other(t.inForce)); err != nil || ctx.Err() != nil {
				return errors.Join(err, ctx.Err())
			}
		}
		return nil
	})
	r.Switching = s.load(loaded, t).latency()
	r.Seconds = time.Since(began).Seconds()
	trial.Tell("%s: p99 %v, with %d switches in %.0f s %v", t.Name, r.Quiet.P99, switches, r.Seconds, r.Switching.P99)
	return r, switcher.Wait()
}

// everything lets all happen to the large site at once, in windows of a length.
func (s *soak) everything(ctx context.Context, each time.Duration) (windows []*window, err error) {
	trial.Tell("everything at once, for %v", (parts * each).Round(time.Second))
	group, all := errgroup.WithContext(ctx)
	all, stop := context.WithCancel(all)
	defer stop()
	t := s.large
	for _, do := range []func(context.Context, *site) error{
		s.watch, s.operate, s.changeKeys, s.spend, s.converse, s.follow, s.mistake,
		func(ctx context.Context, t *site) error { return s.rebuild(ctx, t, each/4) },
		func(ctx context.Context, t *site) error { return s.export(ctx, t, 20e6) },
		func(ctx context.Context, t *site) error { return s.export(ctx, t, 60e6) },
	} {
		group.Go(func() error { return do(all, t) })
	}
	for kind := range slowClients {
		for range slowEach {
			group.Go(func() error { return s.dawdle(all, t, kind) })
		}
	}
	for range idleConnections {
		group.Go(func() error { return s.idle(all, t) })
	}
	for range parts {
		loaded, unload := context.WithTimeout(all, each)
		windows = append(windows, s.load(loaded, t))
		unload()
	}
	stop()
	return windows, group.Wait()
}

// load asks a site at the steady rate, for a window.
func (s *soak) load(ctx context.Context, t *site) *window {
	return s.tally.load(ctx, t, s.accounts, s.rate)
}

// restTime is how long a server may take to come to rest: connections that are idle or slow end, garbage is
// collected.
const restTime = 60 * time.Second

// rest returns what a site has when nothing is asked any more: as soon as it is no more than a rest before,
// nil: when it has not changed for a while.
func (s *soak) rest(ctx context.Context, t *site, before *results.Rest) (now results.Rest, err error) {
	trial.CloseConnections()
	http.DefaultClient.CloseIdleConnections()
	same := 0
	for deadline := time.Now().Add(restTime); time.Now().Before(deadline) &&
		ctx.Err() == nil; pause(ctx, 100*time.Millisecond) {
		g, err := t.gauge()
		if err != nil {
			return now, err
		}
		was := now
		now = results.Rest{Goroutines: int(g.goroutines), Files: int(g.files), Mappings: int(g.mappings)}
		if same++; now != was {
			same = 0
		}
		if before == nil && same == 30 || before != nil && now.Goroutines <= before.Goroutines &&
			now.Files <= before.Files && now.Mappings <= before.Mappings {
			return now, nil
		}
	}
	return now, ctx.Err()
}

// keepLogs removes everything but logs.
func keepLogs(dir string) error {
	entries, err := os.ReadDir(dir)
	faults := []error{err}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".log" {
			faults = append(faults, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(faults...)
}

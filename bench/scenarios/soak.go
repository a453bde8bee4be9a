package main

import (
	"context"
	"net/http"
	"os"
	goruntime "runtime"
	"time"

	"sabine/bench/results"
	"sabine/bench/trial"
)

// A soak is a small host, which only switches, and a large one, to which everything happens.
type soak struct {
	*host
	small       *host
	smallSource string // records of the small catalogue
}

// parts is how many windows there are while everything happens at once: the last is held against the second,
// after the first, in which pools and caches fill.
const parts = 5

// smallProducts are the records of the small catalogue.
const smallProducts = 2000

// playSoak plays the soak: switches of a small catalogue under load, switches of the large one, and then
// everything at once, until the time is over; and last a rest.
func playSoak(r *run) record {
	r.createKeys(1)
	s := soak{small: r.newHost("small", smallProducts), smallSource: r.Path("small.ndjson")}
	_, err := s.small.catalogue.write(0, s.smallSource)
	r.Check(err)
	tell("two generations of %d products are built; those of %d take a minute or two", smallProducts, r.products)
	s.host = r.newHost("large", r.products)
	began, f := time.Now(), &soakRecord{}
	f.Swaps = []results.Swaps{s.small.compare(int(min(1000, r.time/10/(60*time.Millisecond)))),
		s.compare(int(r.time / 10 / time.Second))}
	f.AtFirst = s.rest(nil)
	windows := s.everything()
	s.forget(1)
	f.AtLast = s.rest(&f.AtFirst)
	f.Run = r.figures(began, f.Swaps[1].Products, windows...)
	f.Cores, f.Snapshot = goruntime.NumCPU(), f.Swaps[1].Snapshot
	for _, w := range windows {
		f.Parts = append(f.Parts, results.SoakPart{Latency: latency(w.took), Held: held(w.samples)})
	}
	return f
}

// compare asks a host without switches for a twentieth of the time, and then while so many switches are
// spread over a tenth.
func (h *host) compare(switches int) (r results.Swaps) {
	info, err := os.Stat(h.folder.Path(h.inForce.file()))
	h.Check(err)
	r = results.Swaps{Products: h.inForce.products, Snapshot: info.Size(), Switches: switches}
	tell("%s: load without switches", h.Name)
	loaded, unload := context.WithTimeout(h, h.time/20)
	defer unload()
	r.Quiet = latency(h.load(loaded).took)
	tell("%s: %d switches", h.Name, switches)
	loaded, unload = context.WithCancel(h)
	defer unload()
	began := time.Now()
	h.All(func() {
		defer unload()
		for n := range switches {
			trial.Pause(h, time.Until(began.Add(h.time/10*time.Duration(n)/time.Duration(switches))))
			h.switchOver()
		}
	}, func() { r.Switching = latency(h.load(loaded).took) })
	r.Seconds = time.Since(began).Seconds()
	tell("%s: p99 %v, with %d switches in %.0f s %v", h.Name, r.Quiet.P99, switches, r.Seconds, r.Switching.P99)
	return r
}

// everything lets all happen to the large host at once, in windows.
func (s *soak) everything() (windows []*window) {
	tell("everything at once, for %v", s.time*65/100)
	ctx, stop := context.WithCancel(s)
	defer stop()
	const million = 1e6
	all := []func(){func() {
		for range parts {
			loaded, unload := context.WithTimeout(ctx, s.time*65/100/parts)
			defer unload()
			windows = append(windows, s.load(loaded))
		}
		stop()
	}}
	for _, do := range []func(context.Context){
		s.watch, s.operate, s.rebuild, s.changeKeys, s.spendBudgets, s.converse, s.follow, s.mistake,
		func(ctx context.Context) { s.export(ctx, 20*million) },
		func(ctx context.Context) { s.export(ctx, 60*million) },
	} {
		all = append(all, func() { do(ctx) })
	}
	for i := range slowClients {
		for range slowClients[i].atATime {
			all = append(all, func() { s.dawdle(ctx, &slowClients[i]) })
		}
	}
	s.All(all...)
	return windows
}

// rest returns what a host has when nothing is asked any more: as soon as it is no more than a rest before,
// nil: when it has not changed for a while. Connections that are idle or slow end in this time, and garbage
// is collected.
func (h *host) rest(before *results.Rest) (now results.Rest) {
	client.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	same := 0
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline) && h.Err() == nil; {
		was := now
		now = h.gauge().Rest
		if same++; now != was {
			same = 0
		}
		if before == nil && same == 30 || before != nil && now.Goroutines <= before.Goroutines &&
			now.Files <= before.Files && now.Mappings <= before.Mappings {
			break
		}
		trial.Pause(h, 100*time.Millisecond)
	}
	return now
}

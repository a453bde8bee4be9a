package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	goruntime "runtime"
	"slices"
	"strings"
	"time"

	"sabine/bench/results"
	"sabine/bench/step"
)

// A soak has a small host, which only switches generations, and a large host, which does everything.
type soak struct {
	*host
	small       *host
	smallSource string // file with the small catalogue's records
	operated    int    // number of calls of operate
}

// playSoak plays the soak: switches of a small catalogue under load, then switches of the large catalogue,
// then everything concurrently for most of the time, and finally a rest.
func playSoak(r *run) record {
	if 9*r.products < 10*smallProducts {
		step.Check(fmt.Errorf("-products %d: expected more records than the %d of the small catalogue", r.products,
			smallProducts))
	}
	r.createKeys(1)
	s := soak{small: r.newHost("small", smallProducts), smallSource: r.path("small.ndjson")}
	s.small.catalogue.write(0, s.smallSource)
	log.Printf("two generations of %d products are built; two of %d take a minute or two", smallProducts, r.products)
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
		f.Parts = append(f.Parts, results.SoakPart{Latency: w.latency(), Held: held(w.samples)})
	}
	return f
}

// compare loads a host without switches for a twentieth of the time, and then with the given number of
// switches for a tenth of the time.
func (h *host) compare(switches int) (r results.Swaps) {
	info := step.Must(os.Stat(h.folder.Path(h.inForce.file())))
	r = results.Swaps{Products: h.inForce.products, Snapshot: info.Size(), Switches: switches}
	log.Printf("%s: load without switches", h.server.name)
	r.Quiet = h.during(func() { pause(h, h.time/20) }).latency()
	log.Printf("%s: %d switches", h.server.name, switches)
	began := time.Now()
	r.Switching = h.during(func() {
		for n := range switches {
			pause(h, time.Until(began.Add(h.time/10*time.Duration(n)/time.Duration(switches))))
			h.switchOver()
		}
	}).latency()
	r.Seconds = time.Since(began).Seconds()
	log.Printf("%s: p99 %v, with %d switches in %.0f s %v", h.server.name, r.Quiet.P99, switches, r.Seconds,
		r.Switching.P99)
	return r
}

// everything does everything concurrently to the large host, divided into windows.
func (s *soak) everything() (windows []*window) {
	log.Printf("everything at once, for %v", s.time*65/100)
	ctx, stop := context.WithCancel(s)
	defer stop()
	const million = 1e6
	all := []func(){func() {
		for range parts {
			windows = append(windows, s.during(func() { pause(s, s.time*65/100/parts) }))
		}
		stop()
	}}
	repeat := func(do func(context.Context), rest time.Duration) {
		all = append(all, func() {
			for ; ctx.Err() == nil; pause(ctx, rest) {
				do(ctx)
			}
		})
	}
	repeat(s.watch, time.Second)
	repeat(s.operate, time.Second)
	repeat(s.rebuild, s.time*3/100)
	repeat(s.changeKeys, 0)
	repeat(s.spendBudgets, s.span) // runs in every other span
	repeat(s.converse, 500*time.Millisecond)
	repeat(s.follow, 5*time.Second)
	repeat(s.mistake, 20*time.Millisecond)
	repeat(func(ctx context.Context) { s.export(ctx, 20*million) }, 0)
	repeat(func(ctx context.Context) { s.export(ctx, 60*million) }, 0)
	for i := range slowClients {
		for range slowClients[i].atATime {
			repeat(func(ctx context.Context) { s.dawdle(ctx, &slowClients[i]) }, 0)
		}
	}
	s.together(all...)
	return windows
}

// rest returns the resources of a host without load, as soon as they do not exceed the resources in before.
// If before is nil, rest waits until the resources have not changed for three seconds. During the wait, idle
// and slow connections end and garbage is collected.
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
		pause(h, 100*time.Millisecond)
	}
	return now
}

type soakRecord struct{ results.SoakRun }

func (r *soakRecord) line() results.Line {
	return results.Line{Key: results.Key{Suite: results.Soak}, Soak: &r.SoakRun}
}

const (
	smallProducts = 2000 // records in the small catalogue
	// number of windows. The last one is compared with the second, because pools and caches fill during the
	// first.
	parts       = 5
	maxRatio    = 2               // maximum p99 during switches divided by the p99 without switches
	refusalTime = 2 * time.Second // time limit for the refusal of an invalid generation

	// The following are numbers of mapped generations.
	keptOpen = 1 + 4        // current generation, and four for change requests
	passing  = 2            // briefly a generation being opened, and one with unfinished requests
	streams  = 2 + slowEach // two exports and the clients that do not read
)

// refusals are the actions that name an invalid generation in CURRENT.
var refusals = []string{"damaged generations refused", "truncated generations refused",
	"files that are no generation refused"}

var actions = slices.Concat(refusals, []string{
	"switches", "SIGHUP", "builds refused", "keys created", "keys paused", "keys resumed", "keys revoked",
	"budgets spent", "whole exports", "of these, across switches", "agent sessions",
	"changes since a generation", "wrong requests", "clients that drip a header", "clients that drip a body",
})

// flat lists the figures that must not grow over time. They can grow by a tenth and by a small constant,
// because the load is random and garbage is not collected continuously.
var flat = []struct {
	name   string
	of     func(*results.Held) int64
	little int64
}{
	{"the heap in bytes", func(h *results.Held) int64 { return h.Heap }, 8 << 20},
	{"memory in bytes", func(h *results.Held) int64 { return h.Anonymous }, 16 << 20},
	{"the number of goroutines", func(h *results.Held) int64 { return int64(h.Goroutines) }, 20},
	{"the number of open files", func(h *results.Held) int64 { return int64(h.Files) }, 20},
}

func (r *soakRecord) judge(hold hold) {
	for i := range r.Swaps {
		w := &r.Swaps[i]
		hold(w.Ratio() <= maxRatio, "%d switches of %d products at most double the p99: it was %v, and %v with them",
			w.Switches, w.Products, w.Quiet.P99, w.Switching.P99)
	}
	for _, f := range flat {
		from, to := f.of(&r.Parts[1].Held), f.of(&r.Parts[parts-1].Held)
		hold(to <= from+from/10+f.little, "%s is flat: from %d to %d", f.name, from, to)
	}
	for _, p := range r.Parts {
		const most = keptOpen + passing + streams
		hold(p.MostMappings <= most, "at most %d generations are mapped: there were %d", most, p.MostMappings)
	}
	hold(r.AtLast.Goroutines <= r.AtFirst.Goroutines && r.AtLast.Files <= r.AtFirst.Files && r.AtLast.Mappings == 1,
		"at rest everything is as at the start, with one generation mapped: %+v, and before %+v", r.AtLast, r.AtFirst)
	for _, what := range actions {
		hold(slices.ContainsFunc(r.Done, func(d results.Action) bool { return d.What == what }), "there are %s", what)
	}
	for _, d := range r.Done {
		hold(!slices.Contains(refusals, d.What) || d.Slowest <= refusalTime,
			"an invalid generation is refused within %v: %s took %v", refusalTime, d.What, d.Slowest)
	}
}

func (h *host) gauge() (now results.Held) {
	read := func(name string) string {
		b := step.Must(os.ReadFile(fmt.Sprintf("/proc/%d/%s", h.process.Pid, name)))
		return string(b)
	}
	text := read("status") + h.get("/metrics")
	number := func(name string) int {
		_, rest, _ := strings.Cut(text, "\n"+name)
		var n float64
		if _, err := fmt.Sscan(rest, &n); err != nil {
			step.Check(fmt.Errorf("%s: expected a number after %q: %w", h.server.name, name, err))
		}
		return int(n)
	}
	files := step.Must(os.ReadDir(fmt.Sprintf("/proc/%d/fd", h.process.Pid)))
	now = results.Held{Anonymous: int64(number("RssAnon:")) << 10, File: int64(number("RssFile:")) << 10,
		Heap: int64(number("go_memstats_heap_inuse_bytes ")), Rest: results.Rest{Goroutines: number("go_goroutines "),
			Files: len(files), Mappings: strings.Count(read("maps"), ".snapshot")}}
	now.MostAnonymous, now.MostMappings = now.Anonymous, now.Mappings
	return now
}

func (s *soak) watch(context.Context) {
	now := s.gauge()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.samples = append(s.now.samples, now)
}

func held(samples []results.Held) (h results.Held) {
	h.Anonymous = medianOf(samples, func(h *results.Held) int64 { return h.Anonymous })
	h.File = medianOf(samples, func(h *results.Held) int64 { return h.File })
	h.Heap = medianOf(samples, func(h *results.Held) int64 { return h.Heap })
	h.Goroutines = medianOf(samples, func(h *results.Held) int { return h.Goroutines })
	h.Files = medianOf(samples, func(h *results.Held) int { return h.Files })
	h.Mappings = medianOf(samples, func(h *results.Held) int { return h.Mappings })
	for _, s := range samples {
		h.MostMappings = max(h.MostMappings, s.MostMappings)
		h.MostAnonymous = max(h.MostAnonymous, s.MostAnonymous)
	}
	return h
}

func medianOf[S any, T cmp.Ordered](samples []S, of func(*S) T) T {
	var all []T
	for i := range samples {
		all = append(all, of(&samples[i]))
	}
	return quantile(all, 0.5)
}

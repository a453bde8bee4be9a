package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"sabine/bench/results"
	"sabine/bench/trial"
)

// A soakRecord is the figures of a soak.
type soakRecord struct{ results.Soak }

// What may be at most.
const (
	maxRatio = 2 // of the p99 among switches to the quiet one
	// keptOpen is how many generations a server keeps mapped by itself: the one in force, and four that changes
	// were asked since.
	keptOpen = 1 + 4
	// passing is how many more there may be for a moment: one that is opened, and one whose last requests end.
	passing = 2
	// streams hold the generation that they began with: two exports, and the slow clients that do not read
	// theirs.
	streams = 2 + slowEach
	// refusalTime is how long it may take until a generation that cannot serve is refused.
	refusalTime = 2 * time.Second
)

// refusals are what a generation in CURRENT that cannot serve comes to.
var refusals = []string{"damaged generations refused", "truncated generations refused",
	"files that are no generation refused"}

// deeds are what must have happened.
var deeds = slices.Concat(refusals, []string{
	"switches", "SIGHUP", "builds refused", "keys created", "keys paused", "keys resumed", "keys revoked", "budgets spent",
	"whole exports", "of these, across switches", "sessions of agents", "changes since a generation",
	"wrong requests", "clients that drip a header", "clients that drip a body",
})

// flat are figures that do not grow over a long time but for a tenth, since the load is random and garbage is
// collected now and then, and a little that does not grow with anything.
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
		hold(w.Ratio() <= maxRatio, "%d switches of %d products at most double the p99: it was %v, and %v among them",
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
		"at rest everything is as at the start, and one generation mapped: %+v, and before %+v", r.AtLast, r.AtFirst)
	for _, what := range deeds {
		hold(slices.ContainsFunc(r.Done, func(d results.Deed) bool { return d.What == what }), "there are %s", what)
	}
	for _, d := range r.Done {
		hold(!slices.Contains(refusals, d.What) || d.Slowest <= refusalTime,
			"what cannot serve is refused within %v: %s took %v", refusalTime, d.What, d.Slowest)
	}
}

// gauge measures the process of a host.
func (h *host) gauge() (now results.Held) {
	read := func(name string) string {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", h.ID(), name))
		h.Check(err)
		return string(b)
	}
	text := read("status") + h.told("/metrics")
	number := func(name string) int {
		_, rest, _ := strings.Cut(text, "\n"+name)
		var n float64
		if _, err := fmt.Sscan(rest, &n); err != nil {
			h.Check(fmt.Errorf("%s: expected a number after %q: %w", h.Name, name, err))
		}
		return int(n)
	}
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", h.ID()))
	h.Check(err)
	now = results.Held{Anonymous: int64(number("RssAnon:")) << 10, File: int64(number("RssFile:")) << 10,
		Heap: int64(number("go_memstats_heap_inuse_bytes ")), Rest: results.Rest{Goroutines: number("go_goroutines "),
			Files: len(files), Mappings: strings.Count(read("maps"), ".snapshot")}}
	now.MostAnonymous, now.MostMappings = now.Anonymous, now.Mappings
	return now
}

// watch measures the large host once a second, into the window of the moment.
func (s *soak) watch(ctx context.Context) {
	for ; ctx.Err() == nil; trial.Pause(ctx, time.Second) {
		now := s.gauge()
		s.mu.Lock()
		s.now.samples = append(s.now.samples, now)
		s.mu.Unlock()
	}
}

// held returns the medians of what was measured, and the most mappings and memory.
func held(samples []results.Held) (h results.Held) {
	h.Anonymous = median(samples, func(h *results.Held) int64 { return h.Anonymous })
	h.File = median(samples, func(h *results.Held) int64 { return h.File })
	h.Heap = median(samples, func(h *results.Held) int64 { return h.Heap })
	h.Goroutines = median(samples, func(h *results.Held) int { return h.Goroutines })
	h.Files = median(samples, func(h *results.Held) int { return h.Files })
	h.Mappings = median(samples, func(h *results.Held) int { return h.Mappings })
	for _, s := range samples {
		h.MostMappings = max(h.MostMappings, s.MostMappings)
		h.MostAnonymous = max(h.MostAnonymous, s.MostAnonymous)
	}
	return h
}

func median[T int | int64](samples []results.Held, of func(*results.Held) T) T {
	var all []T
	for i := range samples {
		all = append(all, of(&samples[i]))
	}
	return trial.Quantile(all, 0.5)
}

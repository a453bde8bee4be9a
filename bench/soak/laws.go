package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"sabine/bench/results"
)

// A report is the figures of a run.
type report struct{ results.Soak }

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

// grows reports whether there is more at the end of a long time than near its beginning, beyond what may be
// without a leak: a part, since the load is random and garbage is collected now and then, and a little that
// does not grow with anything.
func grows(from, to, little int64) bool { return to > from+from/10+little }

// refusals are what a generation in CURRENT that cannot serve comes to.
var refusals = []string{"damaged generations refused", "truncated generations refused",
	"files that are no generation refused"}

// deeds are what must have happened.
var deeds = slices.Concat(refusals, []string{
	"switches", "SIGHUP", "builds refused", "keys created", "keys paused", "keys resumed", "keys revoked", "budgets spent",
	"whole exports", "of these, across switches", "sessions of agents", "changes since a generation",
	"wrong requests", "clients that drip a header", "clients that drip a body",
})

// tell takes the figures of a run in, and names the laws that were broken.
func (r *report) tell(s *soak, windows []*window) error {
	t := s.tally
	all := &window{took: map[string][]time.Duration{}}
	for _, w := range windows {
		r.Parts = append(r.Parts, results.SoakPart{Latency: w.latency(), Held: held(w.samples)})
		r.Skipped += w.skipped
		r.Stall = max(r.Stall, w.stall)
		for class, took := range w.took {
			all.took[class] = append(all.took[class], took...)
		}
	}
	for _, class := range slices.Sorted(maps.Keys(all.took)) {
		r.Classes = append(r.Classes, results.SoakClass{Class: class, Latency: all.latency(class)})
	}
	for _, what := range slices.Sorted(maps.Keys(t.done)) {
		r.Done = append(r.Done, results.Deed{What: what, Times: t.done[what], Slowest: t.slow[what]})
	}
	r.Faults = t.faults
	for _, site := range []*site{s.small, s.large} {
		complaints, err := site.complaints()
		if err != nil {
			return err
		}
		for _, line := range complaints {
			t.fault(careless, "the log of %s: %s", site.Name, line)
		}
	}
	r.judge(s.rate, t.slow)
	return nil
}

// judge names the laws that were broken.
func (r *report) judge(rate int, slow map[string]time.Duration) {
	hold := func(held bool, law string, got ...any) {
		if !held {
			r.Broken = append(r.Broken, fmt.Sprintf(law, got...))
		}
	}
	for _, sort := range []string{wrong, misplaced, failed, careless} {
		hold(r.Faults[sort] == 0, "nothing is %s: %d times something was", sort, r.Faults[sort])
	}
	for i := range r.Swaps {
		w := &r.Swaps[i]
		hold(w.Ratio() <= maxRatio, "%d switches of %d products at most double the p99: it was %v, and %v among them",
			w.Switches, w.Products, w.Quiet.P99, w.Switching.P99)
	}
	second, last := r.Parts[1], r.Parts[parts-1]
	hold(!grows(second.Heap, last.Heap, 8<<20), "the heap is flat: from %d bytes to %d", second.Heap, last.Heap)
	hold(!grows(second.Anonymous, last.Anonymous, 16<<20), "memory is flat: from %d bytes to %d", second.Anonymous,
		last.Anonymous)
	hold(!grows(int64(second.Goroutines), int64(last.Goroutines), 20), "goroutines are flat: from %d to %d",
		second.Goroutines, last.Goroutines)
	hold(!grows(int64(second.Files), int64(last.Files), 20), "open files are flat: from %d to %d", second.Files,
		last.Files)
	for _, p := range r.Parts {
		most := keptOpen + passing + streams
		hold(p.MostMappings <= most, "at most %d generations are mapped: there were %d", most, p.MostMappings)
	}
	hold(r.AtLast.Goroutines <= r.AtFirst.Goroutines && r.AtLast.Files <= r.AtFirst.Files && r.AtLast.Mappings == 1,
		"at rest everything is as at the start, and one generation mapped: %+v, and before %+v", r.AtLast, r.AtFirst)
	for _, what := range deeds {
		hold(slices.ContainsFunc(r.Done, func(d results.Deed) bool { return d.What == what }), "there are %s", what)
	}
	for _, what := range refusals {
		hold(slow[what] <= refusalTime, "what cannot serve is refused within %v: %s took %v", refusalTime, what, slow[what])
	}
	sent := 0
	for _, p := range r.Parts {
		sent += p.Requests
	}
	hold(10*sent >= 9*(sent+r.Skipped), "the load is %d requests a second: %d were sent, and %d not", rate, sent,
		r.Skipped)
}

// print prints the figures for people.
func (r *report) print(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(what, format string, got ...any) { fmt.Fprintf(t, what+"\t"+format+"\n", got...) }
	latency := func(l results.Latency) string {
		return fmt.Sprintf("p50 %v, p99 %v, worst %v (%d)", l.P50.Round(time.Microsecond), l.P99.Round(time.Microsecond),
			l.Worst.Round(time.Microsecond), l.Requests)
	}
	row("under load", "%.0f s, %d products, %d MB", r.Seconds, r.Products, r.Snapshot/1e6)
	for _, w := range r.Swaps {
		row(fmt.Sprintf("%d products", w.Products), "quiet: %s", latency(w.Quiet))
		row("", "%d switches in %.0f s: %s, %.2f times", w.Switches, w.Seconds, latency(w.Switching), w.Ratio())
	}
	for i, p := range r.Parts {
		row(fmt.Sprint("part ", i+1),
			"%s; RSS anonymous %d MiB (most %d), of files %d, heap %d, goroutines %d, files %d, mappings %d (most %d)",
			latency(p.Latency),
			p.Anonymous>>20, p.MostAnonymous>>20, p.File>>20, p.Heap>>20, p.Goroutines, p.Files, p.Mappings, p.MostMappings)
	}
	for _, c := range r.Classes {
		row(c.Class, "%s", latency(c.Latency))
	}
	for _, d := range r.Done {
		row(d.What, "%d, slowest %v", d.Times, d.Slowest.Round(time.Millisecond))
	}
	row("at rest", "%+v, before %+v", r.AtLast, r.AtFirst)
	row("not sent, at a stop", "%d, %v", r.Skipped, r.Stall.Round(time.Millisecond))
	for _, law := range r.Broken {
		row("BROKEN", "%s", law)
	}
	return t.Flush()
}

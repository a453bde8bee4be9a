package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"sabine/bench/results"
	"sabine/bench/trial"
)

// evidence is how many examples of each sort of fault are shown.
const evidence = 10

// A tally is what became of everything that was asked and done.
type tally struct {
	mu     sync.Mutex
	faults map[string]int           // by sort
	done   map[string]int           // what happened, by its name
	slow   map[string]time.Duration // the longest time that each took
	now    *window
}

// A window is a part of the run.
type window struct {
	took    map[string][]time.Duration // requests of the load, by class
	samples []sample
	skipped int
	stall   time.Duration
}

func newTally() *tally {
	t := &tally{faults: map[string]int{}, done: map[string]int{}, slow: map[string]time.Duration{}}
	t.begin()
	return t
}

// begin begins a window.
func (t *tally) begin() *window {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now = &window{took: map[string][]time.Duration{}}
	return t.now
}

// The sorts of faults.
const (
	wrong     = "wrong"     // an answer that is not that of the generation that it names
	misplaced = "misplaced" // an answer of a generation that was not in force
	failed    = "failed"    // a request without an answer, or with a status that it must not have
	careless  = "careless"  // something else that the server must do, or must not
)

// fault notes one, and shows it unless many were shown.
func (t *tally) fault(sort, format string, why ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.faults[sort]++; t.faults[sort] <= evidence {
		trial.Tell("%s: %s", sort, fmt.Sprintf(format, why...))
	}
}

// happened counts what was done, and how long it took.
func (t *tally) happened(what string, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done[what]++
	t.slow[what] = max(t.slow[what], took)
}

// exchange puts a question of the load to a site and judges the answer.
func (t *tally) exchange(ctx context.Context, s *site, n int, key string) {
	q := &s.questions[n]
	reached := s.history.Reached(0)
	known := s.history.KnownTag(n, reached)
	began := time.Now()
	a, err := trial.Ask(ctx, s.Address, q, key, known)
	ended := time.Now()
	if err != nil {
		t.fault(failed, "%s %s: %v", q.Class, q.Path, err)
		return
	}
	fault, isMisplaced := s.history.Judge(0, n, reached, known, a, ended)
	switch {
	case a.Status >= 500 || a.Status == 429:
		t.fault(failed, "%s %s: %v", q.Class, q.Path, a)
	case isMisplaced:
		t.fault(misplaced, "%s %s: %s", q.Class, q.Path, fault)
	case fault != "":
		t.fault(wrong, "%s %s: %s", q.Class, q.Path, fault)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.took[q.Class] = append(t.now.took[q.Class], ended.Sub(began))
}

// load asks a site at a steady rate, for a window.
func (t *tally) load(ctx context.Context, s *site, accounts []string, perSecond int) *window {
	w := t.begin()
	w.skipped, w.stall = trial.Load(ctx, perSecond, func(n int) {
		t.exchange(context.WithoutCancel(ctx), s, rand.IntN(len(s.questions)), accounts[n%len(accounts)])
	})
	return w
}

// all returns the times of all requests of a window, of the classes named or of every one.
func (w *window) all(classes ...string) (all []time.Duration) {
	for class, took := range w.took {
		if len(classes) == 0 || slices.Contains(classes, class) {
			all = append(all, took...)
		}
	}
	return all
}

// latency returns the figures of a window.
func (w *window) latency(classes ...string) results.Latency {
	all := w.all(classes...)
	return results.Latency{Requests: len(all), P50: trial.Quantile(all, 0.5), P99: trial.Quantile(all, 0.99),
		Worst: trial.Quantile(all, 1)}
}

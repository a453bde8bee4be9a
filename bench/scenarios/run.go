package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sabine/bench/results"
	"sabine/bench/trial"
)

// A run is what every scenario has: who asks, and what became of it.
type run struct {
	*trial.T
	*scenario
	*options
	name     string
	keys     string // the key file
	keyFlags []string
	servers  []*trial.Server // all sabines
	accounts []string        // keys of those who ask
	turn     atomic.Int64
	spenders []string // keys of accounts that spend their budgets
	// excused reports whether a status that is none of a generation's is right at a moment; nil: none is
	excused func(a *answer, at time.Time) bool

	mu       sync.Mutex
	faults   map[string]int // by sort
	done     map[string]*results.Deed
	statuses map[int]int
	now      *window
}

func newRun(t *trial.T, name string, o *options, s *scenario) *run {
	return &run{T: t, scenario: s, options: o, name: name, keys: t.Path("keys.json"), faults: map[string]int{},
		done: map[string]*results.Deed{}, statuses: map[int]int{}}
}

// newServer returns a sabine that is not started, without limits that nothing is held to.
func (r *run) newServer(name string, flags ...string) *trial.Server {
	s := r.NewSabine(r.sabine, name, append(flags, "--public-detail", "--public-url", "https://"+r.name+".example",
		"--public-limit", "1000000000/1m", "--export-limit", "500000000/24h")...)
	r.servers = append(r.servers, s)
	return s
}

// createKeys makes accounts: so many that the load spends no more than half of the budget of any, and some
// that spend theirs.
func (r *run) createKeys(spenders int) {
	for i := range 2*r.rate*int(r.span/time.Second)/r.budget + 1 {
		r.accounts = append(r.accounts, r.createKey(fmt.Sprint("load-", i)))
	}
	for i := range spenders {
		r.spenders = append(r.spenders, r.createKey(fmt.Sprint("spender-", i)))
	}
}

func (r *run) createKey(account string) string {
	return r.Run(append([]string{r.sabine, "keys", "create", "--account", account, "--keys", r.keys}, r.keyFlags...)...)
}

// account returns the key of one of the accounts, each in turn.
func (r *run) account() string { return r.accounts[r.turn.Add(1)%int64(len(r.accounts))] }

// A window is a part of the run.
type window struct {
	took    map[string][]time.Duration // requests by class
	samples []results.Held
	skipped int           // requests that were not sent: too many were on their way
	stall   time.Duration // the longest time in which the load could not run: what the machine does to all
}

// begin begins a window.
func (r *run) begin() *window {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = &window{took: map[string][]time.Duration{}}
	return r.now
}

// The sorts of faults.
const (
	wrong     = "wrong"     // an answer that is not that of the generation that it names
	misplaced = "misplaced" // an answer of a generation that was not in force
	failed    = "failed"    // a request without an answer, or with a status that it must not have
	careless  = "careless"  // something else that the server must do, or must not
)

// fault notes one, and shows it unless many were shown.
func (r *run) fault(sort, format string, why ...any) {
	const evidence = 10
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.faults[sort]++; r.faults[sort] <= evidence {
		tell("%s: %s", sort, fmt.Sprintf(format, why...))
	}
}

// happened counts what was done, and how long it took.
func (r *run) happened(what string, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done[what] == nil {
		r.done[what] = &results.Deed{What: what}
	}
	r.done[what].Times++
	r.done[what].Slowest = max(r.done[what].Slowest, took)
}

// answered counts a request of the window of the moment.
func (r *run) answered(class string, status int, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statuses[status]++
	r.now.took[class] = append(r.now.took[class], took)
}

// checkLogs notes the lines of logs that no server may write.
func (r *run) checkLogs() {
	for _, s := range r.servers {
		lines, err := exec.CommandContext(r, "grep", "-E", "panic|goroutine |DATA RACE", s.Log()).Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 1 {
			continue // there are none
		}
		r.Check(err)
		for line := range strings.Lines(string(lines)) {
			r.fault(careless, "the log of %s: %s", s.Name, line)
		}
	}
}

// figures returns those that every scenario has, of a run that began at a time and of its windows.
func (r *run) figures(began time.Time, products int, windows ...*window) (f results.Run) {
	f = results.Run{Date: began.UTC().Format(time.RFC3339), Seconds: time.Since(began).Seconds(), Products: products,
		Faults: r.faults}
	all := map[string][]time.Duration{}
	for _, w := range windows {
		f.Skipped += w.skipped
		f.Stall = max(f.Stall, w.stall)
		for class, took := range w.took {
			all[class] = append(all[class], took...)
		}
	}
	f.Latency = latency(all)
	for _, class := range slices.Sorted(maps.Keys(all)) {
		one := latency(map[string][]time.Duration{"": all[class]})
		f.Classes = append(f.Classes, results.ClassLatency{Class: class, Latency: one})
	}
	for _, what := range slices.Sorted(maps.Keys(r.done)) {
		f.Done = append(f.Done, *r.done[what])
	}
	return f
}

func latency(took map[string][]time.Duration) results.Latency {
	all := slices.Concat(slices.Collect(maps.Values(took))...)
	return results.Latency{Requests: len(all), P50: trial.Quantile(all, 0.5), P99: trial.Quantile(all, 0.99),
		Worst: trial.Quantile(all, 1)}
}

// tell tells of a step, for who watches.
func tell(format string, what ...any) {
	fmt.Fprintf(os.Stderr, "%s %s\n", time.Now().UTC().Format("15:04:05.000"), fmt.Sprintf(format, what...))
}

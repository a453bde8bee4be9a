package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"sabine/bench/results"
	"sabine/bench/step"
)

// A run is one of a scenario: what runs, who asks, and what became of it. The first
// step that fails ends it, and with it whatever it has started.
type run struct {
	context.Context // ends when the run does
	end             context.CancelCauseFunc
	*scenario
	*options
	env     []string // of sabine, beside that of this program
	dir     string   // of logs, which are kept when the run fails, and of data
	memory  string   // a folder in memory; "": none was made
	running []*server

	keys     string // the key file
	keyFlags []string
	accounts []string // keys of those who ask
	spenders []string // keys of accounts that spend their budgets
	// excused reports whether a status that is none of a generation's is right at a moment; nil: none is
	excused func(a *answer, at time.Time) bool

	mu       sync.Mutex
	faults   map[string]int // by sort
	done     map[string]results.Deed
	statuses map[int]int
	now      *window
}

// start plays a scenario. An error says that it could not be played, or that a promise is broken.
func (s *scenario) start(o *options) error {
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "sabine-"+s.name)
	if err != nil {
		return err
	}
	r := &run{scenario: s, options: o, dir: dir, faults: map[string]int{}, done: map[string]results.Deed{},
		statuses: map[int]int{}}
	r.keys = r.path("keys.json")
	r.Context, r.end = context.WithCancelCause(interrupted)
	err = step.Try(func() {
		step.Check(os.Mkdir(r.path(), 0o700))
		record := s.play(r)
		r.checkLogs()
		step.Check(r.stop(syscall.SIGTERM))
		step.Check(r.publish(record))
	})
	r.end(err)
	if err = errors.Join(err, r.stop(syscall.SIGKILL), os.RemoveAll(r.path()), os.RemoveAll(r.memory)); err != nil {
		return fmt.Errorf("%w (logs are kept in %s)", err, dir)
	}
	return os.RemoveAll(dir)
}

// together does things at once and returns when all have ended, unless the run has.
func (r *run) together(things ...func()) {
	var all sync.WaitGroup
	for _, do := range things {
		all.Go(func() {
			if err := step.Try(do); err != nil {
				r.end(err)
			}
		})
	}
	all.Wait()
	step.Check(context.Cause(r))
}

func (r *run) path(name ...string) string {
	return filepath.Join(append([]string{r.dir, "data"}, name...)...)
}

// stop ends all that runs, the servers before what they need. Whatever has ended by itself is an error.
func (r *run) stop(how syscall.Signal) (err error) {
	for _, s := range slices.Backward(r.running) {
		err = errors.Join(err, s.stop(how))
	}
	return err
}

func (r *run) runSabine(args ...string) string {
	return step.Must(r.try(args...))
}

// try is runSabine for what may fail. It gives way to the servers, which elsewhere do not share a machine
// with a build.
func (r *run) try(args ...string) (string, error) {
	c := exec.CommandContext(r, "nice", append([]string{"-n", "19", r.sabine}, args...)...)
	c.Env = append(os.Environ(), r.env...)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("sabine %s: %w: %s", args[0], err, said.String())
	}
	return strings.TrimSpace(string(out)), nil
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
	return r.runSabine(append([]string{"keys", "create", "--account", account, "--keys", r.keys}, r.keyFlags...)...)
}

func (r *run) account() string { return r.accounts[rand.IntN(len(r.accounts))] }

type window struct {
	took    map[string][]time.Duration // requests by class
	samples []results.Held
	skipped int           // requests that were not sent: too many were on their way
	stall   time.Duration // the longest time in which the load could not run: what the machine does to all
}

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
		log.Printf("%s: %s", sort, fmt.Sprintf(format, why...))
	}
}

func (r *run) happened(what string, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.done[what]
	r.done[what] = results.Deed{What: what, Times: d.Times + 1, Slowest: max(d.Slowest, took)}
}

func (r *run) answered(class string, status int, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statuses[status]++
	r.now.took[class] = append(r.now.took[class], took)
}

// checkLogs notes the lines of logs that no server may write.
func (r *run) checkLogs() {
	for _, s := range r.running {
		lines := step.Must(exec.CommandContext(r, "awk", "/panic|goroutine |DATA RACE/", s.log()).Output())
		for line := range strings.Lines(string(lines)) {
			r.fault(careless, "the log of %s: %s", s.name, line)
		}
	}
}

// figures returns those that every scenario has, of a run that began at a time and of its windows.
func (r *run) figures(began time.Time, products int, windows ...*window) (f results.Run) {
	f = results.Run{Date: began.UTC().Format(time.RFC3339), Seconds: time.Since(began).Seconds(), Products: products,
		Faults: r.faults}
	all := window{took: map[string][]time.Duration{}}
	for _, w := range windows {
		f.Skipped += w.skipped
		f.Stall = max(f.Stall, w.stall)
		for class, took := range w.took {
			all.took[class] = append(all.took[class], took...)
		}
	}
	f.Latency = all.latency()
	for _, class := range slices.Sorted(maps.Keys(all.took)) {
		f.Classes = append(f.Classes, results.ClassLatency{Class: class, Latency: latency(all.took[class])})
	}
	for _, what := range slices.Sorted(maps.Keys(r.done)) {
		f.Done = append(f.Done, r.done[what])
	}
	return f
}

func (w *window) latency() results.Latency { return latency(slices.Collect(maps.Values(w.took))...) }

func latency(took ...[]time.Duration) results.Latency {
	all := slices.Concat(took...)
	return results.Latency{Requests: len(all), P50: quantile(all, 0.5), P99: quantile(all, 0.99), Worst: quantile(all, 1)}
}

// quantile returns the value that a share of a list does not exceed, 0 of an empty list. It sorts the list.
func quantile[T cmp.Ordered](list []T, share float64) (value T) {
	if len(list) > 0 {
		slices.Sort(list)
		value = list[int(share*float64(len(list)-1))]
	}
	return value
}

// await tries something again and again until it succeeds, for a time at most and while the context lasts.
func await(ctx context.Context, within time.Duration, try func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("not within %v", within))
	defer cancel()
	err := try()
	for ; err != nil && ctx.Err() == nil; err = try() {
		pause(ctx, 2*time.Millisecond)
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	return err
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

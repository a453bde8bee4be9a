package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
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

type scenario struct {
	name     string
	products int // default number of records in the catalogue
	rate     int // requests per second in the steady load, summed over all servers
	budget   int // maximum number of requests from each account in each span
	span     time.Duration
	play     func(*run) record
}

var scenarios = []scenario{
	{"fleet", 5000, 300, 100, 20 * time.Second, playFleet},
	{"soak", 80_000, 200, 200, 10 * time.Second, playSoak}, // 80,000 records make a snapshot of 700 MB
	{"http", 100_000, 0, 0, 0, playHTTP},
}

type options struct {
	sabine, s3, out      string
	time                 time.Duration
	records, generations int
	class                string
	against, beside      string // program and flags of the other sabine
}

func main() {
	if len(os.Args) == 4 && os.Args[1] == bareCommand {
		log.Fatalln("bare:", step.Try(func() { bare(os.Args[2], os.Args[3]) }))
	}
	var o options
	flag.StringVar(&o.sabine, "sabine", "bin/sabine", "the `program` that builds, publishes and serves")
	flag.StringVar(&o.out, "out", "", "the `file` to which results are appended as lines of JSON")
	flag.IntVar(&o.records, "products", 0,
		"`number` of records of the catalogue (default: fleet 5000, soak 80000, http 100000)")
	flag.DurationVar(&o.time, "time", 10*time.Minute,
		"soak: how long the servers are under load, without the first builds")
	flag.StringVar(&o.s3, "s3", ".tools/versitygw", "fleet: the `program` of the S3 server")
	flag.IntVar(&o.generations, "generations", 20, "fleet: `number` of generations that are published")
	flag.StringVar(&o.class, "class", "", "http: measure the classes whose name this regular `expression` matches")
	flag.StringVar(&o.against, "against", "",
		"http: compare with this `program` of sabine and its builds, by turns, instead of the bare handler")
	flag.StringVar(&o.beside, "beside", "",
		"http: compare with a sabine that has these `flags` of serve, by turns, instead of the bare handler")
	flag.Parse()
	log.SetFlags(log.Ltime | log.Lmicroseconds | log.LUTC)
	n := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == flag.Arg(0) })
	if n < 0 || flag.NArg() != 1 {
		log.Fatalf("expected fleet, soak or http after the flags, got %q", flag.Args())
	}
	scenarios[n].products = cmp.Or(o.records, scenarios[n].products)
	if err := scenarios[n].start(&o); err != nil {
		log.Fatalf("%s: %v", scenarios[n].name, err)
	}
}

// A record contains the figures of a run that is judged. It is nil for a scenario that only measures.
type record interface {
	Figures() *results.Run
	judge(hold)
	line() results.Line
}

// hold records promise, formatted with the figures, as broken unless kept is true.
type hold func(kept bool, promise string, figures ...any)

// publish judges, prints and appends the figures of a run. It returns an error if a promise is broken.
func (r *run) publish(figures record) error {
	if figures == nil {
		return nil
	}
	judge(figures, r.rate)
	fmt.Println(string(step.Must(json.MarshalIndent(figures, "", "  "))))
	out := step.Must(results.Append(r.out))
	err := errors.Join(out.Add(figures.line()), out.Close())
	if broken := figures.Figures().Broken; len(broken) > 0 {
		err = errors.Join(err, fmt.Errorf("broken promises (%d): %s", len(broken), strings.Join(broken, "; ")))
	}
	return err
}

// judge lists the broken promises, both the common ones and the record's own.
func judge(r record, rate int) {
	f := r.Figures()
	hold := func(kept bool, promise string, figures ...any) {
		if !kept {
			f.Broken = append(f.Broken, fmt.Sprintf(promise, figures...))
		}
	}
	for _, kind := range []string{wrong, misplaced, failed, careless} {
		hold(f.Faults[kind] == 0, "nothing is %s: %d faults", kind, f.Faults[kind])
	}
	hold(10*f.Requests >= 9*(f.Requests+f.Skipped), "the load is %d requests a second: %d were sent and %d skipped", rate,
		f.Requests, f.Skipped)
	r.judge(hold)
}

// A run is one run of a scenario, with its servers, clients and figures. The first step that fails ends the
// run and everything that the run has started.
type run struct {
	context.Context // ends with the run
	end             context.CancelCauseFunc
	*scenario
	*options
	env     []string // for sabine, in addition to this program's environment
	dir     string   // folder of data and logs; not deleted after a failure
	memory  string   // folder in memory; "" for none
	running []*server

	keys     string // path of the key file
	keyFlags []string
	accounts []string // API keys for the load
	spenders []string // API keys of accounts that exceed their budgets
	// excused reports whether a is valid although it comes from no generation. If nil, a is not valid.
	excused func(a *answer, at time.Time) bool

	mu       sync.Mutex
	faults   map[string]int // number of faults by kind
	done     map[string]results.Action
	statuses map[int]int
	now      *window
}

// start plays a scenario. It returns an error if the scenario fails or breaks a promise.
func (s *scenario) start(o *options) error {
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "sabine-"+s.name)
	if err != nil {
		return err
	}
	r := &run{scenario: s, options: o, dir: dir, faults: map[string]int{}, done: map[string]results.Action{},
		statuses: map[int]int{}}
	r.keys = r.path("keys.json")
	r.Context, r.end = context.WithCancelCause(interrupted)
	err = step.Try(func() {
		step.Check(os.Mkdir(r.path(), 0o700))
		record := s.play(r)
		for _, s := range r.running {
			lines := step.Must(exec.CommandContext(r, "awk", "/panic|goroutine |DATA RACE/", s.log()).Output())
			for line := range strings.Lines(string(lines)) {
				r.fault(careless, "the log of %s: %s", s.name, line)
			}
		}
		step.Check(r.stop(syscall.SIGTERM))
		step.Check(r.publish(record))
	})
	r.end(err)
	if err = errors.Join(err, r.stop(syscall.SIGKILL), os.RemoveAll(r.path()), os.RemoveAll(r.memory)); err != nil {
		return fmt.Errorf("%w (the logs are in %s)", err, dir)
	}
	return os.RemoveAll(dir)
}

// together calls functions concurrently and waits for all of them. If the run has ended, it ends the steps.
func (r *run) together(functions ...func()) {
	var all sync.WaitGroup
	for _, do := range functions {
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

// stop ends all servers in reverse order, because later servers depend on earlier servers. It returns an
// error if a server has already ended.
func (r *run) stop(how syscall.Signal) (err error) {
	for _, s := range slices.Backward(r.running) {
		err = errors.Join(err, s.stop(how))
	}
	return err
}

func (r *run) runSabine(args ...string) string {
	return step.Must(r.try(r.sabine, args...))
}

// try runs a sabine program and returns its output. The program has a low priority, because production
// servers do not share a machine with builds.
func (r *run) try(program string, args ...string) (string, error) {
	c := exec.CommandContext(r, "nice", append([]string{"-n", "19", program}, args...)...)
	c.Env = append(os.Environ(), r.env...)
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("sabine %s: %w: %s", args[0], err, stderr.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// createKeys creates enough load accounts that each spends at most half of its budget. It also creates
// accounts that exceed their budgets.
func (r *run) createKeys(spenders int) {
	for i := range 2*r.rate*int(r.span/time.Second)/r.budget + 1 {
		r.accounts = append(r.accounts, r.createKey(r.sabine, fmt.Sprint("load-", i)))
	}
	for i := range spenders {
		r.spenders = append(r.spenders, r.createKey(r.sabine, fmt.Sprint("spender-", i)))
	}
}

func (r *run) createKey(program, account string) string {
	command := []string{"keys", "create", "--account", account, "--keys", r.keys}
	return step.Must(r.try(program, append(command, r.keyFlags...)...))
}

func (r *run) account() string { return r.accounts[rand.IntN(len(r.accounts))] }

type window struct {
	took    map[string][]time.Duration // response times by class
	samples []results.Held
	skipped int           // number of requests not sent because too many were unanswered
	stall   time.Duration // longest pause of the load that the machine caused
}

func (r *run) begin() *window {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = &window{took: map[string][]time.Duration{}}
	return r.now
}

// Kinds of faults and their conditions.
const (
	wrong     = "wrong"     // the answer differs from the correct answer of the generation that it names
	misplaced = "misplaced" // the answer comes from a generation that was not in use
	failed    = "failed"    // the request has no answer or an answer with an invalid status
	careless  = "careless"  // another promise is broken
)

// fault counts a fault. It logs the first ten faults of each kind.
func (r *run) fault(kind, format string, why ...any) {
	const logged = 10
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.faults[kind]++; r.faults[kind] <= logged {
		log.Printf("%s: %s", kind, fmt.Sprintf(format, why...))
	}
}

func (r *run) happened(what string, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.done[what]
	r.done[what] = results.Action{What: what, Times: a.Times + 1, Slowest: max(a.Slowest, took)}
}

func (r *run) figures(began time.Time, products int, windows ...*window) (f results.Run) {
	f = results.Run{Seconds: time.Since(began).Seconds(), Products: products, Faults: r.faults}
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

// quantile sorts a list and returns the given quantile, or 0 for an empty list. 0.5 is the median.
func quantile[T cmp.Ordered](list []T, share float64) (value T) {
	if len(list) > 0 {
		slices.Sort(list)
		value = list[int(share*float64(len(list)-1))]
	}
	return value
}

// await calls try until it returns no error, the time limit has passed or the context ends.
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

package main

import (
	"net/http"
	"sync"
	"syscall"
	"time"

	"sabine/bench/results"
	"sabine/bench/trial"
)

// grace is how long after Redis is back requests may still be refused.
const grace = 2 * time.Second

// A leave is a way in which a part goes away. leave makes it go, comeBack brings it back.
type leave struct {
	name            string
	leave, comeBack func(*trial.Server)
}

var (
	paused = leave{"paused",
		func(s *trial.Server) { s.Signal(syscall.SIGSTOP) }, func(s *trial.Server) { s.Signal(syscall.SIGCONT) }}
	killed = leave{"killed", func(s *trial.Server) { s.End(syscall.SIGKILL) }, (*trial.Server).Start}
)

// An outage is a time in which a part did not answer.
type outage struct {
	of           string
	began, ended time.Time // ended is zero while it lasts
}

// outages are all of a run.
type outages struct {
	mu  sync.Mutex
	all []outage
}

// begin notes that a part is about to go away; its caller says by end that it is back.
func (o *outages) begin(of string) (end func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(o.all)
	o.all = append(o.all, outage{of: of, began: time.Now()})
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.all[n].ended = time.Now()
	}
}

// counted returns the moment from which the delay of a step counts: the move, or when the store was back for
// the last time between the two.
func (o *outages) counted(store string, moved, step time.Time) time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, a := range o.all {
		if a.of == store && a.began.Before(step) && a.ended.After(moved) && a.ended.Before(step) {
			moved = a.ended
		}
	}
	return moved
}

// since returns how long a part has been back at a moment: 0 while it is away, and false when it never was.
func (o *outages) since(of string, now time.Time) (back time.Duration, was bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, a := range o.all {
		if a.of == of && a.began.Before(now) {
			back, was = 0, true
			if !a.ended.IsZero() {
				back = max(0, now.Sub(a.ended))
			}
		}
	}
	return back, was
}

// away makes a part go away for a time.
func (f *fleet) away(part *trial.Server, how *leave, d time.Duration) {
	back := f.outages.begin(part.Name)
	how.leave(part)
	tell("%s is %s", part.Name, how.name)
	trial.Pause(f, d)
	how.comeBack(part)
	back()
	tell("%s is back", part.Name)
}

// excuse reports whether a server may answer so while Redis is away, or just back.
func (f *fleet) excuse(a *answer, at time.Time) bool {
	if a.status != http.StatusServiceUnavailable {
		return false
	}
	back, was := f.outages.since(f.redis.Name, at)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.late = max(f.late, back)
	excused := was && back <= grace && a.code() == "rate_limit_unavailable"
	if excused {
		f.unavailable++
	}
	return excused
}

// A fleetRecord is the figures of a run of the fleet: a line of JSON.
type fleetRecord struct {
	results.Run
	Servers     int            `json:"servers"`
	Generations int            `json:"generations"` // published while the load ran
	Rollbacks   int            `json:"rollbacks"`
	Outages     map[string]int `json:"outages"` // by part
	PerSecond   float64        `json:"requests_per_s"`
	Statuses    map[int]int    `json:"statuses"`
	Unavailable int            `json:"rate_limit_unavailable"` // 503s while Redis was away or just back
	Late        time.Duration  `json:"last_503_after_back_ns"` // the longest time
	Switch      delays         `json:"switch"`
	Rollback    delays         `json:"rollback"`
	Calm        []int          `json:"budgets_calm"` // what accounts got of a budget of Budget
	Across      []int          `json:"budgets_across_outages"`
	Budget      int            `json:"budget"`
}

// delays are how long servers took to follow moves.
type delays struct {
	Median time.Duration `json:"median_ns"`
	Max    time.Duration `json:"max_ns"`
	Missed int           `json:"missed"` // moves of a server that it never made
}

// record puts the figures of a run together.
func (f *fleet) record(run results.Run) *fleetRecord {
	r := &fleetRecord{Run: run, Servers: len(f.servers), Outages: map[string]int{}, Statuses: f.statuses,
		PerSecond: float64(run.Requests) / run.Seconds, Unavailable: f.unavailable, Late: f.late,
		Calm: f.calm, Across: f.across, Budget: f.budget}
	for _, a := range f.outages.all {
		r.Outages[a.of]++
	}
	r.Generations, r.Switch = f.delays(false)
	r.Rollbacks, r.Rollback = f.delays(true)
	return r
}

func (f *fleet) delays(rollback bool) (moves int, d delays) {
	moves, all, missed := f.history.followings(rollback, func(moved, step time.Time) time.Time {
		return f.outages.counted(f.store.Name, moved, step)
	})
	return moves, delays{trial.Quantile(all, 0.5), trial.Quantile(all, 1), missed}
}

func (r *fleetRecord) judge(hold hold) {
	hold(r.Late <= grace, "no 503 later than %v after Redis is back: one came after %v", grace, r.Late)
	hold(r.Switch.kept(), "a generation is in force everywhere within %v: it took %+v", bound, r.Switch)
	hold(r.Rollback.kept(), "a rollback is in force everywhere within %v: it took %+v", bound, r.Rollback)
	for _, got := range r.Calm {
		hold(got == r.Budget, "a budget of %d is exact over all servers: an account got %d", r.Budget, got)
	}
	for _, got := range r.Across {
		hold(got <= r.Budget, "a budget of %d is never exceeded: an account got %d", r.Budget, got)
	}
}

func (d delays) kept() bool { return d.Max <= bound && d.Missed == 0 }

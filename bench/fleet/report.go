package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"sabine/bench/trial"
)

// A report is the figures of a run: a line of JSON.
type report struct {
	Date        string         `json:"date"` // when the run began: RFC 3339, UTC
	Seconds     float64        `json:"seconds"`
	Servers     int            `json:"servers"`
	Products    int            `json:"products"`
	Generations int            `json:"generations"` // published while the load ran
	Rollbacks   int            `json:"rollbacks"`
	Outages     map[string]int `json:"outages"` // by part
	Requests    int            `json:"requests"`
	PerSecond   float64        `json:"requests_per_s"`
	Skipped     int            `json:"skipped"` // not sent: too many were on their way
	// the longest time in which the load could not run: what the machine does to all
	Stall     time.Duration `json:"stall_ns"`
	Statuses  map[int]int   `json:"statuses"`
	P50       time.Duration `json:"p50_ns"`
	P99       time.Duration `json:"p99_ns"`
	Worst     time.Duration `json:"worst_ns"`
	Wrong     int           `json:"wrong"`
	Misplaced int           `json:"misplaced"` // of a generation that was not in force
	Failed    int           `json:"failed"`
	// 503s while Redis was away or just back, by the name of the error
	Unavailable map[string]int `json:"unavailable"`
	Late        time.Duration  `json:"last_503_after_back_ns"` // the longest time
	Switch      delays         `json:"switch"`
	Rollback    delays         `json:"rollback"`
	Calm        []int          `json:"budgets_calm"` // what accounts got of a budget of Budget
	Across      []int          `json:"budgets_across_outages"`
	Budget      int            `json:"budget"`
	Broken      []string       `json:"broken"` // the promises
}

// delays are how long servers took to follow moves.
type delays struct {
	Median time.Duration `json:"median_ns"`
	Max    time.Duration `json:"max_ns"`
	Missed int           `json:"missed"` // moves of a server that it never made
}

// report puts the figures of a run together.
func (f *fleet) report(began time.Time, rate int) *report {
	t, took := f.tally, time.Since(began)
	r := &report{
		Date: began.UTC().Format(time.RFC3339), Seconds: took.Seconds(), Servers: len(f.servers),
		Products: f.catalogue.Products(),
		Outages:  map[string]int{}, Requests: t.requests, PerSecond: float64(t.requests) / took.Seconds(), Skipped: t.skipped,
		Stall:    t.stall,
		Statuses: t.statuses, P50: trial.Quantile(t.took, 0.5), P99: trial.Quantile(t.took, 0.99),
		Worst: trial.Quantile(t.took, 1),
		Wrong: t.wrong, Misplaced: t.misplaced, Failed: t.failed, Unavailable: t.unavailable, Late: t.late, Budget: budget,
	}
	for _, a := range f.outages.all {
		r.Outages[a.of]++
	}
	var published, back []trial.Following
	for _, m := range f.history.Followings(f.outages.counted) {
		if m.Rollback {
			back = append(back, m)
		} else {
			published = append(published, m)
		}
	}
	r.Generations, r.Rollbacks = len(published), len(back)
	r.Switch, r.Rollback = delaysOf(published), delaysOf(back)
	for _, s := range f.budgets {
		if s.across == "" {
			r.Calm = append(r.Calm, s.got())
		} else {
			r.Across = append(r.Across, s.got())
		}
	}
	r.judge(rate)
	return r
}

func delaysOf(moves []trial.Following) (d delays) {
	var all []time.Duration
	for _, m := range moves {
		all = append(all, m.Delays...)
		d.Missed += m.Missed
	}
	d.Median, d.Max = trial.Quantile(all, 0.5), trial.Quantile(all, 1)
	return d
}

// judge names the promises that were broken.
func (r *report) judge(rate int) {
	hold := func(held bool, promise string, got ...any) {
		if !held {
			r.Broken = append(r.Broken, fmt.Sprintf(promise, got...))
		}
	}
	hold(r.Wrong == 0, "no wrong answer: %d are", r.Wrong)
	hold(r.Misplaced == 0, "servers follow the pointer and never go back: %d answers say otherwise", r.Misplaced)
	hold(r.Failed == 0, "no request fails but for 503 while Redis is away and %v after: %d do", grace, r.Failed)
	hold(r.Late <= grace, "no 503 later than %v after Redis is back: one came after %v", grace, r.Late)
	hold(r.Switch.held(), "a generation is in force everywhere within %v: it took %v", bound, r.Switch)
	hold(r.Rollback.held(), "a rollback is in force everywhere within %v: it took %v", bound, r.Rollback)
	hold(!slices.ContainsFunc(r.Calm, func(got int) bool {
		return got != budget
	}), "a budget of %d is exact over all servers: accounts got %v", budget, r.Calm)
	hold(len(r.Across) == 0 || slices.Max(r.Across) <= budget, "a budget of %d is never exceeded: accounts got %v",
		budget, r.Across)
	hold(r.PerSecond >= 0.9*float64(rate), "the load is %d requests a second: it was %.0f, and %d were not sent", rate,
		r.PerSecond, r.Skipped)
}

func (d delays) held() bool { return d.Max <= bound && d.Missed == 0 }

func (d delays) String() string {
	text := fmt.Sprintf("median %v, largest %v", d.Median.Round(time.Millisecond), d.Max.Round(time.Millisecond))
	if d.Missed > 0 {
		text += fmt.Sprintf(", never %d times", d.Missed)
	}
	return text
}

// print prints the figures for people.
func (r *report) print(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(what, format string, got ...any) { fmt.Fprintf(t, what+"\t"+format+"\n", got...) }
	row("servers", "%d, %d products, %.0f s", r.Servers, r.Products, r.Seconds)
	row("requests", "%d, %.0f a second, %d not sent, %v at a stop; median %v, p99 %v, worst %v", r.Requests, r.PerSecond,
		r.Skipped,
		r.Stall.Round(time.Millisecond), r.P50.Round(time.Microsecond), r.P99.Round(time.Microsecond),
		r.Worst.Round(time.Microsecond))
	for _, status := range slices.Sorted(maps.Keys(r.Statuses)) {
		row("", "%d: %d", status, r.Statuses[status])
	}
	row("wrong, misplaced, failed", "%d, %d, %d", r.Wrong, r.Misplaced, r.Failed)
	row("generations", "%d, in force everywhere after %v", r.Generations, r.Switch)
	row("rollbacks", "%d, in force everywhere after %v", r.Rollbacks, r.Rollback)
	row("outages", "store %d, Redis %d", r.Outages[store], r.Outages[redis])
	row("503 while Redis was away", "%v, the last %v after it was back", r.Unavailable, r.Late.Round(time.Millisecond))
	row("a budget of "+fmt.Sprint(r.Budget), "%v in the calm, %v across outages of Redis", r.Calm, r.Across)
	for _, promise := range r.Broken {
		row("BROKEN", "%s", promise)
	}
	return t.Flush()
}

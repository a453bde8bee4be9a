package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"sabine/bench/results"
)

func TestARefusalIsExcusedWhileRedisIsAwayAndAMomentAfter(t *testing.T) {
	refused := &answer{status: 503, header: http.Header{}, body: []byte(`{"error":"rate_limit_unavailable"}`)}
	tests := []struct {
		rule    string
		answer  *answer
		back    time.Time // end of a Redis outage that began at 10 s
		at      float64
		excused bool
	}{
		{"before it went", refused, at(13), 9, false},
		{"while it is away", refused, time.Time{}, 12, true},
		{"while it was away", refused, at(13), 12, true},
		{"just after", refused, at(13), 15, true},
		{"longer after", refused, at(13), 15.1, false},
		{"another error", &answer{status: 503, header: http.Header{}, body: []byte(`{"error":"x"}`)}, at(13), 12, false},
		{"another status", &answer{status: 500, header: http.Header{}, body: refused.body}, at(13), 12, false},
	}
	for _, tt := range tests {
		f := fleet{site: &site{run: &run{}}, away: at(10), back: tt.back}
		if got := f.excuse(tt.answer, at(tt.at)); got != tt.excused || f.Unavailable == 1 != tt.excused {
			t.Errorf("%s: got %t, want %t", tt.rule, got, tt.excused)
		}
	}
	f := fleet{site: &site{run: &run{}}, away: at(10), back: at(13)}
	f.excuse(refused, at(18))
	f.excuse(refused, at(14))
	if f.Late != 5*time.Second {
		t.Errorf("got %v after it was back, want the longest time, 5 s", f.Late)
	}
}

func TestEachBrokenPromiseOfAFleetIsListed(t *testing.T) {
	const budget = 100
	good := func() *fleetRecord {
		return &fleetRecord{results.FleetRun{
			Run:    results.Run{Latency: results.Latency{Requests: 900}, Skipped: 100, Faults: map[string]int{}},
			Switch: results.Delays{Max: bound}, Rollback: results.Delays{Max: bound}, Late: grace,
			Calm: []int{budget, budget}, Across: []int{budget, budget - 1}, Budget: budget,
		}}
	}
	tests := []struct {
		broken string // part of the broken promise; "" if none is broken
		by     func(*fleetRecord)
	}{
		{"", func(*fleetRecord) {}},
		{"nothing is wrong", func(r *fleetRecord) { r.Faults[wrong] = 1 }},
		{"nothing is misplaced", func(r *fleetRecord) { r.Faults[misplaced] = 1 }},
		{"nothing is failed", func(r *fleetRecord) { r.Faults[failed] = 1 }},
		{"nothing is careless", func(r *fleetRecord) { r.Faults[careless] = 1 }},
		{"Redis is back", func(r *fleetRecord) { r.Late = grace + 1 }},
		{"a generation is in use", func(r *fleetRecord) { r.Switch.Max = bound + 1 }},
		{"a generation is in use", func(r *fleetRecord) { r.Switch.Missed = 1 }},
		{"a rollback is in use", func(r *fleetRecord) { r.Rollback.Max = bound + 1 }},
		{"is exact", func(r *fleetRecord) { r.Calm[1] = budget - 1 }},
		{"is exact", func(r *fleetRecord) { r.Calm[1] = budget + 1 }},
		{"is never exceeded", func(r *fleetRecord) { r.Across[0] = budget + 1 }},
		{"the load is", func(r *fleetRecord) { r.Skipped = 101 }},
	}
	for _, tt := range tests {
		r := good()
		tt.by(r)
		checkBroken(t, r, tt.broken)
	}
}

// checkBroken judges a record. Only a promise that contains part must be broken, or no promise if part is "".
func checkBroken(t *testing.T, r record, part string) {
	t.Helper()
	judge(r, 100)
	broken := r.Figures().Broken
	if part == "" && len(broken) > 0 || part != "" && (len(broken) != 1 || !strings.Contains(broken[0], part)) {
		t.Errorf("%q: got %q", part, broken)
	}
}

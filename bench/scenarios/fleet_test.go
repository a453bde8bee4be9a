package main

import (
	"strings"
	"testing"
	"time"

	"sabine/bench/results"
)

func TestDelaysCountFromTheMoveOrTheReturnOfTheStore(t *testing.T) {
	tests := []struct {
		rule string
		away []outage
		want time.Duration // of a move at 10 s that was followed at 16 s
	}{
		{"the move", nil, 6 * time.Second},
		{"an outage that began before the move", []outage{{"store", at(9), at(14)}}, 2 * time.Second},
		{"an outage after the move", []outage{{"store", at(11), at(15)}}, time.Second},
		{"one that was over before does not count", []outage{{"store", at(5), at(9)}}, 6 * time.Second},
		{"nor one that came later", []outage{{"store", at(17), at(20)}}, 6 * time.Second},
		{"nor one of Redis", []outage{{"Redis", at(11), at(15)}}, 6 * time.Second},
	}
	for _, tt := range tests {
		away := outages{all: tt.away}
		if got := at(16).Sub(away.counted("store", at(10), at(16))); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.rule, got, tt.want)
		}
	}
}

func TestTheTimeSinceAnOutage(t *testing.T) {
	o := outages{all: []outage{{"Redis", at(10), at(13)}, {"store", at(14), at(15)}, {"Redis", at(20), time.Time{}}}}
	tests := []struct {
		rule string
		now  float64
		want time.Duration
		was  bool
	}{
		{"before the first", 9, 0, false},
		{"within one", 12, 0, true},
		{"after one", 16, 3 * time.Second, true},
		{"within one that lasts", 21, 0, true},
	}
	for _, tt := range tests {
		if got, was := o.since("Redis", at(tt.now)); got != tt.want || was != tt.was {
			t.Errorf("%s: got %v, %t, want %v, %t", tt.rule, got, was, tt.want, tt.was)
		}
	}
}

func TestEachBrokenPromiseOfAFleetIsNamed(t *testing.T) {
	const budget = 100
	good := func() *fleetRecord {
		return &fleetRecord{
			Run:    results.Run{Latency: results.Latency{Requests: 900}, Skipped: 100, Faults: map[string]int{}},
			Switch: delays{Max: bound}, Rollback: delays{Max: bound}, Late: grace,
			Calm: []int{budget, budget}, Across: []int{budget, budget - 1}, Budget: budget,
		}
	}
	tests := []struct {
		broken string // part of what is named; "": nothing is
		by     func(*fleetRecord)
	}{
		{"", func(*fleetRecord) {}},
		{"nothing is wrong", func(r *fleetRecord) { r.Faults[wrong] = 1 }},
		{"nothing is misplaced", func(r *fleetRecord) { r.Faults[misplaced] = 1 }},
		{"nothing is failed", func(r *fleetRecord) { r.Faults[failed] = 1 }},
		{"nothing is careless", func(r *fleetRecord) { r.Faults[careless] = 1 }},
		{"Redis is back", func(r *fleetRecord) { r.Late = grace + 1 }},
		{"a generation is in force", func(r *fleetRecord) { r.Switch.Max = bound + 1 }},
		{"a generation is in force", func(r *fleetRecord) { r.Switch.Missed = 1 }},
		{"a rollback is in force", func(r *fleetRecord) { r.Rollback.Max = bound + 1 }},
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

// checkBroken judges a record and checks that one promise is broken, whose name has a part, or none for "".
func checkBroken(t *testing.T, r record, part string) {
	t.Helper()
	judge(r, 100)
	broken := r.Figures().Broken
	if part == "" && len(broken) > 0 || part != "" && (len(broken) != 1 || !strings.Contains(broken[0], part)) {
		t.Errorf("%q: got %q", part, broken)
	}
}

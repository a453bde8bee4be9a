package main

import (
	"strings"
	"testing"
	"time"
)

// at is a moment so many seconds after the beginning of a run.
func at(seconds float64) time.Time {
	return time.Unix(1_000_000, 0).Add(time.Duration(seconds * float64(time.Second)))
}

func TestDelaysCountFromTheMoveOrTheReturnOfTheStore(t *testing.T) {
	tests := []struct {
		rule string
		away []outage
		want time.Duration // of a move at 10 s that was followed at 16 s
	}{
		{"the move", nil, 6 * time.Second},
		{"an outage that began before the move", []outage{{store, at(9), at(14)}}, 2 * time.Second},
		{"an outage after the move", []outage{{store, at(11), at(15)}}, time.Second},
		{"one that was over before does not count", []outage{{store, at(5), at(9)}}, 6 * time.Second},
		{"nor one that came later", []outage{{store, at(17), at(20)}}, 6 * time.Second},
		{"nor one of Redis", []outage{{redis, at(11), at(15)}}, 6 * time.Second},
	}
	for _, tt := range tests {
		away := outages{all: tt.away}
		if got := at(16).Sub(away.counted(at(10), at(16))); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.rule, got, tt.want)
		}
	}
}

func TestTheTimeSinceAnOutage(t *testing.T) {
	o := outages{all: []outage{{redis, at(10), at(13)}, {store, at(14), at(15)}, {redis, at(20), time.Time{}}}}
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
		if got, was := o.since(redis, at(tt.now)); got != tt.want || was != tt.was {
			t.Errorf("%s: got %v, %t, want %v, %t", tt.rule, got, was, tt.want, tt.was)
		}
	}
}

func TestEachBrokenPromiseIsNamed(t *testing.T) {
	good := func() *report {
		return &report{
			PerSecond: 300, Switch: delays{Max: bound}, Rollback: delays{Max: bound}, Late: grace,
			Calm: []int{budget, budget}, Across: []int{budget, budget - 1},
		}
	}
	tests := []struct {
		broken string // part of what is named; "": nothing is
		by     func(*report)
	}{
		{"", func(*report) {}},
		{"wrong answer", func(r *report) { r.Wrong = 1 }},
		{"never go back", func(r *report) { r.Misplaced = 1 }},
		{"no request fails", func(r *report) { r.Failed = 1 }},
		{"Redis is back", func(r *report) { r.Late = grace + 1 }},
		{"a generation is in force", func(r *report) { r.Switch.Max = bound + 1 }},
		{"a generation is in force", func(r *report) { r.Switch.Missed = 1 }},
		{"a rollback is in force", func(r *report) { r.Rollback.Max = bound + 1 }},
		{"is exact", func(r *report) { r.Calm[1] = budget - 1 }},
		{"is exact", func(r *report) { r.Calm[1] = budget + 1 }},
		{"is never exceeded", func(r *report) { r.Across[0] = budget + 1 }},
		{"the load is", func(r *report) { r.PerSecond = 200 }},
	}
	for _, tt := range tests {
		r := good()
		tt.by(r)
		r.judge(300)
		if tt.broken == "" && len(r.Broken) > 0 || tt.broken != "" &&
			(len(r.Broken) != 1 || !strings.Contains(r.Broken[0], tt.broken)) {
			t.Errorf("%q: got %q", tt.broken, r.Broken)
		}
	}
}

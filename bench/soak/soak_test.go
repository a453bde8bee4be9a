package main

import (
	"net"
	"strings"
	"testing"
	"time"

	"sabine/bench/results"
	"sabine/bench/trial"
)

// lived returns the figures of a run in which every law was kept.
func lived() *report {
	r := &report{results.Soak{
		Swaps: []results.Swaps{{Quiet: results.Latency{P99: time.Millisecond},
			Switching: results.Latency{P99: 2 * time.Millisecond}}},
		Faults:  map[string]int{},
		AtFirst: results.Rest{Goroutines: 10, Files: 10, Mappings: 1}, AtLast: results.Rest{Goroutines: 10, Files: 10,
			Mappings: 1},
	}}
	for range parts {
		r.Parts = append(r.Parts, results.SoakPart{Latency: results.Latency{Requests: 1000},
			Held: results.Held{Anonymous: 100 << 20, Heap: 50 << 20, Goroutines: 400, Files: 400, MostMappings: keptOpen}})
	}
	for _, what := range deeds {
		r.Done = append(r.Done, results.Deed{What: what, Times: 1})
	}
	return r
}

func TestEachBrokenLawIsNamed(t *testing.T) {
	tests := []struct {
		broken string // part of what is named; "": nothing is
		by     func(*report, map[string]time.Duration)
	}{
		{"", func(*report, map[string]time.Duration) {}},
		{"nothing is wrong", func(r *report, _ map[string]time.Duration) { r.Faults[wrong] = 1 }},
		{"nothing is misplaced", func(r *report, _ map[string]time.Duration) { r.Faults[misplaced] = 1 }},
		{"nothing is failed", func(r *report, _ map[string]time.Duration) { r.Faults[failed] = 1 }},
		{"nothing is careless", func(r *report, _ map[string]time.Duration) { r.Faults[careless] = 1 }},
		{"double the p99", func(r *report, _ map[string]time.Duration) { r.Swaps[0].Switching.P99++ }},
		{"the heap is flat", func(r *report, _ map[string]time.Duration) { r.Parts[parts-1].Heap = 64 << 20 }},
		{"", func(r *report, _ map[string]time.Duration) { r.Parts[0].Heap = 1 }},
		{"memory is flat", func(r *report, _ map[string]time.Duration) { r.Parts[parts-1].Anonymous = 127 << 20 }},
		{"goroutines are flat", func(r *report, _ map[string]time.Duration) { r.Parts[parts-1].Goroutines = 461 }},
		{"open files are flat", func(r *report, _ map[string]time.Duration) { r.Parts[parts-1].Files = 461 }},
		{"generations are mapped", func(r *report, _ map[string]time.Duration) { r.Parts[2].MostMappings = 100 }},
		{"at rest", func(r *report, _ map[string]time.Duration) { r.AtLast.Goroutines++ }},
		{"at rest", func(r *report, _ map[string]time.Duration) { r.AtLast.Files++ }},
		{"at rest", func(r *report, _ map[string]time.Duration) { r.AtLast.Mappings++ }},
		{"there are " + deeds[1], func(r *report, _ map[string]time.Duration) { r.Done[1].What = "" }},
		{"is refused within", func(_ *report, slow map[string]time.Duration) {
			slow["damaged generations refused"] = time.Minute
		}},
		{"the load is", func(r *report, _ map[string]time.Duration) { r.Skipped = 5000 }},
	}
	for _, tt := range tests {
		r, slow := lived(), map[string]time.Duration{}
		tt.by(r, slow)
		r.judge(100, slow)
		if tt.broken == "" && len(r.Broken) > 0 || tt.broken != "" &&
			(len(r.Broken) != 1 || !strings.Contains(r.Broken[0], tt.broken)) {
			t.Errorf("%q: got %q", tt.broken, r.Broken)
		}
	}
}

func TestWhatAToolTellsIsOfOneGeneration(t *testing.T) {
	possible := []*trial.Generation{{Number: 3, Products: 30}, {Number: 4, Products: 29}}
	tests := []struct {
		rule, told string
		right      bool
	}{
		{"a name", `{"commercial_name":"Generation 3"}`, true},
		{"a number of products", `{"total":29}`, true},
		{"both", `{"total":29,"materials":[{"commercial_name":"Generation 4"},{"commercial_name":"Generation 4"}]}`, true},
		{"two generations", `{"materials":[{"commercial_name":"Generation 3"},{"commercial_name":"Generation 4"}]}`, false},
		{"the name of one and the number of another", `{"total":29,"materials":[{"commercial_name":"Generation 3"}]}`, false},
		{"one that was not in force", `{"commercial_name":"Generation 5"}`, false},
		{"neither", `{}`, false},
	}
	for _, tt := range tests {
		if fault := toldFault(tt.told, possible); (fault == "") != tt.right {
			t.Errorf("%s: got %q", tt.rule, fault)
		}
	}
}

func TestAConnectionThatTheServerEndedIsNoticed(t *testing.T) {
	client, server := net.Pipe()
	defer client.Close()
	if err := ended(client, time.Millisecond); err != nil {
		t.Errorf("an open one: %v", err)
	}
	server.Close()
	if err := ended(client, time.Second); err == nil {
		t.Error("one that was closed is taken for an open one")
	}
}

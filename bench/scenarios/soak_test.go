package main

import (
	"net"
	"testing"
	"time"

	"sabine/bench/results"
)

// kept returns the figures of a run that kept every promise.
func kept() *soakRecord {
	r := &soakRecord{results.SoakRun{
		Run: results.Run{Latency: results.Latency{Requests: 5000}, Faults: map[string]int{}},
		Swaps: []results.Swaps{{Quiet: results.Latency{P99: time.Millisecond},
			Switching: results.Latency{P99: 2 * time.Millisecond}}},
		AtFirst: results.Rest{Goroutines: 10, Files: 10, Mappings: 1},
		AtLast:  results.Rest{Goroutines: 10, Files: 10, Mappings: 1},
	}}
	for range parts {
		r.Parts = append(r.Parts, results.SoakPart{Held: results.Held{Anonymous: 100 << 20, Heap: 50 << 20,
			Rest: results.Rest{Goroutines: 400, Files: 400}, MostMappings: keptOpen}})
	}
	for _, what := range actions {
		r.Done = append(r.Done, results.Action{What: what, Times: 1})
	}
	return r
}

func TestEachBrokenPromiseOfASoakIsListed(t *testing.T) {
	tests := []struct {
		broken string // part of the broken promise; "" if none is broken
		by     func(*soakRecord)
	}{
		{"", func(*soakRecord) {}},
		{"nothing is wrong", func(r *soakRecord) { r.Faults[wrong] = 1 }},
		{"nothing is misplaced", func(r *soakRecord) { r.Faults[misplaced] = 1 }},
		{"nothing is failed", func(r *soakRecord) { r.Faults[failed] = 1 }},
		{"nothing is careless", func(r *soakRecord) { r.Faults[careless] = 1 }},
		{"double the p99", func(r *soakRecord) { r.Swaps[0].Switching.P99++ }},
		{"the heap in bytes is flat", func(r *soakRecord) { r.Parts[parts-1].Heap = 64 << 20 }},
		{"", func(r *soakRecord) { r.Parts[0].Heap = 1 }},
		{"memory in bytes is flat", func(r *soakRecord) { r.Parts[parts-1].Anonymous = 127 << 20 }},
		{"goroutines is flat", func(r *soakRecord) { r.Parts[parts-1].Goroutines = 461 }},
		{"open files is flat", func(r *soakRecord) { r.Parts[parts-1].Files = 461 }},
		{"generations are mapped", func(r *soakRecord) { r.Parts[2].MostMappings = 100 }},
		{"at rest", func(r *soakRecord) { r.AtLast.Goroutines++ }},
		{"at rest", func(r *soakRecord) { r.AtLast.Files++ }},
		{"at rest", func(r *soakRecord) { r.AtLast.Mappings++ }},
		{"there are " + actions[1], func(r *soakRecord) { r.Done[1].What = "" }},
		{"is refused within", func(r *soakRecord) { r.Done[0].Slowest = time.Minute }},
		{"the load is", func(r *soakRecord) { r.Skipped = 5000 }},
	}
	for _, tt := range tests {
		r := kept()
		tt.by(r)
		checkBroken(t, r, tt.broken)
	}
}

func TestAnAnswerOfAToolIsOfOneGeneration(t *testing.T) {
	possible := []*generation{{number: 3, products: 30}, {number: 4, products: 29}}
	tests := []struct {
		rule, answer string
		right        bool
	}{
		{"a name", `{"commercial_name":"Generation 3"}`, true},
		{"a number of products", `{"total":29}`, true},
		{"both", `{"total":29,"materials":[{"commercial_name":"Generation 4"},{"commercial_name":"Generation 4"}]}`, true},
		{"two generations", `{"materials":[{"commercial_name":"Generation 3"},{"commercial_name":"Generation 4"}]}`, false},
		{"the name of one, the number of another", `{"total":29,"materials":[{"commercial_name":"Generation 3"}]}`, false},
		{"a generation that was not in use", `{"commercial_name":"Generation 5"}`, false},
		{"neither", `{}`, false},
	}
	for _, tt := range tests {
		if fault := toolFault(tt.answer, possible); (fault == "") != tt.right {
			t.Errorf("%s: got %q", tt.rule, fault)
		}
	}
}

func TestAClosedConnectionIsDetected(t *testing.T) {
	client, server := net.Pipe()
	defer client.Close()
	if err := ended(client, time.Millisecond); err != nil {
		t.Errorf("an open connection: %v", err)
	}
	server.Close()
	if err := ended(client, time.Second); err == nil {
		t.Error("a closed connection counts as open")
	}
}

package results

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A Soak is the figures of a run of bench/soak: a line of JSON in a file of its own.
type Soak struct {
	Date    string         `json:"date"`    // when the run began: RFC 3339, UTC
	Seconds float64        `json:"seconds"` // under load
	Cores   int            `json:"cores"`
	Swaps   []Swaps        `json:"swaps"`
	Parts   []SoakPart     `json:"parts"` // equal ones of the time in which everything happened at once
	Classes []SoakClass    `json:"classes"`
	Done    []Deed         `json:"done"`
	Faults  map[string]int `json:"faults"`  // by sort
	Skipped int            `json:"skipped"` // requests that were not sent: too many were on their way
	// the longest time in which the load could not run: what the machine does to all
	Stall    time.Duration `json:"stall_ns"`
	AtFirst  Rest          `json:"at_first"`
	AtLast   Rest          `json:"at_last"`
	Products int           `json:"products"`
	Snapshot int64         `json:"snapshot_bytes"`
	Broken   []string      `json:"broken"` // the laws
}

// Day is when the run began.
func (s *Soak) Day() string {
	day, _, _ := strings.Cut(s.Date, "T")
	return day
}

// Swaps are switches of generations under load, beside the same load without them.
type Swaps struct {
	Products  int     `json:"products"`
	Snapshot  int64   `json:"snapshot_bytes"`
	Switches  int     `json:"switches"`
	Seconds   float64 `json:"seconds"` // that they took
	Quiet     Latency `json:"quiet"`
	Switching Latency `json:"switching"`
}

// Ratio is how many times the quiet p99 that of the requests among switches is.
func (s *Swaps) Ratio() float64 { return float64(s.Switching.P99) / float64(max(s.Quiet.P99, 1)) }

// A Latency is how long requests took.
type Latency struct {
	Requests int           `json:"requests"`
	P50      time.Duration `json:"p50_ns"`
	P99      time.Duration `json:"p99_ns"`
	Worst    time.Duration `json:"worst_ns"`
}

// A SoakPart is a part of a run.
type SoakPart struct {
	Latency
	Held
}

// A SoakClass is the requests of a class while everything happened at once.
type SoakClass struct {
	Class string `json:"class"`
	Latency
}

// Held are the medians of what a process had, looked at once a second, in bytes where it is no number.
type Held struct {
	Anonymous     int64 `json:"rss_anonymous_bytes"`
	MostAnonymous int64 `json:"most_rss_anonymous_bytes"`
	File          int64 `json:"rss_file_bytes"` // of the snapshots: page cache
	Heap          int64 `json:"heap_bytes"`
	Goroutines    int   `json:"goroutines"`
	Files         int   `json:"files"`
	Mappings      int   `json:"mappings"` // of snapshots
	MostMappings  int   `json:"most_mappings"`
}

// Rest is what a process has when nothing is asked.
type Rest struct {
	Goroutines int `json:"goroutines"`
	Files      int `json:"files"`
	Mappings   int `json:"mappings"`
}

// A Deed is something that was done, again and again, while everything happened at once.
type Deed struct {
	What    string        `json:"what"`
	Times   int           `json:"times"`
	Slowest time.Duration `json:"slowest_ns"` // until it had its effect; 0: not measured
}

// AppendRun appends the figures of a run to a file that has a line for each, unless its name is "".
func AppendRun(file string, figures any) error {
	if file == "" {
		return nil
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(out).Encode(figures), out.Close())
}

// LastSoak returns the last line, nil when there is none.
func LastSoak(in io.Reader) (last *Soak, err error) {
	scanner := bufio.NewScanner(in)
	for n := 1; scanner.Scan(); n++ {
		last = new(Soak)
		if err := json.Unmarshal(scanner.Bytes(), last); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return last, scanner.Err()
}

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

// A Run is the figures that every scenario of bench/scenarios has: a part of a line of JSON.
type Run struct {
	Date    string  `json:"date"`    // when the run began: RFC 3339, UTC
	Seconds float64 `json:"seconds"` // under load
	Latency
	Classes []ClassLatency `json:"classes"`
	Done    []Deed         `json:"done"`
	Faults  map[string]int `json:"faults"`  // by sort
	Skipped int            `json:"skipped"` // requests that were not sent: too many were on their way
	// the longest time in which the load could not run: what the machine does to all
	Stall    time.Duration `json:"stall_ns"`
	Products int           `json:"products"`
	Broken   []string      `json:"broken"` // the promises
}

// Figures are those that every scenario has.
func (r *Run) Figures() *Run { return r }

// Day is when the run began.
func (r *Run) Day() string {
	day, _, _ := strings.Cut(r.Date, "T")
	return day
}

// A Soak is the figures of a run of the scenario soak. What happens all at once is what Run tells of.
type Soak struct {
	Run
	Cores    int        `json:"cores"`
	Swaps    []Swaps    `json:"swaps"`
	Parts    []SoakPart `json:"parts"` // equal ones of the time in which everything happened at once
	AtFirst  Rest       `json:"at_first"`
	AtLast   Rest       `json:"at_last"`
	Snapshot int64      `json:"snapshot_bytes"`
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

// A ClassLatency is the requests of a class.
type ClassLatency struct {
	Class string `json:"class"`
	Latency
}

// Rest is what a process has: when nothing is asked, or the medians of looks a second apart.
type Rest struct {
	Goroutines int `json:"goroutines"`
	Files      int `json:"files"`
	Mappings   int `json:"mappings"` // of snapshots
}

// Held is what a process has under load, in bytes where it is no number.
type Held struct {
	Rest
	Anonymous     int64 `json:"rss_anonymous_bytes"`
	MostAnonymous int64 `json:"most_rss_anonymous_bytes"`
	File          int64 `json:"rss_file_bytes"` // of the snapshots: page cache
	Heap          int64 `json:"heap_bytes"`
	MostMappings  int   `json:"most_mappings"`
}

// A Deed is something that was done beside the load, again and again.
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

// Package results is what the benchmarks hand on: a line of JSON for each figure or group of figures,
// appended to a file by who measures (bench/peers, bench/scenarios), and read by bench/peers/report.
// What a line tells, and in which unit, stands here alone.
//
// It neither measures nor judges.
package results

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	goruntime "runtime"
	"slices"
	"strings"
	"time"
)

// A Suite is a sort of measurement: which figures a line has.
type Suite string

// The suites.
const (
	Machine Suite = "machine" // where the lines that follow were measured
	Build   Suite = "build"   // an index built from a catalogue, in a process of its own
	Search  Suite = "search"  // the questions of a class, put to an engine that finds by sabine's analyser
	Own     Suite = "own"     // those about a text, put to sabine and to peers as their users set them up
	Judged  Suite = "judged"  // the judged queries of a collection of package quality, put to the same engines
	HTTP    Suite = "http"    // the requests of a class, sent to a server on one core
	Open    Suite = "open"    // a snapshot opened and checked, and a process that answers from it
	Section Suite = "section" // a section of that snapshot
)

// Engines that lines are compared with, or that are no search engines.
const (
	Sabine    = "sabine"
	Bare      = "bare"  // a handler that writes a constant body
	Nginx     = "nginx" // which serves that body from a file
	Validator = "gjson" // it only tells of each line of the source that it is valid JSON: a build that nobody can beat
)

// A Key is what a line is about.
type Key struct {
	Suite    Suite  `json:"suite"`
	Engine   string `json:"engine,omitempty"`
	Class    string `json:"class,omitempty"` // of questions (package queries) or requests (bench/scenarios)
	Products int    `json:"products,omitempty"`
	Section  string `json:"section,omitempty"`

	Collection string `json:"collection,omitempty"` // of judged queries
}

// A Line is one result. What its suite does not tell, or what was not measured, is zero.
type Line struct {
	Key
	Date string `json:"date,omitempty"` // when the run began: RFC 3339, UTC

	// of Search, Own, Judged and HTTP
	Questions   int           `json:"questions,omitempty"`
	P50         time.Duration `json:"p50_ns,omitempty"`
	P99         time.Duration `json:"p99_ns,omitempty"`
	Worst       time.Duration `json:"worst_ns,omitempty"`
	MedianTotal int           `json:"median_total,omitempty"` // of the numbers of all hits
	SameTotal   *float64      `json:"same_total,omitempty"`   // share with sabine's total; nil: not compared
	Success10   *float64      `json:"success10,omitempty"`    // share with a good answer among ten; nil: no rule
	NDCG10      *float64      `json:"ndcg10,omitempty"`       // of Judged
	PerSecond   float64       `json:"requests_per_s,omitempty"`
	CPU         time.Duration `json:"cpu_ns,omitempty"` // of the server, for a request
	BodyBytes   int           `json:"body_bytes,omitempty"`

	// of Build, and SourceBytes of Open too
	SourceBytes int64   `json:"source_bytes,omitempty"`
	Seconds     float64 `json:"seconds,omitempty"`
	PeakRSS     int64   `json:"peak_rss_bytes,omitempty"`
	IndexBytes  int64   `json:"index_bytes,omitempty"`

	// of Open
	Open       time.Duration `json:"open_ns,omitempty"` // without verification
	VerifyPace float64       `json:"verify_bytes_per_s,omitempty"`
	Heap       int64         `json:"heap_bytes,omitempty"` // the most of Go's in use

	Bytes int64 `json:"bytes,omitempty"` // of Section

	// of Machine
	Processor string `json:"processor,omitempty"`
	Cores     int    `json:"cores,omitempty"`
	Go        string `json:"go,omitempty"`
}

// MBPerSecond is how much of its source a build takes in a second.
func (l *Line) MBPerSecond() float64 {
	if l.Seconds == 0 {
		return 0
	}
	return float64(l.SourceBytes) / 1e6 / l.Seconds
}

// A File is a file that the results of a run are appended to.
type File struct {
	*os.File
	date string
}

// Append opens a file, and makes it if there is none; it gets a line of the machine. Without a name no
// results are kept.
func Append(name string) (f *File, err error) {
	f = &File{date: time.Now().UTC().Format(time.RFC3339)}
	if f.File, err = open(name); err != nil {
		return nil, err
	}
	return f, f.Add(Line{Key: Key{Suite: Machine}, Processor: processor(), Cores: goruntime.NumCPU(),
		Go: goruntime.Version()})
}

func open(name string) (*os.File, error) {
	return os.OpenFile(cmp.Or(name, os.DevNull), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
}

// processor names the machine's, which Linux alone tells.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unknown processor"
}

// Add writes lines, each with the date of the run.
func (f *File) Add(lines ...Line) error {
	to := json.NewEncoder(f)
	for _, l := range lines {
		l.Date = f.date
		if err := to.Encode(l); err != nil {
			return err
		}
	}
	return nil
}

var suites = []Suite{Machine, Build, Search, Own, Judged, HTTP, Open, Section}

// Read returns the lines that count: a later line takes the place of an earlier one about the same.
func Read(in io.Reader) (lines []Line, err error) {
	type about struct {
		Key
		source int64 // builds have no products: their catalogues are told apart by size
	}
	places := map[about]int{}
	scanner := bufio.NewScanner(in)
	for n := 1; scanner.Scan(); n++ {
		if len(scanner.Bytes()) == 0 {
			continue
		}
		var l Line
		if err := json.Unmarshal(scanner.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if !slices.Contains(suites, l.Suite) {
			return nil, fmt.Errorf("line %d: suite %q: expected one of %q", n, l.Suite, suites)
		}
		key := about{Key: l.Key}
		if l.Suite == Build {
			key.source = l.SourceBytes
		}
		place, known := places[key]
		if !known {
			place, lines = len(lines), append(lines, l)
		}
		places[key], lines[place] = place, l
	}
	return lines, scanner.Err()
}

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
	out, err := open(file)
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

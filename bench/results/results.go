// Package results defines the lines of JSON that the benchmarks append to one file, each with a figure or a
// group of figures. bench/peers, bench/scenarios, bench/explorer and some Go benchmarks write lines.
// bench/peers/report reads them. Only this package defines the fields and their units.
//
// It neither measures nor judges.
package results

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	goruntime "runtime"
	"slices"
	"strings"
	"time"
)

// A Suite is a kind of measurement. It determines the fields of a line.
type Suite string

// The suites.
const (
	Machine  Suite = "machine"  // the machine on which the following lines were measured
	Build    Suite = "build"    // an index built from a catalogue in a separate process
	Search   Suite = "search"   // the questions in a class, answered by engines that index sabine's terms
	Own      Suite = "own"      // text questions, answered by sabine and by peers that are set up as their users do
	Judged   Suite = "judged"   // the judged queries of a collection, answered by the engines in Own
	HTTP     Suite = "http"     // the requests in a class, sent to a server on one core
	Open     Suite = "open"     // the opening and verification of a snapshot, and the heap of a process that uses it
	Section  Suite = "section"  // a section of the snapshot in Open
	Import   Suite = "import"   // a table imported on one core
	Explorer Suite = "explorer" // pages loaded by a browser, and their Lighthouse scores
	Soak     Suite = "soak"     // a run of the scenario soak
	Fleet    Suite = "fleet"    // a run of the scenario fleet
)

// Engines with special roles. All other engines are compared with sabine.
const (
	Sabine = "sabine"
	Bare   = "bare" // an HTTP handler that writes a constant body
)

// A Key identifies the subject of a line.
type Key struct {
	Suite    Suite  `json:"suite"`
	Engine   string `json:"engine,omitempty"`
	Class    string `json:"class,omitempty"` // class in package queries or bench/scenarios
	Products int    `json:"products,omitempty"`
	Section  string `json:"section,omitempty"`

	Collection string `json:"collection,omitempty"` // source of the judged queries
}

// A Line is one result. Fields that are not in its suite, or that were not measured, are zero.
type Line struct {
	Key
	Date   string `json:"date,omitempty"`   // start of the run in UTC, RFC 3339
	Commit string `json:"commit,omitempty"` // current commit of the work tree; see Append

	// The following fields are for Search, Own, Judged, HTTP and Explorer.
	Questions   int           `json:"questions,omitempty"`
	P50         time.Duration `json:"p50_ns,omitempty"`
	P95         time.Duration `json:"p95_ns,omitempty"` // only for Explorer
	P99         time.Duration `json:"p99_ns,omitempty"`
	Worst       time.Duration `json:"worst_ns,omitempty"`
	MedianTotal int           `json:"median_total,omitempty"` // median number of hits
	SameTotal   *float64      `json:"same_total,omitempty"`   // fraction of totals equal to sabine's; nil if unknown
	Success10   *float64      `json:"success10,omitempty"`    // fraction with a good hit among ten; nil without a rule
	NDCG10      *float64      `json:"ndcg10,omitempty"`       // only for Judged
	PerSecond   float64       `json:"requests_per_s,omitempty"`
	CPU         time.Duration `json:"cpu_ns,omitempty"` // the server's processor time per request
	BodyBytes   int           `json:"body_bytes,omitempty"`
	Score       int           `json:"score,omitempty"` // lowest Lighthouse score of all pages, 1 to 100

	// The following fields are for Build and Import; SourceBytes is also for Open.
	SourceBytes int64   `json:"source_bytes,omitempty"`
	Seconds     float64 `json:"seconds,omitempty"`
	PeakRSS     int64   `json:"peak_rss_bytes,omitempty"`
	IndexBytes  int64   `json:"index_bytes,omitempty"`

	// The following fields are for Open.
	Open       time.Duration `json:"open_ns,omitempty"` // time without verification
	VerifyPace float64       `json:"verify_bytes_per_s,omitempty"`
	Heap       int64         `json:"heap_bytes,omitempty"` // largest Go heap in use

	Bytes int64 `json:"bytes,omitempty"` // size of a Section, or of all that an Explorer page loads

	// The following fields are for Machine.
	Processor string `json:"processor,omitempty"`
	Cores     int    `json:"cores,omitempty"`
	Go        string `json:"go,omitempty"`

	Soak  *SoakRun  `json:"soak,omitempty"`
	Fleet *FleetRun `json:"fleet,omitempty"`
}

// MBPerSecond returns how many megabytes of source a build or an import reads in a second.
func (l *Line) MBPerSecond() float64 {
	if l.Seconds == 0 {
		return 0
	}
	return float64(l.SourceBytes) / 1e6 / l.Seconds
}

// A File is a file to which the results of a run are appended.
type File struct {
	*os.File
	date, commit string
}

// Append opens a file, or creates it if it does not exist, and adds a line for the machine. If the name is
// empty, results are discarded. Each line contains the abbreviated commit of the work tree, with the suffix
// -dirty if a tracked file has changed.
func Append(name string) (f *File, err error) {
	f = &File{date: time.Now().UTC().Format(time.RFC3339), commit: commit()}
	f.File, err = os.OpenFile(cmp.Or(name, os.DevNull), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return f, f.Add(Line{Key: Key{Suite: Machine}, Processor: processor(), Cores: goruntime.NumCPU(),
		Go: goruntime.Version()})
}

// commit returns the abbreviated current commit, or "" outside a repository.
func commit() string {
	described, _ := exec.Command("git", "describe", "--always", "--dirty="+dirty, "--exclude=*", "--abbrev=12").Output()
	return strings.TrimSpace(string(described))
}

const dirty = "-dirty" // suffix for a work tree with changes; see Append

// processor returns the name of the processor. It is available only on Linux.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unknown processor"
}

// Add writes lines and sets the date and commit of the run in each.
func (f *File) Add(lines ...Line) error {
	to := json.NewEncoder(f)
	for _, l := range lines {
		l.Date, l.Commit = f.date, f.commit
		if err := to.Encode(l); err != nil {
			return err
		}
	}
	return nil
}

var suites = []Suite{Machine, Build, Search, Own, Judged, HTTP, Open, Section, Import, Explorer, Soak, Fleet}

// Read reads the lines of a file. A later line replaces an earlier line with the same key. Read returns an
// error if lines are from two commits, two machines or a work tree with changes.
func Read(in io.Reader) (lines []Line, err error) {
	type about struct {
		Key
		source int64 // identifies the catalogue of a build, whose line contains no number of products
	}
	places := map[about]int{}
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 1<<20)
	for n := 1; scanner.Scan(); n++ {
		if len(scanner.Bytes()) == 0 {
			continue
		}
		var l Line
		if err = json.Unmarshal(scanner.Bytes(), &l); err == nil {
			err = l.check(lines)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
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

// check returns an error if the line is invalid or must not follow the previous lines.
func (l *Line) check(before []Line) error {
	const again = "measure everything on one commit and one machine, with `make figures`"
	if !slices.Contains(suites, l.Suite) {
		return fmt.Errorf("suite %q: expected one of %q", l.Suite, suites)
	}
	if strings.HasSuffix(l.Commit, dirty) {
		return fmt.Errorf("commit %q: the work tree had changes: commit them, and %s", l.Commit, again)
	}
	for _, b := range before {
		if b.Commit != l.Commit {
			return fmt.Errorf("commit %q: the earlier lines are from commit %q: %s", l.Commit, b.Commit, again)
		}
		if b.Suite == Machine && l.Suite == Machine && (b.Processor != l.Processor || b.Cores != l.Cores || b.Go != l.Go) {
			return fmt.Errorf("machine %q, %d cores, %s: the earlier lines are from %q, %d cores, %s: %s", l.Processor, l.Cores,
				l.Go, b.Processor, b.Cores, b.Go, again)
		}
	}
	return nil
}

// A Run contains the figures that are common to the scenarios in bench/scenarios that judge promises.
type Run struct {
	Seconds float64 `json:"seconds"` // duration of the load
	Latency
	Classes []ClassLatency `json:"classes"`
	Done    []Action       `json:"done"`
	Faults  map[string]int `json:"faults"`  // number of faults by kind
	Skipped int            `json:"skipped"` // number of requests that were not sent because too many were unanswered
	// longest pause of the load generator that the machine caused, not a server
	Stall    time.Duration `json:"stall_ns"`
	Products int           `json:"products"`
	Broken   []string      `json:"broken"` // descriptions of the broken promises
}

// Figures returns r, for code that handles every scenario.
func (r *Run) Figures() *Run { return r }

// A SoakRun contains the figures of the scenario soak. Those in Run are from the part in which everything
// happens concurrently.
type SoakRun struct {
	Run
	Cores    int        `json:"cores"`
	Swaps    []Swaps    `json:"swaps"`
	Parts    []SoakPart `json:"parts"` // fifths of the part in which everything happens concurrently
	AtFirst  Rest       `json:"at_first"`
	AtLast   Rest       `json:"at_last"`
	Snapshot int64      `json:"snapshot_bytes"`
}

// A FleetRun contains the figures of the scenario fleet.
type FleetRun struct {
	Run
	Servers     int            `json:"servers"`
	Generations int            `json:"generations"` // number published under load
	Rollbacks   int            `json:"rollbacks"`
	Outages     map[string]int `json:"outages"` // number of outages by the part that was unavailable
	PerSecond   float64        `json:"requests_per_s"`
	Statuses    map[int]int    `json:"statuses"`
	Unavailable int            `json:"rate_limit_unavailable"` // 503s during and just after Redis outages
	Late        time.Duration  `json:"last_503_after_back_ns"` // longest delay of a 503 after the return of Redis
	Switch      Delays         `json:"switch"`
	Rollback    Delays         `json:"rollback"`
	Calm        []int          `json:"budgets_calm"` // requests granted to each account with Budget
	Across      []int          `json:"budgets_across_outages"`
	Budget      int            `json:"budget"`
}

// Delays contains the times that servers need to switch to a generation.
type Delays struct {
	Median time.Duration `json:"median_ns"`
	Max    time.Duration `json:"max_ns"`
	Missed int           `json:"missed"` // number of missed switches, summed over all servers
}

// Swaps compares requests during switches of generations with requests under the same load without switches.
type Swaps struct {
	Products  int     `json:"products"`
	Snapshot  int64   `json:"snapshot_bytes"`
	Switches  int     `json:"switches"`
	Seconds   float64 `json:"seconds"` // duration of all switches
	Quiet     Latency `json:"quiet"`
	Switching Latency `json:"switching"`
}

// Ratio returns the p99 during switches divided by the p99 without switches.
func (s *Swaps) Ratio() float64 { return float64(s.Switching.P99) / float64(max(s.Quiet.P99, 1)) }

// A Latency contains statistics of response times.
type Latency struct {
	Requests int           `json:"requests"`
	P50      time.Duration `json:"p50_ns"`
	P99      time.Duration `json:"p99_ns"`
	Worst    time.Duration `json:"worst_ns"`
}

// A SoakPart contains the figures for a part of a soak.
type SoakPart struct {
	Latency
	Held
}

// A ClassLatency contains response times for one class of requests.
type ClassLatency struct {
	Class string `json:"class"`
	Latency
}

// Rest contains a server's resources while it has no requests, or medians of samples taken every second.
type Rest struct {
	Goroutines int `json:"goroutines"`
	Files      int `json:"files"`
	Mappings   int `json:"mappings"` // number of mapped snapshots
}

// Held contains a server's resources under load. Sizes are in bytes.
type Held struct {
	Rest
	Anonymous     int64 `json:"rss_anonymous_bytes"`
	MostAnonymous int64 `json:"most_rss_anonymous_bytes"`
	File          int64 `json:"rss_file_bytes"` // page cache of the snapshots
	Heap          int64 `json:"heap_bytes"`
	MostMappings  int   `json:"most_mappings"`
}

// An Action is an operation that was repeated under load.
type Action struct {
	What    string        `json:"what"`
	Times   int           `json:"times"`
	Slowest time.Duration `json:"slowest_ns"` // longest time before the action took effect; 0 if not measured
}

// Package results defines the lines of JSON that the benchmarks append to one file: a line for each figure or
// group of figures. bench/peers, bench/scenarios, bench/explorer and some Go benchmarks write them, and
// bench/peers/report reads them. The fields and their units are defined only here.
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

// A Suite is a kind of measurement. It determines which fields a line has.
type Suite string

// The suites.
const (
	Machine  Suite = "machine"  // the machine on which the other lines were measured
	Build    Suite = "build"    // an index built from a catalogue, in a separate process
	Search   Suite = "search"   // the questions in a class, answered by engines that index sabine's terms
	Own      Suite = "own"      // text questions, answered by sabine and by peers as their users set them up
	Judged   Suite = "judged"   // the judged queries in a collection, answered by the engines in Own
	HTTP     Suite = "http"     // the requests in a class, sent to a server on one core
	Open     Suite = "open"     // a snapshot opened and verified, and the memory of a process using it
	Section  Suite = "section"  // a section in that snapshot
	Import   Suite = "import"   // a table read on one core
	Explorer Suite = "explorer" // pages in a browser, and the scores of Lighthouse
	Soak     Suite = "soak"     // a run of the scenario soak
	Fleet    Suite = "fleet"    // a run of the scenario fleet
)

// Engines with a special meaning. The others are compared with sabine.
const (
	Sabine = "sabine"
	Bare   = "bare" // an HTTP handler that writes a constant body
)

// A Key identifies the subject of a line.
type Key struct {
	Suite    Suite  `json:"suite"`
	Engine   string `json:"engine,omitempty"`
	Class    string `json:"class,omitempty"` // as in package queries or bench/scenarios
	Products int    `json:"products,omitempty"`
	Section  string `json:"section,omitempty"`

	Collection string `json:"collection,omitempty"` // source of the judged queries
}

// A Line is one result. Fields that its suite does not have, or that were not measured, are zero.
type Line struct {
	Key
	Date   string `json:"date,omitempty"`   // start of the run, RFC 3339, UTC
	Commit string `json:"commit,omitempty"` // current commit of the work tree; see Append

	// for Search, Own, Judged, HTTP and Explorer
	Questions   int           `json:"questions,omitempty"`
	P50         time.Duration `json:"p50_ns,omitempty"`
	P95         time.Duration `json:"p95_ns,omitempty"` // for Explorer
	P99         time.Duration `json:"p99_ns,omitempty"`
	Worst       time.Duration `json:"worst_ns,omitempty"`
	MedianTotal int           `json:"median_total,omitempty"` // median number of hits
	SameTotal   *float64      `json:"same_total,omitempty"`   // share of totals equal to sabine's; nil: not compared
	Success10   *float64      `json:"success10,omitempty"`    // share with a good hit among ten; nil: no rule
	NDCG10      *float64      `json:"ndcg10,omitempty"`       // for Judged
	PerSecond   float64       `json:"requests_per_s,omitempty"`
	CPU         time.Duration `json:"cpu_ns,omitempty"` // the server's processor time for a request
	BodyBytes   int           `json:"body_bytes,omitempty"`
	Score       int           `json:"score,omitempty"` // the lowest Lighthouse score of all pages, 1 to 100

	// for Build and Import; Open uses SourceBytes too
	SourceBytes int64   `json:"source_bytes,omitempty"`
	Seconds     float64 `json:"seconds,omitempty"`
	PeakRSS     int64   `json:"peak_rss_bytes,omitempty"`
	IndexBytes  int64   `json:"index_bytes,omitempty"`

	// for Open
	Open       time.Duration `json:"open_ns,omitempty"` // without verification
	VerifyPace float64       `json:"verify_bytes_per_s,omitempty"`
	Heap       int64         `json:"heap_bytes,omitempty"` // largest heap in use by Go

	Bytes int64 `json:"bytes,omitempty"` // size of a Section, or of what an Explorer page loads

	// for Machine
	Processor string `json:"processor,omitempty"`
	Cores     int    `json:"cores,omitempty"`
	Go        string `json:"go,omitempty"`

	Soak  *SoakRun  `json:"soak,omitempty"`
	Fleet *FleetRun `json:"fleet,omitempty"`
}

// MBPerSecond returns the megabytes of source that a build or an import reads in a second.
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

// Append opens a file, which it creates if it does not exist, and adds a line for the machine. If the name is
// empty, results are discarded. The lines get the abbreviated commit of the work tree, with the suffix -dirty
// if a tracked file has changed.
func Append(name string) (f *File, err error) {
	f = &File{date: time.Now().UTC().Format(time.RFC3339), commit: commit()}
	f.File, err = os.OpenFile(cmp.Or(name, os.DevNull), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return f, f.Add(Line{Key: Key{Suite: Machine}, Processor: processor(), Cores: goruntime.NumCPU(),
		Go: goruntime.Version()})
}

// commit returns the empty string outside a repository.
func commit() string {
	described, _ := exec.Command("git", "describe", "--always", "--dirty="+dirty, "--exclude=*", "--abbrev=12").Output()
	return strings.TrimSpace(string(described))
}

const dirty = "-dirty" // suffix of a commit; see Append

// processor returns the name of the processor, which is only available on Linux.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unknown processor"
}

// Add writes lines, each with the date and the commit of the run.
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

// Read returns the lines that count: a later line replaces an earlier one with the same key. It returns an
// error if lines are from two commits, two machines or a work tree with changes.
func Read(in io.Reader) (lines []Line, err error) {
	type about struct {
		Key
		source int64 // builds have no products: the source size identifies their catalogue
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

// check returns an error if the line is invalid or must not follow the lines before.
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
			return fmt.Errorf("commit %q: the lines before are of commit %q: %s", l.Commit, b.Commit, again)
		}
		if b.Suite == Machine && l.Suite == Machine && (b.Processor != l.Processor || b.Cores != l.Cores || b.Go != l.Go) {
			return fmt.Errorf("machine %q, %d cores, %s: the lines before are of %q, %d cores, %s: %s", l.Processor, l.Cores,
				l.Go, b.Processor, b.Cores, b.Go, again)
		}
	}
	return nil
}

// A Run contains the figures from every scenario in bench/scenarios whose promises are judged.
type Run struct {
	Seconds float64 `json:"seconds"` // under load
	Latency
	Classes []ClassLatency `json:"classes"`
	Done    []Action       `json:"done"`
	Faults  map[string]int `json:"faults"`  // by kind
	Skipped int            `json:"skipped"` // requests that were not sent because too many were unanswered
	// longest time in which the load generator did not run, because of the machine and not of a server
	Stall    time.Duration `json:"stall_ns"`
	Products int           `json:"products"`
	Broken   []string      `json:"broken"` // promises
}

// Figures returns the run, for code that handles every scenario.
func (r *Run) Figures() *Run { return r }

// A SoakRun contains the figures from a run of the scenario soak. Those in Run are from the part in which
// everything happens at once.
type SoakRun struct {
	Run
	Cores    int        `json:"cores"`
	Swaps    []Swaps    `json:"swaps"`
	Parts    []SoakPart `json:"parts"` // fifths of the time in which everything happens at once
	AtFirst  Rest       `json:"at_first"`
	AtLast   Rest       `json:"at_last"`
	Snapshot int64      `json:"snapshot_bytes"`
}

// A FleetRun contains the figures from a run of the scenario fleet.
type FleetRun struct {
	Run
	Servers     int            `json:"servers"`
	Generations int            `json:"generations"` // published under load
	Rollbacks   int            `json:"rollbacks"`
	Outages     map[string]int `json:"outages"` // by the part that was away
	PerSecond   float64        `json:"requests_per_s"`
	Statuses    map[int]int    `json:"statuses"`
	Unavailable int            `json:"rate_limit_unavailable"` // 503s while Redis was away or just back
	Late        time.Duration  `json:"last_503_after_back_ns"` // longest time
	Switch      Delays         `json:"switch"`
	Rollback    Delays         `json:"rollback"`
	Calm        []int          `json:"budgets_calm"` // requests granted to accounts whose budget is Budget
	Across      []int          `json:"budgets_across_outages"`
	Budget      int            `json:"budget"`
}

// Delays are the times until all servers use a generation.
type Delays struct {
	Median time.Duration `json:"median_ns"`
	Max    time.Duration `json:"max_ns"`
	Missed int           `json:"missed"` // servers that never switched, summed over all generations
}

// Swaps compares requests during switches of generations with the same load without switches.
type Swaps struct {
	Products  int     `json:"products"`
	Snapshot  int64   `json:"snapshot_bytes"`
	Switches  int     `json:"switches"`
	Seconds   float64 `json:"seconds"` // for all switches
	Quiet     Latency `json:"quiet"`
	Switching Latency `json:"switching"`
}

// Ratio returns the p99 during switches divided by the p99 without switches.
func (s *Swaps) Ratio() float64 { return float64(s.Switching.P99) / float64(max(s.Quiet.P99, 1)) }

// A Latency contains response times.
type Latency struct {
	Requests int           `json:"requests"`
	P50      time.Duration `json:"p50_ns"`
	P99      time.Duration `json:"p99_ns"`
	Worst    time.Duration `json:"worst_ns"`
}

// A SoakPart is a part of a soak.
type SoakPart struct {
	Latency
	Held
}

// A ClassLatency contains the response times for a class of requests.
type ClassLatency struct {
	Class string `json:"class"`
	Latency
}

// Rest contains a server's resources without requests, or medians of samples a second apart.
type Rest struct {
	Goroutines int `json:"goroutines"`
	Files      int `json:"files"`
	Mappings   int `json:"mappings"` // for snapshots
}

// Held contains a server's resources under load; sizes are in bytes.
type Held struct {
	Rest
	Anonymous     int64 `json:"rss_anonymous_bytes"`
	MostAnonymous int64 `json:"most_rss_anonymous_bytes"`
	File          int64 `json:"rss_file_bytes"` // page cache for the snapshots
	Heap          int64 `json:"heap_bytes"`
	MostMappings  int   `json:"most_mappings"`
}

// An Action is something that was done repeatedly under load.
type Action struct {
	What    string        `json:"what"`
	Times   int           `json:"times"`
	Slowest time.Duration `json:"slowest_ns"` // until it took effect; 0: not measured
}

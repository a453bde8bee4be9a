package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	goruntime "runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A classLine is what one engine did in one class, as it is written to the results.
type classLine struct {
	Suite       string   `json:"suite"` // "search"
	Class       string   `json:"class"`
	Facets      bool     `json:"facets"`
	Told        bool     `json:"told"` // the engine was told the class
	Engine      string   `json:"engine"`
	Products    int      `json:"products"`
	Questions   int      `json:"questions"`
	P50         int64    `json:"p50_ns"`
	P99         int64    `json:"p99_ns"`
	Worst       int64    `json:"worst_ns"`
	MedianTotal int      `json:"median_total"`
	SameTotal   *float64 `json:"same_total,omitempty"` // share of the questions to which the first engine has the same total
	Success10   *float64 `json:"success10,omitempty"`  // share of the questions answered well by their rule, if they have one
	Cores       int      `json:"cores"`
	Date        string   `json:"date"`
}

// A buildLine is what one build cost.
type buildLine struct {
	Suite       string  `json:"suite"` // "build"
	Engine      string  `json:"engine"`
	SourceBytes int64   `json:"source_bytes"`
	Seconds     float64 `json:"seconds"`
	MBPerSecond float64 `json:"source_mb_per_s"`
	PeakRSS     int64   `json:"peak_rss_bytes,omitempty"`
	IndexBytes  int64   `json:"index_bytes"`
	Cores       int     `json:"cores"`
	Date        string  `json:"date"`
}

// An openLine is what sabine's snapshot costs to open, and a process that answers from it.
type openLine struct {
	Suite       string  `json:"suite"` // "open"
	Engine      string  `json:"engine"`
	Products    int     `json:"products"`
	SourceBytes int64   `json:"source_bytes"`
	Open        int64   `json:"open_ns"`
	VerifyPace  float64 `json:"verify_bytes_per_s"`
	Heap        uint64  `json:"heap_bytes"`
	Cores       int     `json:"cores"`
	Date        string  `json:"date"`
}

// A machineLine is where a run was made.
type machineLine struct {
	Suite     string `json:"suite"` // "machine"
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	Go        string `json:"go"`
}

// A sectionLine is the size of a section of that snapshot.
type sectionLine struct {
	Suite    string `json:"suite"` // "section"
	Products int    `json:"products"`
	Section  string `json:"section"`
	Bytes    int64  `json:"bytes"`
}

// A report gathers the lines, for the table, and appends them to the results.
type report struct {
	classes []classLine
	builds  []buildLine
	file    *os.File // nil: no results are kept
	date    string
	err     error // the first of writing
}

func newReport(results string) (r *report, err error) {
	r = &report{date: time.Now().UTC().Format(time.RFC3339)}
	if results != "" {
		if r.file, err = os.OpenFile(results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
			r.write(machineLine{"machine", processor(), goruntime.NumCPU(), goruntime.Version()})
		}
	}
	return r, err
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

func (r *report) write(line any) {
	if r.file != nil && r.err == nil {
		r.err = json.NewEncoder(r.file).Encode(line)
	}
}

func (r *report) close() error {
	if r.file == nil {
		return nil
	}
	if r.err != nil {
		return r.err
	}
	return r.file.Close()
}

func (r *report) addBuild(engine string, source int64, b built) {
	seconds := b.Time.Seconds()
	line := buildLine{
		Suite: "build", Engine: engine, SourceBytes: source, Seconds: seconds, MBPerSecond: float64(source) / 1e6 / seconds,
		PeakRSS: b.PeakRSS, IndexBytes: b.Bytes, Cores: goruntime.NumCPU(), Date: r.date,
	}
	r.builds = append(r.builds, line)
	r.write(line)
}

// addClass adds a line for each engine.
func (r *report) addClass(c *contest, products int, scores []score) {
	questions := float64(len(c.questions))
	for w := range scores {
		s := &scores[w]
		line := classLine{
			Suite: "search", Class: c.class, Facets: c.facets, Told: c.task != taskText, Engine: s.engine, Products: products,
			Questions: len(c.questions), P50: s.times.ValueAtQuantile(50), P99: s.times.ValueAtQuantile(99), Worst: s.times.Max(),
			MedianTotal: slices.Sorted(slices.Values(s.totals))[len(s.totals)/2], Cores: goruntime.NumCPU(), Date: r.date,
		}
		if c.task == taskText {
			share := float64(s.same(&scores[0])) / questions
			line.SameTotal = &share
		}
		if q := &c.questions[0]; q.Rule != nil || q.Nothing {
			share := float64(s.success) / questions
			line.Success10 = &share
		}
		r.classes = append(r.classes, line)
		r.write(line)
	}
}

func (r *report) addOpened(source int64, o opened) {
	r.write(openLine{
		Suite: "open", Engine: setups[0].name, Products: o.Products, SourceBytes: source, Open: o.Open.Nanoseconds(),
		VerifyPace: float64(o.Bytes) / o.Verify.Seconds(), Heap: o.Heap, Cores: goruntime.NumCPU(), Date: r.date,
	})
	for _, s := range o.Sections {
		r.write(sectionLine{"section", o.Products, s.Name, s.Bytes})
	}
}

// print writes the tables.
func (r *report) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if len(r.builds) > 0 {
		fmt.Fprintln(t, "build\tseconds\tMB/s\tpeak MB\tindex MB\t")
		for _, b := range r.builds {
			fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%d\t%d\t\n", b.Engine, b.Seconds, b.MBPerSecond, b.PeakRSS/1e6, b.IndexBytes/1e6)
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintln(t, "class\tengine\tp50\tp99\tworst\tmedian total\tsame total\tsuccess@10\tquestions\t")
	for _, c := range r.classes {
		name := c.Class
		if c.Told {
			name += ", told"
		}
		fmt.Fprintf(t, "%s\t%s\t%v\t%v\t%v\t%d\t%s\t%s\t%d\t\n", name, c.Engine, shown(c.P50), shown(c.P99), shown(c.Worst),
			c.MedianTotal, share(c.SameTotal), share(c.Success10), c.Questions)
	}
	fmt.Fprintln(t)
	r.printFastest(t)
	return t.Flush()
}

func share(s *float64) string {
	if s == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *s)
}

// printFastest holds the p50 of the first engine against that of the fastest of the others, class by class, and tells that of
// the fastest which is told the class.
func (r *report) printFastest(w io.Writer) {
	fmt.Fprintln(w, "class\tp50\tfastest peer\tits p50\tratio\ttold\tits p50\t")
	byP50 := func(a, b classLine) int { return cmp.Compare(a.P50, b.P50) }
	for _, c := range r.classes {
		var asked, told []classLine
		for _, other := range r.classes {
			switch {
			case other.Class != c.Class || other.Engine == setups[0].name:
			case other.Told:
				told = append(told, other)
			default:
				asked = append(asked, other)
			}
		}
		if c.Engine != setups[0].name || len(asked) == 0 {
			continue
		}
		fastest := slices.MinFunc(asked, byP50)
		fmt.Fprintf(w, "%s\t%v\t%s\t%v\t%.1f\t", c.Class, shown(c.P50), fastest.Engine, shown(fastest.P50), float64(fastest.P50)/float64(c.P50))
		if len(told) > 0 {
			fastest = slices.MinFunc(told, byP50)
			fmt.Fprintf(w, "%s\t%v\t\n", fastest.Engine, shown(fastest.P50))
		} else {
			fmt.Fprint(w, "\t\t\n")
		}
	}
}

// shown rounds nanoseconds to what can be compared by eye.
func shown(ns int64) time.Duration { return time.Duration(ns).Round(time.Microsecond) }

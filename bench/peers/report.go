package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	goruntime "runtime"
	"slices"
	"text/tabwriter"
	"time"

	"sabine/bench/queries"
)

// A classLine is what one engine did in one class, as it is written to the results.
type classLine struct {
	Suite       string   `json:"suite"` // "search"
	Class       string   `json:"class"`
	Facets      bool     `json:"facets"`
	Engine      string   `json:"engine"`
	Products    int      `json:"products"`
	Questions   int      `json:"questions"`
	P50         int64    `json:"p50_ns"`
	P99         int64    `json:"p99_ns"`
	Worst       int64    `json:"worst_ns"`
	MedianTotal int      `json:"median_total"`
	Success10   *float64 `json:"success10,omitempty"` // share of the questions answered well by their rule, if they have one
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
		r.file, err = os.OpenFile(results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	}
	return r, err
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

func (r *report) addClass(class *queries.Class, questions []queries.Question, engine string, products int, s *score) {
	if len(questions) == 0 {
		return
	}
	slices.Sort(s.totals)
	line := classLine{
		Suite: "search", Class: class.Name, Facets: questions[0].Facets, Engine: engine,
		Products: products, Questions: len(questions),
		P50: s.times.ValueAtQuantile(50), P99: s.times.ValueAtQuantile(99), Worst: s.times.Max(),
		MedianTotal: s.totals[len(s.totals)/2], Cores: goruntime.NumCPU(), Date: r.date,
	}
	if questions[0].Rule != nil || questions[0].Nothing {
		share := float64(s.success) / float64(len(questions))
		line.Success10 = &share
	}
	r.classes = append(r.classes, line)
	r.write(line)
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
	fmt.Fprintln(t, "class\tengine\tp50\tp99\tworst\tmedian total\tsuccess@10\tquestions\t")
	for _, c := range r.classes {
		success := "-"
		if c.Success10 != nil {
			success = fmt.Sprintf("%.2f", *c.Success10)
		}
		fmt.Fprintf(t, "%s\t%s\t%v\t%v\t%v\t%d\t%s\t%d\t\n", c.Class, c.Engine, shown(c.P50), shown(c.P99), shown(c.Worst),
			c.MedianTotal, success, c.Questions)
	}
	fmt.Fprintln(t)
	r.printFastest(t)
	return t.Flush()
}

// printFastest holds the p50 of the first engine against that of the fastest of the others, class by class.
func (r *report) printFastest(w io.Writer) {
	fmt.Fprintln(w, "class\tp50\tfastest peer\tits p50\tratio\t")
	for first := 0; first < len(r.classes); {
		behind := first + 1
		for behind < len(r.classes) && r.classes[behind].Class == r.classes[first].Class {
			behind++
		}
		if peers := r.classes[first+1 : behind]; len(peers) > 0 {
			c := r.classes[first]
			fastest := slices.MinFunc(peers, func(a, b classLine) int { return cmp.Compare(a.P50, b.P50) })
			fmt.Fprintf(w, "%s\t%v\t%s\t%v\t%.1f\t\n", c.Class, shown(c.P50), fastest.Engine, shown(fastest.P50),
				float64(fastest.P50)/float64(c.P50))
		}
		first = behind
	}
}

// shown rounds nanoseconds to what can be compared by eye.
func shown(ns int64) time.Duration { return time.Duration(ns).Round(time.Microsecond) }

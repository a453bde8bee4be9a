package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"sabine/bench/queries"
)

// subject is the engine that the others are compared with.
const subject = "sabine"

// Engines that are no peers: what bench/load holds the subject against, and what bench/peers measures like a build.
const (
	bareHandler = "bare"
	validator   = "gjson"
)

// Sizes of generated catalogues. Some of their products are not published, so that lines have a little less.
const (
	small  = 10_000
	middle = 100_000
	large  = 1_000_000
)

// near reports whether a number is one of the sizes, or of their ratios, give or take a tenth.
func near(n, size float64) bool { return math.Abs(n/size-1) <= 0.1 }

// A line is one result. What its suite does not tell is zero.
type line struct {
	key
	SourceBytes float64 `json:"source_bytes"`
	Date        string

	// of search and http
	Questions   int
	P50         float64  `json:"p50_ns"`
	P99         float64  `json:"p99_ns"`
	MedianTotal int      `json:"median_total"`
	SameTotal   *float64 `json:"same_total"` // share of the questions with the subject's total; nil: the engine was told the class
	Success10   *float64 // nil: the class has no rule of what is good
	PerSecond   float64  `json:"requests_per_s"`
	BodyBytes   int      `json:"body_bytes"`

	// of build
	Seconds    float64
	MBPerS     float64 `json:"source_mb_per_s"`
	PeakRSS    float64 `json:"peak_rss_bytes"` // 0: not measured
	IndexBytes float64 `json:"index_bytes"`

	// of open: what a snapshot costs to open and check, and a process to have answered questions of every class from it
	Open       float64 `json:"open_ns"` // without verification
	VerifyPace float64 `json:"verify_bytes_per_s"`
	Heap       float64 `json:"heap_bytes"` // in use, of Go

	Bytes float64 // of a section

	// of machine: where a run was made
	Processor string
	Cores     int
	Go        string
}

// A key is what a line is about.
type key struct {
	Suite, Class, Engine, Section string
	Told                          bool // the engine was told the class: another question, which takes no part in ratios
	Products                      int
}

// add adds a line, or puts it in the place of an earlier one about the same. Builds tell no products: their catalogues are
// told apart by size.
func add(lines []line, l line) []line {
	for i, old := range lines {
		if old.key == l.key && (l.Suite != "build" || old.SourceBytes == l.SourceBytes) {
			lines[i] = l
			return lines
		}
	}
	return append(lines, l)
}

// A class is what the engines did with the same questions or requests, of catalogues of all sizes.
type class struct {
	Name   string
	kind   queries.Kind
	facets bool // of a text too, whose kind is that without
	lines  []line
}

// addTo adds a line to its class.
func addTo(classes []class, l line) []class {
	i := slices.IndexFunc(classes, func(c class) bool { return c.Name == l.Class })
	if i < 0 {
		i = len(classes)
		kind, _ := queries.KindOf(l.Class)
		classes = append(classes, class{Name: l.Class, kind: kind, facets: strings.HasSuffix(l.Class, queries.WithFacets)})
	}
	classes[i].lines = add(classes[i].lines, l)
	return classes
}

// results are the lines that count, in the order in which their keys first came.
type results struct {
	Machine                 line
	First, Last             string // days
	Searches, Loads         []class
	Opens, builds, sections []line
}

func readResults(in io.Reader) (*results, error) {
	r := &results{}
	scanner := bufio.NewScanner(in)
	for n := 1; scanner.Scan(); n++ {
		var l line
		if len(scanner.Bytes()) == 0 {
			continue
		}
		if err := json.Unmarshal(scanner.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if day, _, ok := strings.Cut(l.Date, "T"); ok {
			r.First, r.Last = min(cmp.Or(r.First, day), day), max(r.Last, day)
		}
		switch l.Suite {
		case "machine":
			r.Machine = l
		case "search":
			r.Searches = addTo(r.Searches, l)
		case "http":
			r.Loads = addTo(r.Loads, l)
		case "build":
			r.builds = add(r.builds, l)
		case "open":
			r.Opens = add(r.Opens, l)
		case "section":
			r.sections = add(r.sections, l)
		default:
			return nil, fmt.Errorf("line %d: suite %q: expected machine, search, build, http, open or section", n, l.Suite)
		}
	}
	return r, scanner.Err()
}

// answers returns what the engines did at a size that were told the class, or were not, the fastest first.
func (c *class) answers(size int, told bool) []line {
	of := slices.DeleteFunc(slices.Clone(c.lines), func(l line) bool { return l.Told != told || !near(float64(l.Products), float64(size)) })
	slices.SortStableFunc(of, func(a, b line) int { return cmp.Compare(a.P50, b.P50) })
	return of
}

// first returns the first line of which something holds, or a line without figures.
func first(lines []line, holds func(line) bool) line {
	if i := slices.IndexFunc(lines, holds); i >= 0 {
		return lines[i]
	}
	return line{}
}

// Of returns what an engine did at 100,000 products, At what the subject did at a size, and Fastest what the fastest peer did
// that was told the class, or was not.
func (c *class) Of(engine string) line {
	return first(c.answers(middle, false), func(l line) bool { return l.Engine == engine })
}

func (c *class) At(size int) line {
	return first(c.answers(size, false), func(l line) bool { return l.Engine == subject })
}

func (c *class) Fastest(told bool) line {
	return first(c.answers(middle, told), func(l line) bool { return l.Engine != subject })
}

// Ratio tells how many times the p50 of the subject the fastest peer's is.
func (c *class) Ratio() float64 { return quotient(c.Fastest(false).P50, c.At(middle).P50) }

// Share tells which part of a server's requests a second the subject reaches.
func (c *class) Share(server string) float64 {
	return quotient(c.At(middle).PerSecond, c.Of(server).PerSecond)
}

// Growth tells how many times the p50 of the subject at a size that at another one is.
func (c *class) Growth(from, to int) float64 { return quotient(c.At(to).P50, c.At(from).P50) }

// quotient is 0 where one of the figures was not measured.
func quotient(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// Engines lists those that have answered.
func (r *results) Engines() (names []string) {
	for _, c := range r.Searches {
		for _, l := range c.lines {
			if !slices.Contains(names, l.Engine) {
				names = append(names, l.Engine)
			}
		}
	}
	return names
}

// Latencies returns the classes of questions to 100,000 products, of texts, of filters and orders, or with facets.
func (r *results) Latencies(text, facets bool) []class {
	return slices.DeleteFunc(slices.Clone(r.Searches), func(c class) bool {
		return c.At(middle).P50 == 0 || c.facets != facets || !facets && c.kind.IsText() != text
	})
}

// Builds returns those of the catalogue that the peers have built too, and the subject's of one ten times as large.
func (r *results) Builds() []line {
	source := first(r.builds, func(l line) bool { return l.Engine != subject && l.Engine != validator }).SourceBytes
	return slices.DeleteFunc(slices.Clone(r.builds), func(l line) bool {
		return l.SourceBytes != source && (l.Engine != subject || !near(l.SourceBytes, 10*source))
	})
}

// Sections returns those of the snapshot of 100,000 products, or else of one that there is, the greatest first and last
// their sum.
func (r *results) Sections() []line {
	of := first(r.Opens, func(l line) bool { return near(float64(l.Products), middle) })
	if of.Products == 0 && len(r.Opens) > 0 {
		of = r.Opens[0]
	}
	sections := slices.DeleteFunc(slices.Clone(r.sections), func(s line) bool { return s.Products != of.Products })
	slices.SortStableFunc(sections, func(a, b line) int { return cmp.Compare(b.Bytes, a.Bytes) })
	all := line{key: key{Section: "all", Products: of.Products}, SourceBytes: of.SourceBytes}
	for i := range sections {
		all.Bytes += sections[i].Bytes
		sections[i].SourceBytes = of.SourceBytes
	}
	if all.Bytes > 0 {
		sections = append(sections, all)
	}
	return sections
}

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
)

// subject is the engine that the others are compared with.
const subject = "sabine"

// Engines that are no peers: what bench/load holds the subject against, and what bench/peers measures like a build.
const (
	bareHandler = "bare"
	nginx       = "nginx"
	validator   = "gjson"
)

// A searchLine is what an engine did in a class of questions. When several lines have the same key, the last one counts.
type searchLine struct {
	searchKey
	Questions   int      `json:"questions"`
	P50         float64  `json:"p50_ns"`
	P99         float64  `json:"p99_ns"`
	MedianTotal int      `json:"median_total"`
	SameTotal   *float64 `json:"same_total"` // share of the questions with the subject's total; nil: the engine was told the class
	Success10   *float64 `json:"success10"`  // nil: the class has no rule of what is good
	Cores       int      `json:"cores"`
	Date        string   `json:"date"`
}

type searchKey struct {
	Class    string `json:"class"`
	Facets   bool   `json:"facets"`
	Told     bool   `json:"told"` // the engine was told the class
	Engine   string `json:"engine"`
	Products int    `json:"products"`
}

// A buildLine is what a build cost. It does not tell the products: catalogues are told apart by their size in bytes.
type buildLine struct {
	buildKey
	Seconds    float64 `json:"seconds"`
	MBPerS     float64 `json:"source_mb_per_s"`
	PeakRSS    float64 `json:"peak_rss_bytes"` // 0: not measured
	IndexBytes float64 `json:"index_bytes"`
	Date       string  `json:"date"`
}

type buildKey struct {
	Engine      string  `json:"engine"`
	SourceBytes float64 `json:"source_bytes"`
}

// An httpLine is what a server did with requests of a class.
type httpLine struct {
	httpKey
	PerSecond   float64 `json:"requests_per_s"`
	P99         float64 `json:"p99_ns"`
	CPU         float64 `json:"cpu_ns"` // of the server for a request
	BodyBytes   int     `json:"body_bytes"`
	MedianTotal int     `json:"median_total"`
}

type httpKey struct {
	Class    string `json:"class"`
	Engine   string `json:"engine"`
	Products int    `json:"products"`
}

// An openLine is what a snapshot costs to open and check, and a process to have answered questions of every class from it.
type openLine struct {
	openKey
	Open        float64 `json:"open_ns"` // without verification
	VerifyPace  float64 `json:"verify_bytes_per_s"`
	Heap        float64 `json:"heap_bytes"` // in use, of Go
	SourceBytes float64 `json:"source_bytes"`
}

type openKey struct {
	Products int `json:"products"`
}

// A sectionLine is the size of a section.
type sectionLine struct {
	sectionKey
	Bytes float64 `json:"bytes"`
}

type sectionKey struct {
	Products int    `json:"products"`
	Section  string `json:"section"`
}

// A machineLine is where a run was made. The last one counts.
type machineLine struct {
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	Go        string `json:"go"`
}

// results are the lines that count, in the order in which their keys first came.
type results struct {
	machine  machineLine
	searches []searchLine
	builds   []buildLine
	https    []httpLine
	opens    []openLine
	sections []sectionLine
}

func readResults(in io.Reader) (*results, error) {
	r := &results{}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := r.add(lines.Bytes()); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	r.searches = newest(r.searches, func(l searchLine) searchKey { return l.searchKey })
	r.builds = newest(r.builds, func(l buildLine) buildKey { return l.buildKey })
	r.https = newest(r.https, func(l httpLine) httpKey { return l.httpKey })
	r.opens = newest(r.opens, func(l openLine) openKey { return l.openKey })
	r.sections = newest(r.sections, func(l sectionLine) sectionKey { return l.sectionKey })
	return r, lines.Err()
}

func (r *results) add(line []byte) error {
	var of struct{ Suite string }
	if err := json.Unmarshal(line, &of); err != nil {
		return err
	}
	switch of.Suite {
	case "search":
		return appendLine(&r.searches, line)
	case "build":
		return appendLine(&r.builds, line)
	case "http":
		return appendLine(&r.https, line)
	case "open":
		return appendLine(&r.opens, line)
	case "section":
		return appendLine(&r.sections, line)
	case "machine":
		return json.Unmarshal(line, &r.machine)
	}
	return fmt.Errorf("suite %q: expected machine, search, build, http, open or section", of.Suite)
}

func appendLine[T any](lines *[]T, line []byte) error {
	var l T
	err := json.Unmarshal(line, &l)
	*lines = append(*lines, l)
	return err
}

// newest returns the last line of each key, where the first one stood.
func newest[T any, K comparable](lines []T, key func(T) K) []T {
	at := map[K]int{}
	var kept []T
	for _, l := range lines {
		i, ok := at[key(l)]
		if !ok {
			i = len(kept)
			at[key(l)] = i
			kept = append(kept, l)
		}
		kept[i] = l
	}
	return kept
}

// Sizes of generated catalogues. Some of their products are not published, so that lines have a little less.
const (
	small  = 10_000
	middle = 100_000
	large  = 1_000_000
)

// near reports whether a number is one of the sizes, or of their ratios, give or take a tenth.
func near(n, size float64) bool { return math.Abs(n/size-1) <= 0.1 }

// A class is what the engines did with the same questions.
type class struct {
	name   string
	facets bool
	lines  []searchLine
	told   []searchLine // of engines that were told the class: another question, which takes no part in the ratio
}

// classes gathers the lines about catalogues of a size.
func (r *results) classes(size int) (classes []class) {
	for _, l := range r.searches {
		if !near(float64(l.Products), float64(size)) {
			continue
		}
		i := slices.IndexFunc(classes, func(c class) bool { return c.name == l.Class && c.facets == l.Facets })
		if i < 0 {
			i = len(classes)
			classes = append(classes, class{name: l.Class, facets: l.Facets})
		}
		if l.Told {
			classes[i].told = append(classes[i].told, l)
		} else {
			classes[i].lines = append(classes[i].lines, l)
		}
	}
	return classes
}

func (c *class) of(engine string) (searchLine, bool) {
	i := slices.IndexFunc(c.lines, func(l searchLine) bool { return l.Engine == engine })
	if i < 0 {
		return searchLine{}, false
	}
	return c.lines[i], true
}

// ratio tells how many times the p50 of the subject the least of its peers' is, and whose that is.
func (c *class) ratio() (times float64, fastest string, ok bool) {
	s, ok := c.of(subject)
	if !ok {
		return 0, "", false
	}
	for _, l := range c.lines {
		if l.Engine != subject && (fastest == "" || l.P50/s.P50 < times) {
			times, fastest = l.P50/s.P50, l.Engine
		}
	}
	return times, fastest, fastest != ""
}

// fastestTold returns the line of the fastest engine that was told the class.
func (c *class) fastestTold() (searchLine, bool) {
	if len(c.told) == 0 {
		return searchLine{}, false
	}
	return slices.MinFunc(c.told, func(a, b searchLine) int { return cmp.Compare(a.P50, b.P50) }), true
}

// engines lists those that classes have lines of.
func engines(classes []class) (names []string) {
	for _, c := range classes {
		for _, l := range c.lines {
			if !slices.Contains(names, l.Engine) {
				names = append(names, l.Engine)
			}
		}
	}
	return names
}

// A load is what the servers did with the same requests.
type load struct {
	name  string
	lines map[string]httpLine // by engine
}

func (r *results) loads() (loads []load) {
	for _, l := range r.https {
		if !near(float64(l.Products), middle) {
			continue
		}
		i := slices.IndexFunc(loads, func(o load) bool { return o.name == l.Class })
		if i < 0 {
			i = len(loads)
			loads = append(loads, load{l.Class, map[string]httpLine{}})
		}
		loads[i].lines[l.Engine] = l
	}
	return loads
}

// share tells which part of an engine's requests per second the subject reaches.
func (l *load) share(engine string) (share float64, ok bool) {
	s, ok := l.lines[subject]
	other, okToo := l.lines[engine]
	if !ok || !okToo {
		return 0, false
	}
	return s.PerSecond / other.PerSecond, true
}

// sharedBuilds returns the builds of the catalogue that the peers have built too.
func (r *results) sharedBuilds() (builds []buildLine) {
	source := 0.0
	for _, l := range r.builds {
		if l.Engine != subject && l.Engine != validator {
			source = l.SourceBytes
		}
	}
	for _, l := range r.builds {
		if l.SourceBytes == source {
			builds = append(builds, l)
		}
	}
	return builds
}

// build returns the build of the subject from a source that is so many times that which the peers have built too.
func (r *results) build(times float64) (buildLine, bool) {
	if shared := r.sharedBuilds(); len(shared) > 0 {
		for _, l := range r.builds {
			if l.Engine == subject && near(l.SourceBytes/shared[0].SourceBytes, times) {
				return l, true
			}
		}
	}
	return buildLine{}, false
}

// missing says what to run for the suites that there are no lines of.
func (r *results) missing() (sentences []string) {
	say := func(absent bool, sentence string) {
		if absent {
			sentences = append(sentences, sentence)
		}
	}
	say(len(r.classes(middle)) == 0, "There are no questions to 100,000 products: run `make bench-peers`.")
	for _, size := range []int{small, large} {
		say(len(r.classes(size)) == 0, fmt.Sprintf("There are no questions to %s products: run "+
			"`BENCH_PRODUCTS=%d BENCH_ENGINES=sabine make bench-peers`.", grouped(size), size))
	}
	say(len(r.sharedBuilds()) == 0, "There are no builds: run `make bench-peers`.")
	say(len(r.loads()) == 0, "There are no requests over HTTP: run `make bench-http`.")
	say(len(r.opens) == 0, "There is no opening of a snapshot: run `make bench-peers`.")
	say(len(r.sections) == 0, "There are no sections of a snapshot: run `make bench-peers`.")
	return sentences
}

package main

import (
	"fmt"
	"slices"
	"strings"
)

// A bar is a limit and how what was measured stands to it.
type bar struct {
	what, limit, measured string
	verdict               verdict
}

type verdict string

const (
	met        verdict = "met"
	missed     verdict = "**not met**"
	unmeasured verdict = "not measured"
)

// A limit is what a figure has to reach, or must not exceed.
type limit struct {
	value float64
	floor bool // or else a ceiling
	show  func(float64) string
}

func atLeast(v float64, show func(float64) string) limit { return limit{v, true, show} }
func atMost(v float64, show func(float64) string) limit  { return limit{v, false, show} }

func (l limit) String() string {
	if l.floor {
		return "at least " + l.text()
	}
	return "at most " + l.text()
}

// text shows the value without the zeros that a measured one keeps.
func (l limit) text() string {
	return strings.NewReplacer(".00 ", " ", ".0 ", " ").Replace(l.show(l.value))
}

func (l limit) holds(v float64) bool {
	if l.floor {
		return v >= l.value
	}
	return v <= l.value
}

// A measure is a figure of a class, or of a catalogue.
type measure struct {
	of    string
	value float64
}

// judge holds every measure against a limit, and tells the worst one.
func judge(what string, l limit, measures []measure) bar {
	b := bar{what: what, limit: l.String(), verdict: unmeasured}
	if len(measures) == 0 {
		return b
	}
	worst, holding := measures[0], 0
	for _, m := range measures {
		if l.holds(m.value) {
			holding++
		}
		if m.value < worst.value == l.floor {
			worst = m
		}
	}
	b.verdict = missed
	if holding == len(measures) {
		b.verdict = met
	}
	b.measured = fmt.Sprintf("%s (%s)", l.show(worst.value), worst.of)
	if len(measures) > 1 {
		b.measured = fmt.Sprintf("%d of %d; the worst: %s", holding, len(measures), b.measured)
	}
	return b
}

// Which classes the bars speak of; those that are in neither list have no text, or facets.
var (
	strictClasses = []string{
		"exact", "part of a name", "prefix", "compound part", "umlaut spelling", "vocabulary", "other language",
		"manufacturer and word", "phrase", "description words", "numbers",
	}
	looseClasses = []string{"one typo", "two typos", "sentence", "garbled name", "nonsense"} // what typos and trigrams may answer
)

func (c *class) strict() bool { return !c.facets && slices.Contains(strictClasses, c.name) }
func (c *class) loose() bool  { return !c.facets && c.fallback() }

// fallback holds of a loose class with facets too.
func (c *class) fallback() bool {
	return slices.Contains(looseClasses, strings.TrimSuffix(c.name, ", facets"))
}

// faceted holds of the other classes with facets: the strict ones, and those of filters.
func (c *class) faceted() bool { return c.facets && !c.fallback() }

// bars computes those of which there can be lines.
func (r *results) bars() []bar {
	ms := func(v float64) string { return milliseconds(v*1e6) + " ms" }
	open, checked, heap := r.opened()
	return slices.Concat(
		[]bar{
			judge("text search, each strict class, p50 of the fastest peer to ours", atLeast(20, times), r.ratios((*class).strict)),
			judge("the same with facets of all families, and filters with facets", atLeast(50, times), r.ratios((*class).faceted)),
			judge("fuzzy and trigram classes, with facets and without, the same", atLeast(10, times), r.ratios((*class).fallback)),
			judge("p99 of every class", atMost(2, ms), r.quantiles(middle, func(*class) bool { return true }, p99)),
			judge("p50 of every class, 1,000,000 products to 100,000", atMost(12, times), r.growths()),
			judge("p50 at 1,000,000 products, strict text", atMost(5, ms), r.quantiles(large, (*class).strict, p50)),
			judge("p50 at 1,000,000 products, loose text and facets", atMost(15, ms), r.quantiles(large, looseOrFacets, p50)),
			judge("detail over HTTP, requests a second to those of the bare handler", atLeast(0.9, percent), r.shares(true)),
			judge("search with text and facets over HTTP, the same", atLeast(0.25, percent), r.shares(false)),
			judge("Go heap in use at 1,000,000 products", atMost(100<<20, mebibytes), heap),
			judge("open without verification, any size", atMost(20, ms), open),
			judge("section checksums from a warm page cache", atLeast(1.5e9, gigabytesPerSecond), checked),
		},
		r.buildBars(),
	)
}

func looseOrFacets(c *class) bool { return c.facets || c.loose() }

func (r *results) ratios(of func(*class) bool) (m []measure) {
	for _, c := range r.classes(middle) {
		if ratio, fastest, ok := c.ratio(); ok && of(&c) {
			m = append(m, measure{c.name + ", " + fastest, ratio})
		}
	}
	return m
}

func p50(l searchLine) float64 { return l.P50 }
func p99(l searchLine) float64 { return l.P99 }

// quantiles returns milliseconds of the subject.
func (r *results) quantiles(size int, of func(*class) bool, quantile func(searchLine) float64) (m []measure) {
	for _, c := range r.classes(size) {
		if l, ok := c.of(subject); ok && of(&c) {
			m = append(m, measure{c.name, quantile(l) / 1e6})
		}
	}
	return m
}

func (r *results) growths() (m []measure) {
	for _, g := range r.growth() {
		if g.p50[1] > 0 && g.p50[2] > 0 {
			m = append(m, measure{g.class, g.p50[2] / g.p50[1]})
		}
	}
	return m
}

// A growth is the p50 of the subject in a class by the size of the catalogue; 0: not measured.
type growth struct {
	class string
	p50   [len(sizes)]float64
}

var sizes = [...]int{small, middle, large}

func (r *results) growth() (all []growth) {
	for i, size := range sizes {
		for _, c := range r.classes(size) {
			l, ok := c.of(subject)
			if !ok {
				continue
			}
			n := slices.IndexFunc(all, func(g growth) bool { return g.class == c.name })
			if n < 0 {
				n = len(all)
				all = append(all, growth{class: c.name})
			}
			all[n].p50[i] = l.P50
		}
	}
	return all
}

// shares are those of the bare handler's requests, for details or for all others.
func (r *results) shares(details bool) (m []measure) {
	for _, l := range r.loads() {
		if share, ok := l.share(bareHandler); ok && strings.HasPrefix(l.name, "detail") == details {
			of := l.name
			if !details {
				of += fmt.Sprintf(", median total %d", l.lines[subject].MedianTotal)
			}
			m = append(m, measure{of, share})
		}
	}
	return m
}

func (r *results) opened() (open, checked, heap []measure) {
	for _, l := range r.opens {
		of := grouped(l.Products) + " products"
		open = append(open, measure{of, l.Open / 1e6})
		checked = append(checked, measure{of, l.VerifyPace})
		if near(float64(l.Products), large) {
			heap = append(heap, measure{of, l.Heap})
		}
	}
	return open, checked, heap
}

func (r *results) buildBars() []bar {
	var pace, memory, size, largeMemory, slower []measure
	one, ok := r.build(1)
	if ok {
		const of = "100,000 products"
		pace = []measure{{of, one.MBPerS}}
		memory = []measure{{of, one.PeakRSS}}
		size = []measure{{of, one.IndexBytes / one.SourceBytes}}
	}
	if ten, found := r.build(10); ok && found {
		const of = "1,000,000 products"
		largeMemory = []measure{{of, ten.PeakRSS}}
		slower = []measure{{of, ten.Seconds / one.Seconds}}
		size = append(size, measure{of, ten.IndexBytes / ten.SourceBytes})
	}
	return []bar{
		judge("build of 100,000 products, source JSON", atLeast(25, megabytesPerSecond), pace),
		judge("its peak memory", atMost(1<<30, mebibytes), memory),
		judge("build of 1,000,000 products, peak memory", atMost(4<<30, mebibytes), largeMemory),
		judge("its time to that of 100,000", atMost(12, times), slower),
		judge("snapshot to its source", atMost(3.5, times), size),
	}
}

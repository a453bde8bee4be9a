package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"sabine/bench/queries"
	"sabine/bench/results"
)

// Sizes of generated catalogues. The lines contain slightly fewer products, since some are not published.
const (
	small  = 10_000
	middle = 100_000
	large  = 1_000_000
)

// near reports whether a number differs from a size by at most a tenth.
func near[T int | int64](n, size T) bool { return 10*max(n-size, size-n) <= size }

type report []results.Line

// where returns the lines that satisfy a condition. first returns the first such line, or an empty line.
func (r report) where(holds func(results.Line) bool) report {
	return slices.DeleteFunc(slices.Clone(r), func(l results.Line) bool { return !holds(l) })
}

func (r report) first(holds func(results.Line) bool) results.Line {
	return append(r.where(holds), results.Line{})[0]
}

func (r report) By(engine string) results.Line {
	return r.first(func(l results.Line) bool { return l.Engine == engine })
}

func (r report) Suite(suite results.Suite) report {
	return r.where(func(l results.Line) bool { return l.Suite == suite })
}

func (r report) Collection(name string) report {
	return r.where(func(l results.Line) bool { return l.Collection == name })
}

func (r report) Engines() (names []string) {
	for _, l := range r {
		if !slices.Contains(names, l.Engine) {
			names = append(names, l.Engine)
		}
	}
	return names
}

func (r report) Machine() results.Line { return r.Suite(results.Machine).By("") }

// Soak and Fleet return the figures of these scenarios, or nil if there is no run.
func (r report) Soak() *results.SoakRun   { return r.Suite(results.Soak).By("").Soak }
func (r report) Fleet() *results.FleetRun { return r.Suite(results.Fleet).By("").Fleet }

// Builds returns the builds of the peers' catalogue by the engines in a suite, and sabine's build of a
// catalogue ten times as large.
func (r report) Builds(suite results.Suite) report {
	engines := r.Suite(suite).Engines()
	builds := r.Suite(results.Build).where(func(l results.Line) bool { return slices.Contains(engines, l.Engine) })
	source := builds.first(func(l results.Line) bool { return l.Engine != results.Sabine }).SourceBytes
	return builds.where(func(l results.Line) bool {
		return l.SourceBytes == source || l.Engine == results.Sabine && near(l.SourceBytes, 10*source)
	})
}

// Sections returns the snapshot sections for 100,000 products, largest first, followed by their total size.
func (r report) Sections() report {
	middling := r.where(func(l results.Line) bool { return near(l.Products, middle) })
	sections, all := middling.Suite(results.Section), append(middling.Suite(results.Open), results.Line{})[0]
	if len(sections) == 0 {
		return nil
	}
	slices.SortStableFunc(sections, func(a, b results.Line) int { return cmp.Compare(b.Bytes, a.Bytes) })
	all.Section = "all"
	for _, s := range sections {
		all.Bytes += s.Bytes
	}
	return append(sections, all)
}

// A class contains the lines from all engines and sizes for the same questions or requests.
type class struct {
	Name   string
	Label  string // name in plots and in README
	kind   queries.Kind
	facets bool // whether facets are requested; kind does not show this for texts
	report
}

type classes []class

func (r report) Classes(suite results.Suite) (all classes) {
	for _, l := range r.Suite(suite) {
		i := slices.IndexFunc(all, func(c class) bool { return c.Name == l.Class })
		if i < 0 {
			i = len(all)
			kind, _ := queries.KindOf(l.Class)
			all = append(all, class{Name: l.Class, kind: kind, facets: strings.HasSuffix(l.Class, queries.WithFacets)})
		}
		all[i].report = append(all[i].report, l)
	}
	return all
}

// Latencies returns classes of questions over 100,000 products. With facets, it returns all classes with
// facets. Without facets, it returns the classes with a text, or those with filters and orders.
func (r report) Latencies(text, facets bool) classes {
	return slices.DeleteFunc(r.Classes(results.Search), func(c class) bool {
		return c.At(middle).P50 == 0 || c.facets != facets || !facets && c.kind.IsText() != text
	})
}

// answers returns the lines for a size, the fastest first.
func (c class) answers(size int) report {
	of := c.where(func(l results.Line) bool { return near(l.Products, size) })
	slices.SortStableFunc(of, func(a, b results.Line) int { return cmp.Compare(a.P50, b.P50) })
	return of
}

// Of returns an engine's line for 100,000 products. At returns sabine's line for a size. Fastest returns the
// line of the fastest peer for 100,000 products.
func (c class) Of(engine string) results.Line { return c.answers(middle).By(engine) }
func (c class) At(size int) results.Line      { return c.answers(size).By(results.Sabine) }
func (c class) Fastest() results.Line {
	return c.answers(middle).first(func(l results.Line) bool { return l.Engine != results.Sabine })
}

// Ratio returns the p50 of the fastest peer divided by the p50 of sabine.
func (c class) Ratio() float64 { return quotient(c.Fastest().P50, c.At(middle).P50) }

// Share returns sabine's requests per second divided by another server's.
func (c class) Share(server string) float64 {
	return quotient(c.At(middle).PerSecond, c.Of(server).PerSecond)
}

// Growth returns sabine's p50 at size to, divided by its p50 at size from.
func (c class) Growth(from, to int) float64 { return quotient(c.At(to).P50, c.At(from).P50) }

// A group contains text classes that form one column in the table of set-ups.
type group struct {
	Name    string
	classes []string
}

var groups = []group{
	{"names, and words from names", []string{"exact", "part of a name", "manufacturer and word", "numbers"}},
	{"beginnings, parts of compounds", []string{"prefix", "compound part"}},
	{"umlauts spelt otherwise", []string{"umlaut spelling"}},
	{"vocabulary, other language", []string{"vocabulary", "other language"}},
	{"descriptions", []string{"phrase", "description words"}},
	{"typing errors", []string{"one typo", "two typos", "garbled name"}},
	{"sentences", []string{"sentence"}},
	{"nonsense", []string{"nonsense"}},
}

// An outcome contains means over classes for an engine in the second table.
type outcome struct {
	Found float64 // percentage of the questions with a good answer
	P50   time.Duration
	Few   int // smallest number of questions in a class with fewer than sabine's; 0 if there is none
}

// Outcome returns an engine's outcome for one class or for the classes in a group.
func (r report) Outcome(engine, name string) (o outcome) {
	names := []string{name}
	if i := slices.IndexFunc(groups, func(g group) bool { return g.Name == name }); i >= 0 {
		names = groups[i].classes
	}
	of := r.named(results.Own, names, middle)
	for _, c := range of {
		if l := c.Of(engine); l.Success10 != nil {
			o.Found += 100 * *l.Success10 / float64(len(of))
			o.P50 += l.P50 / time.Duration(len(of))
			if l.Questions < c.At(middle).Questions {
				o.Few = min(l.Questions, cmp.Or(o.Few, l.Questions))
			}
		}
	}
	return o
}

var summaryLabels = []label{
	{"exact", "whole names, slugs, ids"}, {"one typo", "one typing error"}, {"sentence", "a sentence"},
	{"filters" + queries.WithFacets, "three filters, all facets"}, {"need" + queries.WithFacets, "a need, all facets"},
}

func (r report) Summary() classes { return r.labelled(results.Search, summaryLabels, middle) }

// A bar is a limit for figures, with the worst figure and a verdict.
type bar struct{ What, Limit, Measured, Verdict string }

// A figure is a value measured for a class or a catalogue.
type figure struct {
	of    string
	value float64 // 0 if it was not measured
}

// Kinds of limits. After multiplication by this factor, greater figures are worse.
const atLeast, atMost = -1, 1

// judge compares figures with a limit and returns a bar with the worst figure.
func judge(what string, sign, limit float64, show func(any) string, figures ...figure) bar {
	limits := map[float64]string{atLeast: "at least ", atMost: "at most "}
	noZeros := strings.NewReplacer(".00 ", " ", ".0 ", " ") // for limits, not for measured figures
	b := bar{What: what, Limit: limits[sign] + noZeros.Replace(show(limit)), Verdict: "not measured"}
	figures = slices.DeleteFunc(figures, func(f figure) bool { return f.value == 0 })
	if len(figures) == 0 {
		return b
	}
	all, worst := len(figures), slices.MaxFunc(figures, func(x, y figure) int {
		return cmp.Compare(sign*x.value, sign*y.value)
	})
	missed := slices.DeleteFunc(figures, func(f figure) bool { return sign*f.value <= sign*limit })
	b.Measured, b.Verdict = fmt.Sprintf("%s (%s)", show(worst.value), worst.of), "met"
	if all > 1 {
		b.Measured = fmt.Sprintf("%d of %d; the worst: %s", all-len(missed), all, b.Measured)
	}
	if len(missed) > 0 {
		b.Verdict = "**not met**"
	}
	return b
}

// each returns a figure for each class that satisfies a condition.
func (cs classes) each(holds func(class) bool, measure func(class) float64) (figures []figure) {
	for _, c := range cs {
		if holds(c) {
			figures = append(figures, figure{c.Name, measure(c)})
		}
	}
	return figures
}

func (r report) Bars() []bar {
	searches, loads := r.Classes(results.Search), r.Classes(results.HTTP)
	all := func(class) bool { return true }
	strict := func(c class) bool { return c.kind == queries.Strict && !c.facets }
	loose := func(c class) bool { return c.kind == queries.Loose }
	need := func(c class) bool { return c.kind == queries.Needs && c.facets }
	curves := func(c class) bool { return c.kind == queries.Curves }
	faceted := func(c class) bool { return c.facets && !loose(c) && !need(c) }
	looseOrFacets := func(c class) bool { return c.facets || loose(c) }
	storedDetail := func(c class) bool { // the bodies of other details are composed for each request
		return strings.HasPrefix(c.Name, "detail") && !strings.HasPrefix(c.Name, "detail, ")
	}
	strictSearch := func(c class) bool {
		text, ok := strings.CutPrefix(c.Name, "search, ")
		return ok && slices.Contains(queries.Names(queries.Strict), text)
	}
	p99 := func(c class) float64 { return float64(c.At(middle).P99) }
	p50 := func(c class) float64 { return float64(c.At(middle).P50) }
	largeP50 := func(c class) float64 { return float64(c.At(large).P50) }
	growth := func(c class) float64 { return c.Growth(middle, large) }
	share := func(c class) float64 { return c.Share(results.Bare) }
	ms := func(ns any) string { return milliseconds(ns) + " ms" }
	var open, checked, heap []figure
	for _, l := range r.Suite(results.Open) {
		of := grouped(l.Products) + " products"
		open, checked = append(open, figure{of, float64(l.Open)}), append(checked, figure{of, l.VerifyPace})
		if near(l.Products, large) {
			heap = append(heap, figure{of, float64(l.Heap)})
		}
	}
	const of1, of10 = "100,000 products", "1,000,000 products"
	ours := r.Builds(results.Search).where(func(l results.Line) bool { return l.Engine == results.Sabine })
	builds := append(ours, results.Line{}, results.Line{}) // empty lines represent unmeasured builds
	one, ten := builds[0], builds[1]
	return []bar{
		judge("text search, each strict class, p50 of the fastest peer to ours", atLeast, 20, times,
			searches.each(strict, class.Ratio)...),
		judge("the same with facets of all families, and filters with facets", atLeast, 50, times,
			searches.each(faceted, class.Ratio)...),
		judge("fuzzy and trigram classes, with facets and without, the same", atLeast, 10, times,
			searches.each(loose, class.Ratio)...),
		judge("needs with facets, the same", atLeast, 20, times, searches.each(need, class.Ratio)...),
		judge("needs with facets, p50", atMost, 5e5, ms, searches.each(need, p50)...),
		judge("like, curves, scattering and needs in a text, p50", atMost, 2e6, ms, searches.each(curves, p50)...),
		judge("p99 of every class", atMost, 2e6, ms, searches.each(all, p99)...),
		judge("p50 of every class, 1,000,000 products to 100,000", atMost, 12, times, searches.each(all, growth)...),
		judge("p50 at 1,000,000 products, strict text", atMost, 5e6, ms, searches.each(strict, largeP50)...),
		judge("p50 at 1,000,000 products, loose text and facets", atMost, 15e6, ms,
			searches.each(looseOrFacets, largeP50)...),
		judge("detail over HTTP, requests a second to those of the bare handler", atLeast, 0.88, percent,
			loads.each(storedDetail, share)...),
		judge("search with facets over HTTP, each strict class, the same", atLeast, 0.25, percent,
			loads.each(strictSearch, share)...),
		judge("Go heap in use at 1,000,000 products", atMost, 100<<20, mebibytes, heap...),
		judge("open without verification, any size", atMost, 20e6, ms, open...),
		judge("section checksums from a warm page cache", atLeast, 1.5e9, gigabytesPerSecond, checked...),
		judge("build of 100,000 products, source JSON", atLeast, 25, megabytesPerSecond, figure{of1, one.MBPerSecond()}),
		judge("its peak memory", atMost, 3e8, megabytes, figure{of1, float64(one.PeakRSS)}),
		judge("build of 1,000,000 products, peak memory", atMost, 4e9, megabytes, figure{of10, float64(ten.PeakRSS)}),
		judge("its time to that of 100,000", atMost, 12, times, figure{of10, quotient(ten.Seconds, one.Seconds)}),
		judge("snapshot to its source", atMost, 3.5, times,
			figure{of1, quotient(one.IndexBytes, one.SourceBytes)}, figure{of10, quotient(ten.IndexBytes, ten.SourceBytes)}),
	}
}

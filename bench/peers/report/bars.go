package main

import (
	"fmt"
	"slices"
	"strings"

	"sabine/bench/queries"
	"sabine/bench/results"
)

// A bar is a limit that figures have to reach, or must not exceed, and how they stand to it.
type bar struct{ What, Limit, Measured, Verdict string }

// A figure is what was measured of a class, or of a catalogue.
type figure struct {
	of    string
	value float64 // 0: not measured
}

// Limits.
const (
	atLeast = true
	atMost  = false
)

// judge holds all figures against a limit, and tells the worst one.
func judge(what string, floor bool, limit float64, show func(float64) string, figures ...figure) bar {
	b := bar{what, "at most ", "", "not measured"}
	if floor {
		b.Limit = "at least "
	}
	b.Limit += strings.NewReplacer(".00 ", " ", ".0 ", " ").Replace(show(limit)) // without the zeros that a measured one keeps
	figures = slices.DeleteFunc(figures, func(f figure) bool { return f.value == 0 })
	if len(figures) == 0 {
		return b
	}
	worst, holding := figures[0], 0
	for _, f := range figures {
		if f.value == limit || f.value > limit == floor {
			holding++
		}
		if f.value < worst.value == floor {
			worst = f
		}
	}
	b.Measured, b.Verdict = fmt.Sprintf("%s (%s)", show(worst.value), worst.of), "met"
	if len(figures) > 1 {
		b.Measured = fmt.Sprintf("%d of %d; the worst: %s", holding, len(figures), b.Measured)
	}
	if holding < len(figures) {
		b.Verdict = "**not met**"
	}
	return b
}

// each measures the classes of a sort.
func each(classes []class, of func(*class) bool, measure func(*class) figure) (figures []figure) {
	for _, c := range classes {
		if of(&c) {
			figures = append(figures, measure(&c))
		}
	}
	return figures
}

// Bars are all that is expected.
func (r *report) Bars() []bar {
	all := func(*class) bool { return true }
	strict := func(c *class) bool { return c.kind == queries.Strict && !c.facets }
	loose := func(c *class) bool { return c.kind == queries.Loose }
	faceted := func(c *class) bool { return c.facets && !loose(c) }
	looseOrFacets := func(c *class) bool { return c.facets || loose(c) }
	detail := func(c *class) bool { return strings.HasPrefix(c.Name, "detail") }
	notDetail := func(c *class) bool { return !detail(c) }

	ratio := func(c *class) figure { return figure{c.Name + ", " + c.Fastest(false).Engine, c.Ratio()} }
	p99 := func(c *class) figure { return figure{c.Name, float64(c.At(middle).P99)} }
	largeP50 := func(c *class) figure { return figure{c.Name, float64(c.At(large).P50)} }
	growth := func(c *class) figure { return figure{c.Name, c.Growth(middle, large)} }
	share := func(c *class) figure { return figure{c.Name, c.Share(results.Bare)} }
	shareOfSearch := func(c *class) figure {
		return figure{fmt.Sprintf("%s, median total %d", c.Name, c.At(middle).MedianTotal), c.Share(results.Bare)}
	}
	ms := func(ns float64) string { return milliseconds(ns) + " ms" }

	var open, checked, heap []figure
	for _, l := range r.Suite(results.Open) {
		of := grouped(float64(l.Products)) + " products"
		open, checked = append(open, figure{of, float64(l.Open)}), append(checked, figure{of, l.VerifyPace})
		if near(l.Products, large) {
			heap = append(heap, figure{of, float64(l.Heap)})
		}
	}
	const of1, of10 = "100,000 products", "1,000,000 products"
	builds := where(r.Builds(), func(l results.Line) bool { return l.Engine == results.Sabine })
	builds = append(builds, results.Line{}, results.Line{})
	one, ten := builds[0], builds[1]
	return []bar{
		judge("text search, each strict class, p50 of the fastest peer to ours", atLeast, 20, times, each(r.Searches, strict, ratio)...),
		judge("the same with facets of all families, and filters with facets", atLeast, 50, times, each(r.Searches, faceted, ratio)...),
		judge("fuzzy and trigram classes, with facets and without, the same", atLeast, 10, times, each(r.Searches, loose, ratio)...),
		judge("p99 of every class", atMost, 2e6, ms, each(r.Searches, all, p99)...),
		judge("p50 of every class, 1,000,000 products to 100,000", atMost, 12, times, each(r.Searches, all, growth)...),
		judge("p50 at 1,000,000 products, strict text", atMost, 5e6, ms, each(r.Searches, strict, largeP50)...),
		judge("p50 at 1,000,000 products, loose text and facets", atMost, 15e6, ms, each(r.Searches, looseOrFacets, largeP50)...),
		judge("detail over HTTP, requests a second to those of the bare handler", atLeast, 0.9, percent, each(r.Loads, detail, share)...),
		judge("search with text and facets over HTTP, the same", atLeast, 0.25, percent, each(r.Loads, notDetail, shareOfSearch)...),
		judge("Go heap in use at 1,000,000 products", atMost, 100<<20, mebibytes, heap...),
		judge("open without verification, any size", atMost, 20e6, ms, open...),
		judge("section checksums from a warm page cache", atLeast, 1.5e9, gigabytesPerSecond, checked...),
		judge("build of 100,000 products, source JSON", atLeast, 25, megabytesPerSecond, figure{of1, one.MBPerSecond()}),
		judge("its peak memory", atMost, 1<<30, mebibytes, figure{of1, float64(one.PeakRSS)}),
		judge("build of 1,000,000 products, peak memory", atMost, 4<<30, mebibytes, figure{of10, float64(ten.PeakRSS)}),
		judge("its time to that of 100,000", atMost, 12, times, figure{of10, quotient(ten.Seconds, one.Seconds)}),
		judge("snapshot to its source", atMost, 3.5, times,
			figure{of1, quotient(one.IndexBytes, one.SourceBytes)}, figure{of10, quotient(ten.IndexBytes, ten.SourceBytes)}),
	}
}

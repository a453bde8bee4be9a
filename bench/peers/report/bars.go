package main

import (
	"cmp"
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

// Sorts of limits: the signs by which what is worse is greater.
const atLeast, atMost = -1, 1

// judge holds all figures against a limit, and tells the worst one.
func judge(what string, sign, limit float64, show func(any) string, figures ...figure) bar {
	limits := map[float64]string{atLeast: "at least ", atMost: "at most "}
	noZeros := strings.NewReplacer(".00 ", " ", ".0 ", " ") // which a measured figure keeps
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

// each measures the classes of which something holds.
func (cs classes) each(holds func(class) bool, measure func(class) float64) (figures []figure) {
	for _, c := range cs {
		if holds(c) {
			figures = append(figures, figure{c.Name, measure(c)})
		}
	}
	return figures
}

// Bars are all that is expected.
func (r report) Bars() []bar {
	searches, loads := r.Classes(results.Search), r.Classes(results.HTTP)
	all := func(class) bool { return true }
	strict := func(c class) bool { return c.kind == queries.Strict && !c.facets }
	loose := func(c class) bool { return c.kind == queries.Loose }
	need := func(c class) bool { return c.kind == queries.Needs && c.facets }
	curves := func(c class) bool { return c.kind == queries.Curves }
	faceted := func(c class) bool { return c.facets && !loose(c) && !need(c) }
	looseOrFacets := func(c class) bool { return c.facets || loose(c) }
	storedDetail := func(c class) bool { // the bodies of "detail, zstd" and the like are made for each request
		return strings.HasPrefix(c.Name, "detail") && !strings.HasPrefix(c.Name, "detail, ")
	}
	notDetail := func(c class) bool { return !strings.HasPrefix(c.Name, "detail") }
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
	builds := append(ours, results.Line{}, results.Line{}) // of what was not measured
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
		judge("detail over HTTP, requests a second to those of the bare handler", atLeast, 0.9, percent,
			loads.each(storedDetail, share)...),
		judge("search with text and facets over HTTP, the same", atLeast, 0.25, percent, loads.each(notDetail, share)...),
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

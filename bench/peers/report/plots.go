package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sabine/bench/queries"
)

// The plots, in a folder beside the report.
const plotFolder = "plots"

// What the plots show, of classes of all kinds those that tell the most, the worst included; the tables have all.
var (
	latencyClasses = []string{
		"exact", "prefix", "compound part", "manufacturer and word", "phrase", "one typo", "sentence", "garbled name",
		"exact" + queries.WithFacets, "filters" + queries.WithFacets, "filters", "listing",
	}
	growthClasses = []string{"sentence", "category" + queries.WithFacets, "one typo", "prefix", "exact", "listing"}
	loadClasses   = []string{
		"detail", "detail gzip", "detail not modified", "search", "public search", "search, description words", "search, exact",
		"search, prefix", "search, phrase", "search, one typo", "search, garbled name", "search, sentence",
	}
)

// plots draws what there are lines for: the files' texts by their names, "" where there is nothing to show.
func (r *results) plots() map[string]string {
	return map[string]string{
		"latency.svg": r.plotLatency(), "growth.svg": r.plotGrowth(), "http.svg": r.plotLoads(), "build.svg": r.plotBuilds(),
	}
}

// chosen returns the classes of some names that have been asked, in the order of the names.
func chosen(classes []class, names []string) (of []class) {
	for _, name := range names {
		if i := slices.IndexFunc(classes, func(c class) bool { return c.Name == name }); i >= 0 {
			of = append(of, classes[i])
		}
	}
	return of
}

// plotLatency draws a row for each class and in it a dot for each engine, with its value: left of the fastest, right of the
// slowest, above and below those between, so that none covers another.
func (r *results) plotLatency() string {
	const top, row = 108, 48
	classes, engines := chosen(r.Searches, latencyClasses), r.Engines()
	if len(classes) == 0 {
		return ""
	}
	all := func(c *class) (dots []line) {
		for _, name := range engines {
			if l := c.of(name, middle); l.P50 > 0 {
				dots = append(dots, l)
			}
		}
		slices.SortFunc(dots, func(a, b line) int { return cmp.Compare(a.P50, b.P50) })
		return dots
	}
	x := scale{low: math.Inf(1), from: 268, to: 604}
	for _, c := range classes {
		for _, l := range all(&c) {
			x.low, x.high = min(x.low, l.P50/1e6), max(x.high, l.P50/1e6)
		}
	}
	d := &drawing{height: top + row*float64(len(classes)) + 34}
	d.title("Time to answer, 100,000 products", "milliseconds at p50, logarithmic: a line is 10 times the one before")
	for i, name := range engines {
		at := 180 + 118*float64(i)
		d.dot(at, 84, colour(i))
		d.text(at+11, 89, "start", colour(i), name)
	}
	x.decades(func(v, at float64) {
		d.line(at, top-8, at, d.height-32, grid)
		d.text(at, d.height-12, "middle", grey, plain(v))
	})
	for i, c := range classes {
		y := top + row*(float64(i)+0.5)
		dots := all(&c)
		d.text(186, y+5, "end", ink, c.Name)
		d.line(x.at(dots[0].P50/1e6), y, x.at(dots[len(dots)-1].P50/1e6), y, "#b6bec7")
		for n, l := range dots {
			at, hue := x.at(l.P50/1e6), colour(slices.Index(engines, l.Engine))
			d.dot(at, y, hue)
			switch value := short(l.P50 / 1e6); {
			case n == 0:
				d.text(at-10, y+5, "end", hue, value)
			case n == len(dots)-1:
				d.text(at+10, y+5, "start", hue, value)
			case n%2 == 1:
				d.text(at, y-9, "middle", hue, value)
			default:
				d.text(at, y+20, "middle", hue, value)
			}
		}
	}
	return d.svg()
}

// plotGrowth draws a line for each class, with its name and its last value at the right end.
func (r *results) plotGrowth() string {
	const top, bottom = 84, 440
	x := scale{low: small, high: large, from: 72, to: 410}
	y := scale{low: math.Inf(1), from: bottom, to: top}
	var classes []class
	sizes := []int{small, middle, large}
	for _, c := range chosen(r.Searches, growthClasses) {
		if c.of(subject, small).P50 > 0 && c.of(subject, large).P50 > 0 {
			classes = append(classes, c)
			y.low, y.high = min(y.low, c.of(subject, small).P50/1e6), max(y.high, c.of(subject, large).P50/1e6)
		}
	}
	if len(classes) == 0 {
		return ""
	}
	d := &drawing{height: bottom + 60}
	d.title("Growth: sabine's time to answer", "milliseconds at p50 by number of products, both logarithmic")
	y.decades(func(v, at float64) {
		d.line(x.from, at, x.to, at, grid)
		d.text(x.from-10, at+5, "end", grey, plain(v))
	})
	x.decades(func(v, at float64) {
		d.line(at, top, at, bottom+8, grid)
		d.text(at, bottom+28, "middle", grey, grouped(int(v)))
	})
	slices.SortFunc(classes, func(a, b class) int { return cmp.Compare(b.of(subject, large).P50, a.of(subject, large).P50) })
	free := 0.0 // above here no name may stand any more
	for i, c := range classes {
		var fromX, fromY float64
		for _, size := range sizes {
			ms := c.of(subject, size).P50 / 1e6
			if ms == 0 {
				continue
			}
			atX, atY := x.at(float64(size)), y.at(ms)
			if fromX > 0 {
				d.line(fromX, fromY, atX, atY, colour(i))
			}
			d.dot(atX, atY, colour(i))
			fromX, fromY = atX, atY
		}
		free = max(free, fromY) + 20
		d.text(fromX+12, free-15, "start", colour(i), c.Name+"  "+short(c.of(subject, large).P50/1e6)+" ms")
	}
	return d.svg()
}

func (r *results) plotLoads() string {
	var bars []namedBar
	for _, c := range chosen(r.Loads, loadClasses) {
		if share := c.Share(bareHandler); share > 0 {
			bars = append(bars, namedBar{c.Name, share, fmt.Sprintf("%s, %s/s", percent(share), grouped(int(c.At(middle).PerSecond))), 0})
		}
	}
	return plotBars("HTTP: requests a second on one core", "and their share of what a bare handler does, the whole length", bars, 1)
}

func (r *results) plotBuilds() string {
	var bars []namedBar
	most, says := 0.0, "MB of source a second, and how long 100,000 products take"
	for _, b := range r.sharedBuilds() {
		if b.Engine == validator {
			continue
		}
		bars = append(bars, namedBar{b.Engine, b.MBPerS, fmt.Sprintf("%.1f MB/s, %.1f s", b.MBPerS, b.Seconds), len(bars)})
		most = max(most, b.MBPerS)
	}
	return plotBars("Building the index", says, bars, most)
}

// A namedBar has its name at the left and what it says at its right end.
type namedBar struct {
	name  string
	value float64
	says  string
	hue   int
}

// plotBars draws bars from 0 to a limit, or nothing without bars.
func plotBars(title, says string, bars []namedBar, limit float64) string {
	const top, row, left, right = 78, 32, 222, 492
	if len(bars) == 0 {
		return ""
	}
	d := &drawing{height: top + row*float64(len(bars)) + 14}
	d.title(title, says)
	for i, b := range bars {
		y, width := top+row*float64(i), (right-left)*b.value/limit
		d.text(left-10, y+18, "end", ink, b.name)
		d.bar(left, y+2, right-left, row-10, grid)
		d.bar(left, y+2, width, row-10, colour(b.hue))
		d.text(right+10, y+18, "start", ink, b.says)
	}
	return d.svg()
}

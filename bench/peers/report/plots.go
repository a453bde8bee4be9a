package main

import (
	"cmp"
	"slices"
	"time"

	"sabine/bench/queries"
	"sabine/bench/results"
)

// The plots show of classes of all kinds those that tell the most, the worst included; the tables have all.
var (
	latencyClasses = []string{
		"exact", "prefix", "compound part", "manufacturer and word", "phrase", "one typo", "sentence", "garbled name",
		"exact" + queries.WithFacets, "filters" + queries.WithFacets, "filters", "listing",
	}
	growthClasses = []string{"sentence", "category" + queries.WithFacets, "one typo", "prefix", "exact", "listing"}
	loadClasses   = []string{
		"detail", "detail gzip", "detail not modified", "search", "public search", "search, exact",
		"search, prefix", "search, phrase", "search, one typo", "search, garbled name", "search, sentence",
	}
)

// ms is a time as plots have it.
func ms(d time.Duration) float64 { return float64(d) / 1e6 }

// Plots draws what there are lines for: the files' texts by their names, "" where there is nothing to show.
func (r *report) Plots() map[string]string {
	return map[string]string{
		"latency": plotRows("Time to answer, 100,000 products", "milliseconds at p50, logarithmic: a line is 10 times the one before",
			chosen(r.Searches, latencyClasses, middle), func(l results.Line) float64 { return ms(l.P50) }),
		"http": plotRows("HTTP: answers of a server on one core", "thousands a second, logarithmic: a line is 10 times the one before",
			chosen(r.Loads, loadClasses, middle), func(l results.Line) float64 { return l.PerSecond / 1000 }),
		"growth": r.plotGrowth(),
	}
}

// chosen returns the classes of some names that the subject was asked at all of some sizes, in the order of the names.
func chosen(classes []class, names []string, sizes ...int) (of []class) {
	for _, name := range names {
		for _, c := range classes {
			if c.Name == name && !slices.ContainsFunc(sizes, func(size int) bool { return c.At(size).Engine == "" }) {
				of = append(of, c)
			}
		}
	}
	return of
}

// plotRows draws a row for each class and in it a dot for each engine, with its value: left of the least, right of the
// greatest, above and below those between, so that none covers another.
func plotRows(title, says string, classes []class, value func(results.Line) float64) string {
	const top, row = 108, 48
	var all []float64
	for _, c := range classes {
		for _, l := range c.answers(middle, false) {
			all = append(all, value(l))
		}
	}
	if len(all) == 0 {
		return ""
	}
	names, x, bottom := engines(classes), scaleOf(all, 268, 604), top+row*float64(len(classes))
	d := draw(bottom+34, title, says)
	for i, name := range names {
		at := 180 + 118*float64(i)
		d.dot(at, 84, hue(i))
		d.text(at+11, 89, "start", hue(i), name)
	}
	x.decades(func(v, at float64) {
		d.line(at, top-8, at, bottom+2, grid)
		d.text(at, bottom+22, "middle", grey, plain(v))
	})
	for i, c := range classes {
		y, dots := top+row*(float64(i)+0.5), c.answers(middle, false)
		slices.SortStableFunc(dots, func(a, b results.Line) int { return cmp.Compare(value(a), value(b)) })
		last := len(dots) - 1
		d.text(186, y+5, "end", ink, c.Name)
		d.line(x.at(value(dots[0])), y, x.at(value(dots[last])), y, "#b6bec7")
		for n, l := range dots {
			at, fill, says := x.at(value(l)), hue(slices.Index(names, l.Engine)), short(value(l))
			d.dot(at, y, fill)
			switch n {
			case 0:
				d.text(at-10, y+5, "end", fill, says)
			case last:
				d.text(at+10, y+5, "start", fill, says)
			default:
				d.text(at, y-9+29*float64((n-1)%2), "middle", fill, says)
			}
		}
	}
	return d.end()
}

// plotGrowth draws a line for each class, with its name and its last value at the right end.
func (r *report) plotGrowth() string {
	const top, bottom = 84, 440
	sizes := []int{small, middle, large}
	classes := chosen(r.Searches, growthClasses, sizes...)
	var all []float64
	for _, c := range classes {
		all = append(all, ms(c.At(small).P50), ms(c.At(middle).P50), ms(c.At(large).P50))
	}
	if len(all) == 0 {
		return ""
	}
	x, y := scale{small, large, 72, 410}, scaleOf(all, bottom, top)
	d := draw(bottom+60, "Growth: sabine's time to answer", "milliseconds at p50 by number of products, both logarithmic")
	y.decades(func(v, at float64) {
		d.line(x.from, at, x.to, at, grid)
		d.text(x.from-10, at+5, "end", grey, plain(v))
	})
	slices.SortFunc(classes, func(a, b class) int { return cmp.Compare(b.At(large).P50, a.At(large).P50) })
	free := 0.0 // from here on down a name may stand
	for i, c := range classes {
		var fromX, fromY float64
		for n, size := range sizes {
			atX, atY := x.at(float64(size)), y.at(ms(c.At(size).P50))
			if i == 0 {
				d.line(atX, top, atX, bottom+8, grid)
				d.text(atX, bottom+28, "middle", grey, grouped(float64(size)))
			}
			if n > 0 {
				d.line(fromX, fromY, atX, atY, hue(i))
			}
			d.dot(atX, atY, hue(i))
			fromX, fromY = atX, atY
		}
		free = max(free, fromY)
		d.text(fromX+12, free+5, "start", hue(i), c.Name+" "+short(ms(c.At(large).P50))+" ms")
		free += 20
	}
	return d.end()
}

package main

import (
	"cmp"
	"slices"
	"strings"

	"sabine/bench/queries"
	"sabine/bench/results"
)

// Sizes of generated catalogues. Some of their products are not published, so that lines have a little less.
const (
	small  = 10_000
	middle = 100_000
	large  = 1_000_000
)

// near reports whether a number is a size, give or take a tenth.
func near[T int | int64](n, size T) bool { return 10*max(n-size, size-n) <= size }

// A class is what the engines did with the same questions or requests, of catalogues of all sizes.
type class struct {
	Name   string
	kind   queries.Kind
	facets bool // of a text too, whose kind is that without
	lines  []results.Line
}

// answers returns what the engines did at a size that were told the class, or were not, the fastest first.
func (c *class) answers(size int, told bool) []results.Line {
	of := where(c.lines, func(l results.Line) bool { return l.Told == told && near(l.Products, size) })
	slices.SortStableFunc(of, func(a, b results.Line) int { return cmp.Compare(a.P50, b.P50) })
	return of
}

// Of returns what an engine did at 100,000 products, At what sabine did at a size, and Fastest what the fastest peer did
// that was told the class, or was not.
func (c *class) Of(engine string) results.Line {
	return first(c.answers(middle, false), func(l results.Line) bool { return l.Engine == engine })
}

func (c *class) At(size int) results.Line {
	return first(c.answers(size, false), func(l results.Line) bool { return l.Engine == results.Sabine })
}

func (c *class) Fastest(told bool) results.Line {
	return first(c.answers(middle, told), func(l results.Line) bool { return l.Engine != results.Sabine })
}

// Ratio tells how many times the p50 of sabine the fastest peer's is.
func (c *class) Ratio() float64 { return quotient(c.Fastest(false).P50, c.At(middle).P50) }

// Share tells which part of a server's requests a second sabine reaches.
func (c *class) Share(server string) float64 {
	return quotient(c.At(middle).PerSecond, c.Of(server).PerSecond)
}

// Growth tells how many times the p50 of sabine at a size that at another one is.
func (c *class) Growth(from, to int) float64 { return quotient(c.At(to).P50, c.At(from).P50) }

// quotient is 0 where one of the figures was not measured.
func quotient[T ~int64 | float64](a, b T) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// where returns the lines of which something holds, and first the first of them, or a line without figures.
func where(lines []results.Line, holds func(results.Line) bool) []results.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l results.Line) bool { return !holds(l) })
}

func first(lines []results.Line, holds func(results.Line) bool) results.Line {
	if i := slices.IndexFunc(lines, holds); i >= 0 {
		return lines[i]
	}
	return results.Line{}
}

// A report is the lines that count, in the order in which they came.
type report struct {
	lines                []results.Line
	Searches, Own, Loads []class
}

func newReport(lines []results.Line) *report {
	r := &report{lines: lines}
	r.Searches, r.Own, r.Loads = r.classes(results.Search), r.classes(results.Own), r.classes(results.HTTP)
	return r
}

func (r *report) classes(suite results.Suite) (classes []class) {
	for _, l := range r.Suite(suite) {
		i := slices.IndexFunc(classes, func(c class) bool { return c.Name == l.Class })
		if i < 0 {
			i = len(classes)
			kind, _ := queries.KindOf(l.Class)
			classes = append(classes, class{Name: l.Class, kind: kind, facets: strings.HasSuffix(l.Class, queries.WithFacets)})
		}
		classes[i].lines = append(classes[i].lines, l)
	}
	return classes
}

// Suite returns the lines of one.
func (r *report) Suite(suite results.Suite) []results.Line {
	return where(r.lines, func(l results.Line) bool { return l.Suite == suite })
}

// Days lists when the lines were measured.
func (r *report) Days() string {
	var days []string
	for _, l := range r.lines {
		if day, _, ok := strings.Cut(l.Date, "T"); ok {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return strings.Join(slices.Compact(days), ", ")
}

// engines lists those that have answered the questions of some classes.
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

// Latencies returns the classes of questions to 100,000 products, of texts, of filters and orders, or with facets.
func (r *report) Latencies(text, facets bool) []class {
	return slices.DeleteFunc(slices.Clone(r.Searches), func(c class) bool {
		return c.At(middle).P50 == 0 || c.facets != facets || !facets && c.kind.IsText() != text
	})
}

// builds returns those of the catalogue that the peers have built.
func (r *report) builds() []results.Line {
	all := r.Suite(results.Build)
	peers := first(all, func(l results.Line) bool { return l.Engine != results.Sabine && l.Engine != results.Validator })
	return where(all, func(l results.Line) bool { return l.SourceBytes == peers.SourceBytes })
}

// Builds returns those by the engines that are given sabine's analyser, and sabine's of a catalogue ten times as large.
func (r *report) Builds() []results.Line {
	given := append(engines(r.Searches), results.Validator)
	same := where(r.builds(), func(l results.Line) bool { return slices.Contains(given, l.Engine) })
	return append(same, where(r.Suite(results.Build), func(l results.Line) bool {
		return l.Engine == results.Sabine && len(same) > 0 && near(l.SourceBytes, 10*same[0].SourceBytes)
	})...)
}

// Sections returns those of the snapshot of 100,000 products, the greatest first and last their sum.
func (r *report) Sections() []results.Line {
	middling := func(l results.Line) bool { return near(l.Products, middle) }
	sections, all := where(r.Suite(results.Section), middling), first(r.Suite(results.Open), middling)
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

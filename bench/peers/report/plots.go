package main

import (
	"cmp"
	"context"
	_ "embed" // for the pictures
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/tidwall/gjson"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/bench/step"
	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// A label is the text for a class in a plot.
type label struct{ class, text string }

// The plots show typical classes of each kind, including the slowest. The report's tables list all classes.
var (
	latencyLabels = []label{
		{"exact", "whole name"}, {"prefix", "beginning of a name"}, {"compound part", "part of a compound"},
		{"manufacturer and word", "manufacturer and word"}, {"phrase", "phrase"}, {"one typo", "one typing error"},
		{"sentence", "sentence"}, {"garbled name", "garbled name"}, {"exact" + queries.WithFacets, "whole name, facets"},
		{"filters" + queries.WithFacets, "three filters, facets"}, {"need" + queries.WithFacets, "a need, facets"},
		{"filters", "three filters"}, {"listing", "everything"},
	}
	growthLabels = []label{
		{"sentence", "sentence"}, {"category" + queries.WithFacets, "a category, facets"}, {"one typo", "one typing error"},
		{"prefix", "beginning of a name"}, {"exact", "whole name"}, {"listing", "everything"},
	}
	costLabels = []label{
		{"detail", "detail"}, {"detail gzip", "detail, gzip"}, {"detail not modified", "detail, not modified"},
		{searchClass + "description words", "three rare words"}, {searchClass + "exact", "whole name"},
		{searchClass + "prefix", "beginning of a name"}, {searchClass + "phrase", "phrase"},
		{searchClass + "one typo", "one typing error"}, {searchClass + "garbled name", "garbled name"},
		{searchClass + "sentence", "sentence"},
	}
)

const searchClass = "search, " // prefix of the HTTP classes that search for a text with facets

// Plots returns the plots that contain lines, as SVG, by file name.
func (r report) Plots() map[string]string {
	const axis = ", logarithmic; less is better"
	engines, sizes := r.Suite(results.Search).Engines(), []int{small, middle, large}
	ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
	plots := map[string]string{
		"latency": plot("Time to answer, 100,000 products", "median milliseconds"+axis,
			r.labelled(results.Search, latencyLabels, middle), engines, func(c class, i int) float64 {
				return ms(c.Of(engines[i]).P50)
			}),
		"growth": plot("Growth: sabine's time to answer, by number of products", "median milliseconds"+axis,
			r.labelled(results.Search, growthLabels, sizes...), []string{"10,000", "100,000", "1,000,000"},
			func(c class, i int) float64 { return ms(c.At(sizes[i]).P50) }),
		"http": plot("What a request costs over HTTP, 100,000 products",
			"microseconds of processor time"+axis, r.labelled(results.HTTP, costLabels, middle),
			[]string{"sabine", "search in process", "bare handler"}, r.cost),
	}
	maps.DeleteFunc(plots, func(_, drawn string) bool { return drawn == "" })
	return plots
}

// cost returns the processor time, in microseconds, of a request in a class: in sabine, in an in-process
// search and in the bare handler.
func (r report) cost(c class, series int) float64 {
	spent := [3]time.Duration{c.Of(results.Sabine).CPU, 0, c.Of(results.Bare).CPU}
	if text, isSearch := strings.CutPrefix(c.Name, searchClass); isSearch {
		for _, found := range r.named(results.Search, []string{text + queries.WithFacets}, middle) {
			spent[1] = found.At(middle).P50
		}
	}
	return float64(spent[series]) / 1000
}

func (r report) labelled(suite results.Suite, labels []label, sizes ...int) (of classes) {
	for _, l := range labels {
		for _, c := range r.named(suite, []string{l.class}, sizes...) {
			c.Label = l.text
			of = append(of, c)
		}
	}
	return of
}

// named returns the classes with the given names in a suite, in order. It omits classes without a line from
// sabine for each of the given sizes.
func (r report) named(suite results.Suite, names []string, sizes ...int) (of classes) {
	for _, name := range names {
		for _, c := range r.Classes(suite) {
			if c.Name == name && !slices.ContainsFunc(sizes, func(size int) bool { return c.At(size).Engine == "" }) {
				of = append(of, c)
			}
		}
	}
	return of
}

type drawing struct {
	Title, Axis    string
	Height, Bottom float64
	Legend         []dot
	Marks          []dot // labels and gridlines of the axis
	Rows           []row

	Coefficients []float64 // gridlines in the picture of a need
	Bands        []int
	Curves       []curve
}

// A dot is a position with a text that starts, ends or is centred there ("start", "end", "middle").
type dot struct {
	X, Y, TextX, TextY float64
	Anchor, Fill, Text string
}

type row struct {
	Name        string
	Y, From, To float64
	Dots        []dot
}

// A curve has a value in each band and a dot in the legend.
type curve struct {
	dot
	Values          []float64
	Radius          float64
	Style, Distance string
}

//go:embed plots.svg.tmpl
var pictureText string

var pictures = template.Must(template.New("").Funcs(template.FuncMap{
	"f":   func(v float64) string { return fmt.Sprintf("%.1f", v) },
	"add": func(a, b float64) float64 { return a + b },
	"x":   func(band int) float64 { return 110 + 96*float64(band) },
	"y":   func(coefficient float64) float64 { return 372 - 280*coefficient },
}).Parse(pictureText))

func (d *drawing) draw(name string) string {
	var b strings.Builder
	step.Check(pictures.ExecuteTemplate(&b, name, d))
	return b.String()
}

// plot draws a row for each class, with a dot and a number for each series that has a value. The number of
// the smallest value is on its left, the number of the greatest on its right, and the others are above or
// below, so that no number covers another. If there are no values, plot returns "".
func plot(title, axis string, cs classes, series []string, value func(c class, series int) float64) string {
	const top, height = 108, 48
	var all []float64
	rows := make([][]int, len(cs)) // series with a value, in ascending order of their values
	for i, c := range cs {
		for s := range series {
			if v := value(c, s); v > 0 {
				all, rows[i] = append(all, v), append(rows[i], s)
			}
		}
		slices.SortStableFunc(rows[i], func(a, b int) int { return cmp.Compare(value(c, a), value(c, b)) })
	}
	if len(all) == 0 {
		return ""
	}
	low, bottom := slices.Min(all), top+height*float64(len(rows))
	high := max(slices.Max(all), 2*low) // the range is never empty, even for a single value
	x := func(v float64) float64 {      // position on a logarithmic axis
		const from, to = 268, 604
		return from + (to-from)*math.Log(v/low)/math.Log(high/low)
	}
	d := drawing{Title: title, Axis: axis, Height: bottom + 34, Bottom: bottom}
	at := 180.0
	for i, name := range series {
		d.Legend = append(d.Legend, dot{at, 84, at + 11, 89, "start", hue(i), name})
		at += 42 + 8*float64(len(name))
	}
	steps := []float64{1}
	if high < 100*low {
		steps = []float64{1, 2, 5}
	}
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
		for _, step := range steps {
			if v := step * math.Pow(10, e); low <= v && v <= high {
				d.Marks = append(d.Marks, dot{X: x(v), Text: strconv.FormatFloat(v, 'f', -1, 64)})
			}
		}
	}
	for i, ranked := range rows {
		r := row{Name: cs[i].Label, Y: top + height*(float64(i)+0.5)}
		for n, s := range ranked {
			v := value(cs[i], s)
			at := dot{x(v), r.Y, x(v), r.Y - 9 + 29*float64((n-1)%2), "middle", hue(s), short(v)}
			if n == 0 {
				r.From, at.Anchor, at.TextX, at.TextY = at.X, "end", at.X-10, r.Y+5
			} else if n == len(ranked)-1 {
				at.Anchor, at.TextX, at.TextY = "start", at.X+10, r.Y+5
			}
			r.To, r.Dots = at.X, append(r.Dots, at)
		}
		d.Rows = append(d.Rows, r)
	}
	return d.draw("plot")
}

// hue returns the colour of a series. It is dark enough for letters on white.
func hue(i int) string {
	hues := [...]string{"#c2410c", "#0969da", "#8250df", "#11795b", "#9a6700", "#a8326e"}
	return hues[i%len(hues)]
}

// target is the target curve in the picture of a need: a broadband absorber, effective from 250 Hz upwards.
var target = []runtime.Bound{{BandHz: 125, Thousandths: 300}, {BandHz: 250, Thousandths: 600},
	{BandHz: 500, Thousandths: 900},
	{BandHz: 1000, Thousandths: 900}, {BandHz: 2000, Thousandths: 850}, {BandHz: 4000, Thousandths: 800}}

// drawNeed draws the target curve and, for three manufacturers, the nearest product in the sample catalogue.
func drawNeed(ctx context.Context) string {
	dir := step.Must(os.MkdirTemp("", "sabine-need-"))
	defer os.RemoveAll(dir)
	folder := snapshot.Folder{Dir: dir}
	built := step.Must(compiler.Build(ctx, compiler.Options{Inputs: dataset.Sample(), Folder: folder}))
	g := step.Must(runtime.Open(ctx, folder.Path(built.File)))
	defer g.Close()
	d := drawing{Title: "A target curve and the nearest products",
		Axis:         "absorption coefficient by octave band in Hz; the sample catalogue",
		Coefficients: []float64{0, 0.2, 0.4, 0.6, 0.8, 1}}
	asked := curve{Radius: 6, Style: ` stroke-dasharray="7 6"`,
		dot: dot{78, 423, 94, 428, "start", "#1f2328", "asked for"}}
	for _, b := range target {
		d.Bands, asked.Values = append(d.Bands, b.BandHz), append(asked.Values, float64(b.Thousandths)/1000)
	}
	q := runtime.Query{Filters: runtime.Filters{Needs: runtime.Needs{Curve: target}}, Limit: 50}
	made := map[string]bool{}
	for _, hit := range gjson.ParseBytes(g.AppendSummaries(nil, g.Search(&q), runtime.Include{})).Array() {
		n, maker := len(made), hit.Get("manufacturer").String()
		if made[maker] || n == 3 {
			continue
		}
		made[maker] = true
		y, label := asked.TextY+26*float64(n+1), hit.Get("label").String()+", "+maker
		c := curve{Radius: 4, Distance: hit.Get("match.distance").String(), dot: dot{78, y - 5, 94, y, "start", hue(n),
			label}}
		for _, hz := range d.Bands {
			c.Values = append(c.Values, hit.Get(fmt.Sprintf("match.absorption_octave.%d", hz)).Float())
		}
		d.Curves = append(d.Curves, c)
	}
	slices.Reverse(d.Curves) // draw the nearest curve last, on top of the others
	d.Curves, d.Height = append(d.Curves, asked), asked.TextY+26*float64(len(made))+32
	return d.draw("need")
}

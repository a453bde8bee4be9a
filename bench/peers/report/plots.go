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

// The plots show of classes of all kinds those that tell the most, the worst included; the tables have all.
var (
	latencyClasses = []string{
		"exact", "prefix", "compound part", "manufacturer and word", "phrase", "one typo", "sentence", "garbled name",
		"exact" + queries.WithFacets, "filters" + queries.WithFacets, "filters", "listing",
	}
	growthClasses = []string{"sentence", "category" + queries.WithFacets, "one typo", "prefix", "exact", "listing"}
	loadClasses   = []string{
		"detail", "detail gzip", "detail not modified", "detail, zstd", "detail, geometry", "search", "public search",
		"search, exact", "search, prefix",
		"search, phrase", "search, one typo", "search, garbled name", "search, sentence",
	}
)

// Plots draws what there are lines for: the files' texts by their names.
func (r report) Plots() map[string]string {
	const logarithmic = ", logarithmic: a line is 10 times the one before"
	engines, servers, sizes := r.Suite(results.Search).Engines(), r.Suite(results.HTTP).Engines(),
		[]int{small, middle, large}
	ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
	plots := map[string]string{
		"latency": plot("Time to answer, 100,000 products", "milliseconds at p50"+logarithmic,
			r.named(results.Search, latencyClasses, middle), engines, func(c class, i int) float64 {
				return ms(c.Of(engines[i]).P50)
			}),
		"growth": plot("Growth: sabine's time to answer, by number of products", "milliseconds at p50"+logarithmic,
			r.named(results.Search, growthClasses, sizes...), []string{"10,000", "100,000", "1,000,000"},
			func(c class, i int) float64 { return ms(c.At(sizes[i]).P50) }),
		"http": plot("HTTP: answers of a server on one core", "thousands a second"+logarithmic,
			r.named(results.HTTP, loadClasses, middle), servers, func(c class, i int) float64 {
				return c.Of(servers[i]).PerSecond / 1000
			}),
	}
	maps.DeleteFunc(plots, func(_, drawn string) bool { return drawn == "" })
	return plots
}

// named returns the classes of a suite, of some names, that sabine was asked at all of some sizes, in the
// order of the names.
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
	Title, Says    string
	Height, Bottom float64
	Legend         []dot
	Decades        []dot // of the axis
	Rows           []row

	Coefficients []float64 // of the picture of a need
	Bands        []int
	Curves       []curve
}

// A dot has a text beside it, which starts, ends or has its middle ("start", "end", "middle") at a place.
type dot struct {
	X, Y, TextX, TextY float64
	Anchor, Fill, Text string
}

// A row is a class in a plot: a line with dots.
type row struct {
	Name        string
	Y, From, To float64
	Dots        []dot
}

// A curve has a value for each band, and a dot in the legend.
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

// plot draws a row for each class and in it a dot for each series that has a value there, with the value:
// left of the least, right of the greatest, above and below those between, so that none covers another.
// Without classes it draws nothing.
func plot(title, says string, cs classes, series []string, value func(c class, series int) float64) string {
	const top, height = 108, 48
	var all []float64
	rows := make([][]int, len(cs)) // the series that have a value there, ascending by it
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
	high := max(slices.Max(all), 2*low) // of one value alone too
	x := func(v float64) float64 {      // a logarithmic axis
		const from, to = 268, 604
		return from + (to-from)*math.Log(v/low)/math.Log(high/low)
	}
	d := drawing{Title: title, Says: says, Height: bottom + 34, Bottom: bottom}
	for i, name := range series {
		at := 180 + 118*float64(i)
		d.Legend = append(d.Legend, dot{at, 84, at + 11, 89, "start", hue(i), name})
	}
	for e := math.Ceil(math.Log10(low) - 1e-9); e <= math.Log10(high)+1e-9; e++ {
		decade := math.Pow(10, e)
		d.Decades = append(d.Decades, dot{X: x(decade), Text: strconv.FormatFloat(decade, 'f', -1, 64)})
	}
	for i, ranked := range rows {
		r := row{Name: cs[i].Name, Y: top + height*(float64(i)+0.5)}
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

// hue returns a colour of an engine or a size, dark enough for letters on white.
func hue(i int) string {
	hues := [...]string{"#c2410c", "#0969da", "#8250df", "#11795b", "#9a6700", "#a8326e"}
	return hues[i%len(hues)]
}

// The target of the picture of a need: a broadband absorber that is good from 250 Hz on.
var target = []runtime.Bound{{BandHz: 125, Thousandths: 300}, {BandHz: 250, Thousandths: 600},
	{BandHz: 500, Thousandths: 900},
	{BandHz: 1000, Thousandths: 900}, {BandHz: 2000, Thousandths: 850}, {BandHz: 4000, Thousandths: 800}}

// drawNeed draws the target curve and below it, smaller, the products of the sample catalogue that are
// nearest to it: of three makers, the nearest of each.
func drawNeed(ctx context.Context) string {
	dir := step.Must(os.MkdirTemp("", "sabine-need-"))
	defer os.RemoveAll(dir)
	folder := snapshot.Folder{Dir: dir}
	built := step.Must(compiler.Build(ctx, compiler.Options{Inputs: dataset.Sample(), Folder: folder}))
	g := step.Must(runtime.Open(ctx, folder.Path(built.File)))
	defer g.Close()
	d := drawing{Title: "A target curve and what comes near to it",
		Says:         "absorption coefficient by octave band in Hz; the sample catalogue",
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
	slices.Reverse(d.Curves) // the nearest on top
	d.Curves, d.Height = append(d.Curves, asked), asked.TextY+26*float64(len(made))+32
	return d.draw("need")
}

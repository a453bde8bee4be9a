package main

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"sabine/bench/queries"
	"sabine/bench/results"
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

// plot draws a row for each class and in it a dot for each series that has a value there, with the value:
// left of the least, right of the greatest, above and below those between, so that none covers another.
// Without classes it draws nothing.
func plot(title, says string, cs classes, series []string, value func(c class, series int) float64) string {
	const top, row = 108, 48
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
	low, bottom := slices.Min(all), top+row*float64(len(rows))
	high := max(slices.Max(all), 2*low) // of one value alone too
	x := func(v float64) float64 {      // a logarithmic axis
		const from, to = 268, 604
		return from + (to-from)*math.Log(v/low)/math.Log(high/low)
	}
	d := draw(bottom+34, title, says)
	for i, name := range series {
		at := 180 + 118*float64(i)
		d.dot(at, 84, hue(i))
		d.text(at+11, 89, "start", hue(i), name)
	}
	for e := math.Ceil(math.Log10(low) - 1e-9); e <= math.Log10(high)+1e-9; e++ {
		decade := math.Pow(10, e)
		d.line(x(decade), top-8, x(decade), bottom+2, grid)
		d.text(x(decade), bottom+22, "middle", grey, plain(decade))
	}
	for i, ranked := range rows {
		at := func(n int) float64 { return x(value(cs[i], ranked[n])) }
		y, last := top+row*(float64(i)+0.5), len(ranked)-1
		d.text(186, y+5, "end", ink, cs[i].Name)
		d.line(at(0), y, at(last), y, "#b6bec7")
		for n, s := range ranked {
			fill, says := hue(s), short(value(cs[i], s))
			d.dot(at(n), y, fill)
			switch n {
			case 0:
				d.text(at(n)-10, y+5, "end", fill, says)
			case last:
				d.text(at(n)+10, y+5, "start", fill, says)
			default:
				d.text(at(n), y-9+29*float64((n-1)%2), "middle", fill, says)
			}
		}
	}
	return d.String() + "</svg>\n"
}

// Colours: of what is no engine, and of engines or sizes, all dark enough for letters on white.
const ink, grey, grid = "#1f2328", "#59636e", "#dfe4e9"

var hues = [...]string{"#c2410c", "#0969da", "#8250df", "#11795b", "#9a6700", "#a8326e"}

func hue(i int) string { return hues[i%len(hues)] }

// A drawing is an SVG on a white page of its own, for pages that are light or dark. It is 660 units wide, of
// which a letter has 15: on half of GitHub's width it can still be read.
type drawing struct{ strings.Builder }

func draw(height float64, title, says string) *drawing {
	d := &drawing{}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" width="800" viewBox="0 0 660 %.0f" font-family="Helvetica, Arial, sans-serif" font-size="15">
<style>text{paint-order:stroke;stroke:white;stroke-width:4px}</style>
<rect width="100%%" height="100%%" rx="8" fill="white"/>
<text x="18" y="32" font-size="19" font-weight="bold" fill="%s">%s</text>
`, height, ink, html.EscapeString(title))
	d.text(18, 56, "start", grey, says)
	return d
}

// text writes from a place ("start"), up to it ("end"), or around it ("middle").
func (d *drawing) text(x, y float64, anchor, fill, text string) {
	fmt.Fprintf(d, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, anchor, fill,
		html.EscapeString(text))
}

func (d *drawing) line(x1, y1, x2, y2 float64, stroke string) {
	fmt.Fprintf(d, `<path d="M%.1f %.1fL%.1f %.1f" stroke="%s" stroke-width="2"/>`+"\n", x1, y1, x2, y2, stroke)
}

func (d *drawing) dot(x, y float64, fill string) {
	fmt.Fprintf(d, `<circle cx="%.1f" cy="%.1f" r="6" fill="%s"/>`+"\n", x, y, fill)
}

// The target of the picture: a broadband absorber that is good from 250 Hz on.
var target = []runtime.Bound{{BandHz: 125, Thousandths: 300}, {BandHz: 250, Thousandths: 600},
	{BandHz: 500, Thousandths: 900},
	{BandHz: 1000, Thousandths: 900}, {BandHz: 2000, Thousandths: 850}, {BandHz: 4000, Thousandths: 800}}

// drawnMatches is how many products the picture shows: the nearest of each maker that comes first.
const drawnMatches = 3

// drawNeed draws a target curve and the products of the sample catalogue that are nearest to it.
func drawNeed(ctx context.Context) (string, error) {
	dir, err := os.MkdirTemp("", "sabine-need-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	folder := snapshot.Folder{Dir: dir}
	built, err := compiler.Build(ctx, compiler.Options{Inputs: dataset.Sample(), Folder: folder})
	if err != nil {
		return "", err
	}
	g, err := runtime.Open(ctx, folder.Path(built.File))
	if err != nil {
		return "", err
	}
	defer g.Close()
	q := runtime.Query{Filters: runtime.Filters{Needs: runtime.Needs{Curve: target}}, Limit: 50}
	hits := gjson.ParseBytes(g.AppendSummaries(nil, g.Search(&q), runtime.Include{})).Array()
	return plotNeed(eachMaker(hits)), nil
}

// eachMaker returns the first hits of as many makers as are drawn.
func eachMaker(hits []gjson.Result) (chosen []gjson.Result) {
	made := map[string]bool{}
	for _, hit := range hits {
		if maker := hit.Get("manufacturer").String(); !made[maker] && len(chosen) < drawnMatches {
			made[maker] = true
			chosen = append(chosen, hit)
		}
	}
	return chosen
}

// plotNeed draws the target and below it, smaller, each match.
func plotNeed(matches []gjson.Result) string {
	const left, right, top, bottom = 70, 630, 92, 372
	x := func(band int) float64 { return left + 40 + (right-left-80)*float64(band)/float64(len(target)-1) }
	y := func(coefficient float64) float64 { return bottom - (bottom-top)*coefficient }
	legend := func(n int) float64 { return bottom + 56 + 26*float64(n) }
	d := draw(legend(len(matches))+32, "A target curve and what comes near to it",
		"absorption coefficient by octave band in Hz; the sample catalogue")
	for _, v := range []float64{0, 0.2, 0.4, 0.6, 0.8, 1} {
		d.line(left, y(v), right, y(v), grid)
		d.text(left-10, y(v)+5, "end", grey, fmt.Sprintf("%.1f", v))
	}
	var asked []float64
	for i, b := range target {
		d.text(x(i), bottom+24, "middle", grey, fmt.Sprint(b.BandHz))
		asked = append(asked, float64(b.Thousandths)/1000)
	}
	for n := len(matches) - 1; n >= 0; n-- { // the nearest on top
		var values []float64
		for _, b := range target {
			values = append(values, matches[n].Get(fmt.Sprintf("match.absorption_octave.%d", b.BandHz)).Float())
		}
		d.curve(x, y, values, hue(n), 4, "")
		row := legend(n + 1)
		d.dot(left+8, row-5, hue(n))
		d.text(left+24, row, "start", hue(n), matches[n].Get("label").String()+", "+matches[n].Get("manufacturer").String())
		d.text(right, row, "end", hue(n), "distance "+matches[n].Get("match.distance").String())
	}
	d.curve(x, y, asked, ink, 6, ` stroke-dasharray="7 6"`)
	d.dot(left+8, legend(0)-5, ink)
	d.text(left+24, legend(0), "start", ink, "asked for")
	return d.String() + "</svg>\n"
}

// curve draws values by band.
func (d *drawing) curve(x func(int) float64, y func(float64) float64, values []float64, stroke string, radius float64,
	style string) {
	var path strings.Builder
	for i, v := range values {
		fmt.Fprintf(&path, "%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[i == 0], x(i), y(v))
		fmt.Fprintf(d, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"/>`+"\n", x(i), y(v), radius, stroke)
	}
	fmt.Fprintf(d, `<path d="%s" stroke="%s" stroke-width="2.5" fill="none"%s/>`+"\n", path.String(), stroke, style)
}

package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

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

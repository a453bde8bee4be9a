package main

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// Colours: of what is no engine, and of engines or lines, all dark enough for letters on white.
const ink, grey, grid = "#1f2328", "#59636e", "#dfe4e9"

var hues = [...]string{"#c2410c", "#0969da", "#8250df", "#11795b", "#9a6700", "#a8326e"}

func hue(i int) string { return hues[i%len(hues)] }

// A drawing is an SVG on a white page of its own, for pages that are light or dark. It is 660 units wide, of which a letter
// has 15: on half of GitHub's width it can still be read.
type drawing struct {
	strings.Builder
	height float64
}

func draw(height float64, title, says string) *drawing {
	d := &drawing{height: height}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" width="800" viewBox="0 0 660 %.0f" font-family="Helvetica, Arial, sans-serif" font-size="15">
<style>text{paint-order:stroke;stroke:white;stroke-width:4px}</style>
<rect width="100%%" height="100%%" rx="8" fill="white"/>
<text x="18" y="32" font-size="19" font-weight="bold" fill="%s">%s</text>
`, height, ink, html.EscapeString(title))
	d.text(18, 56, "start", grey, says)
	return d
}

func (d *drawing) end() string { return d.String() + "</svg>\n" }

// text writes from a place ("start"), up to it ("end"), or around it ("middle").
func (d *drawing) text(x, y float64, anchor, fill, text string) {
	fmt.Fprintf(d, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, anchor, fill, html.EscapeString(text))
}

func (d *drawing) line(x1, y1, x2, y2 float64, stroke string) {
	fmt.Fprintf(d, `<path d="M%.1f %.1fL%.1f %.1f" stroke="%s" stroke-width="2"/>`+"\n", x1, y1, x2, y2, stroke)
}

func (d *drawing) dot(x, y float64, fill string) {
	fmt.Fprintf(d, `<circle cx="%.1f" cy="%.1f" r="6" fill="%s"/>`+"\n", x, y, fill)
}

// A scale places values on a logarithmic axis.
type scale struct{ low, high, from, to float64 }

func scaleOf(values []float64, from, to float64) scale {
	low := slices.Min(values)
	return scale{low, max(slices.Max(values), 2*low), from, to} // of one value alone too
}

func (s scale) at(v float64) float64 {
	return s.from + (s.to-s.from)*math.Log(v/s.low)/math.Log(s.high/s.low)
}

// decades calls for each power of ten on the axis, with its place.
func (s scale) decades(mark func(v, at float64)) {
	for e := math.Ceil(math.Log10(s.low) - 1e-9); e <= math.Log10(s.high)+1e-9; e++ {
		mark(math.Pow(10, e), s.at(math.Pow(10, e)))
	}
}

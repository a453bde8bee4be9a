package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// width is that of a drawing in units, of which a letter has 15: at half of GitHub's width it can still be read.
const width = 660

// Colours of what is no engine.
const (
	ink  = "#1f2328"
	grey = "#59636e"
	grid = "#dfe4e9"
)

// colour tells engines apart, or lines; all are dark enough for letters on white.
func colour(i int) string {
	all := []string{"#c2410c", "#0969da", "#8250df", "#11795b", "#9a6700", "#a8326e"}
	return all[i%len(all)]
}

// A drawing is an SVG on a white page of its own, for pages that are light or dark.
type drawing struct {
	body   strings.Builder
	height float64
}

func (d *drawing) title(title, says string) {
	fmt.Fprintf(&d.body, `<text x="18" y="32" font-size="19" font-weight="bold" fill="%s">%s</text>`+"\n", ink, html.EscapeString(title))
	d.text(18, 56, "start", grey, says)
}

// text writes from, to, or around a place.
func (d *drawing) text(x, y float64, anchor, colour, text string) {
	fmt.Fprintf(&d.body, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, anchor, colour, html.EscapeString(text))
}

func (d *drawing) line(x1, y1, x2, y2 float64, colour string) {
	fmt.Fprintf(&d.body, `<path d="M%.1f %.1fL%.1f %.1f" stroke="%s" stroke-width="2"/>`+"\n", x1, y1, x2, y2, colour)
}

func (d *drawing) dot(x, y float64, colour string) {
	fmt.Fprintf(&d.body, `<circle cx="%.1f" cy="%.1f" r="6" fill="%s"/>`+"\n", x, y, colour)
}

func (d *drawing) bar(x, y, width, height float64, colour string) {
	fmt.Fprintf(&d.body, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", x, y, width, height, colour)
}

// svg returns the file.
func (d *drawing) svg() string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="800" viewBox="0 0 %d %.0f" font-family="Helvetica, Arial, sans-serif" font-size="15">
<style>text{paint-order:stroke;stroke:white;stroke-width:4px}</style>
<rect width="100%%" height="100%%" rx="8" fill="white"/>
%s</svg>
`, width, d.height, d.body.String())
}

// A scale places values on a logarithmic axis.
type scale struct{ low, high, from, to float64 }

func (s *scale) at(v float64) float64 {
	if s.high <= s.low {
		return s.from
	}
	return s.from + (s.to-s.from)*math.Log(v/s.low)/math.Log(s.high/s.low)
}

// decades calls for each power of ten on the axis, with its place.
func (s *scale) decades(mark func(v, at float64)) {
	for e := math.Ceil(math.Log10(s.low) - 1e-9); e <= math.Log10(s.high)+1e-9; e++ {
		v := math.Pow(10, e)
		mark(v, s.at(v))
	}
}

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
)

const (
	curveRows  = 10 // height of a curve in rows of characters
	columnSize = 4  // characters for each band: a blank and the bar
)

// eighths contains bars of one character. The bar with index n is filled to n eighths from the bottom.
var eighths = []rune(" ▁▂▃▄▅▆▇█")

// A drawing is a curve drawn as bars, one for each band.
type drawing struct {
	bands  []string
	values []float64 // +Inf fills the entire height
	top    float64   // upper end of the axis, which begins at 0
	line   float64   // value at which a line crosses the bars; 0 for no line
	note   string    // label of the line
}

// drawCurve draws coefficients on an axis from 0 to 1 or more.
func drawCurve(curve acoustics.Curve) string {
	d := drawing{top: 1}
	for _, p := range curve {
		d.bands, d.values = append(d.bands, bandLabel(p.BandHz)), append(d.values, p.Value)
		d.top = max(d.top, math.Ceil(p.Value*5)/5)
	}
	return d.String()
}

func (d *drawing) String() string {
	lineRow := -1
	if d.line > 0 {
		lineRow = min(int(d.line/d.top*curveRows), curveRows-1)
	}
	var b strings.Builder
	for row := curveRows - 1; row >= 0; row-- {
		axis, blank := "      ", " "
		if row%2 == 1 {
			axis = fmt.Sprintf("%5.2f ", d.top*float64(row+1)/curveRows)
		}
		if row == lineRow {
			blank = "╌"
		}
		b.WriteString(axis + "┤")
		for _, v := range d.values {
			filled := math.Round((v/d.top*curveRows - float64(row)) * 8)
			bar := string(eighths[int(max(0, min(8, filled)))])
			if bar == " " {
				bar = blank
			}
			b.WriteString(blank + strings.Repeat(bar, columnSize-1))
		}
		if row == lineRow {
			b.WriteString("╌ " + d.note)
		}
		b.WriteString("\n")
	}
	b.WriteString(" 0.00 └" + strings.Repeat("─", columnSize*len(d.values)) + "\n")
	writeRow(&b, "    Hz ", d.bands)
	labels := make([]string, len(d.values))
	for i, v := range d.values {
		labels[i] = valueLabel(v)
	}
	writeRow(&b, "       ", labels)
	return b.String()
}

func writeRow(b *strings.Builder, head string, cells []string) {
	b.WriteString(head)
	for _, cell := range cells {
		fmt.Fprintf(b, "%*s", columnSize, cell)
	}
	b.WriteString("\n")
}

// bandLabel returns a band in at most three characters, such as 125, 1k or 1k6, so that a blank can precede
// it. It returns "" for bands that need more characters, such as 1250 Hz between 1k and 1k6.
func bandLabel(hz int) string {
	label := strconv.Itoa(hz)
	if hz >= 1000 {
		label = fmt.Sprintf("%dk%s", hz/1000, strings.TrimRight(fmt.Sprintf("%03d", hz%1000), "0"))
	}
	if len(label) >= columnSize {
		return ""
	}
	return label
}

// valueLabel returns a value in at most three characters, such as .85, 1.0 or 12. It returns "" if the value
// needs more characters.
func valueLabel(v float64) string {
	for _, label := range []string{strings.Replace(fmt.Sprintf("%.2f", v), "0.", ".", 1), fmt.Sprintf("%.1f", v),
		fmt.Sprintf("%.0f", v)} {
		if len(label) < columnSize {
			return label
		}
	}
	if math.IsInf(v, 1) {
		return "∞"
	}
	return ""
}

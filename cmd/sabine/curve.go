package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

const (
	curveRows  = 10 // character rows of a drawn curve
	columnSize = 4  // characters of a band: the bar and a blank
)

// eighths are bars of one character, filled from below.
var eighths = []rune(" ▁▂▃▄▅▆▇█")

// drawCurve draws a frequency map as bars, one a band, over an axis from 0 to 1 or more.
func drawCurve(curve gjson.Result) string {
	var bands []string
	var values []float64
	top := 1.0
	curve.ForEach(func(band, value gjson.Result) bool {
		bands, values = append(bands, bandLabel(band.Int())), append(values, value.Float())
		top = max(top, math.Ceil(value.Float()*5)/5)
		return true
	})
	var b strings.Builder
	for row := curveRows - 1; row >= 0; row-- {
		axis := "      "
		if row%2 == 1 {
			axis = fmt.Sprintf("%5.2f ", top*float64(row+1)/curveRows)
		}
		b.WriteString(axis + "┤")
		for _, v := range values {
			filled := int(math.Round((v/top*curveRows - float64(row)) * 8))
			bar := string(eighths[max(0, min(8, filled))])
			b.WriteString(" " + strings.Repeat(bar, columnSize-1))
		}
		b.WriteString("\n")
	}
	b.WriteString(" 0.00 └" + strings.Repeat("─", columnSize*len(values)) + "\n")
	writeRow(&b, "    Hz ", bands)
	for i, v := range values {
		bands[i] = valueLabel(v)
	}
	writeRow(&b, "       ", bands)
	return b.String()
}

func writeRow(b *strings.Builder, head string, cells []string) {
	b.WriteString(head)
	for _, cell := range cells {
		fmt.Fprintf(b, "%*s", columnSize, cell)
	}
	b.WriteString("\n")
}

// bandLabel writes a band in at most three characters, so that a blank is left before it: 125, 1k, 1k6. It is empty for
// the few bands that need more, such as 1250 Hz between 1k and 1k6.
func bandLabel(hz int64) string {
	label := strconv.FormatInt(hz, 10)
	if hz >= 1000 {
		label = fmt.Sprintf("%dk%s", hz/1000, strings.TrimRight(fmt.Sprintf("%03d", hz%1000), "0"))
	}
	if len(label) >= columnSize {
		return ""
	}
	return label
}

// valueLabel writes a value in three characters: .85, and 1.0 from one on.
func valueLabel(v float64) string {
	if label := strings.Replace(fmt.Sprintf("%.2f", v), "0.", ".", 1); len(label) < columnSize {
		return label
	}
	return fmt.Sprintf("%.1f", v)
}

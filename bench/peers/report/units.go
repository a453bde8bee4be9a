package main

import (
	"fmt"
	"math"
	"strconv"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// How figures are shown. One that was not measured is 0, and is not shown.
var (
	percent            = unit("%.1f %%", 0.01)
	mebibytes          = unit("%.0f MiB", 1<<20)
	megabytesPerSecond = unit("%.1f MB/s", 1)
	gigabytesPerSecond = unit("%.2f GB/s", 1e9)
)

func unit(format string, one float64) func(float64) string {
	return func(v float64) string {
		if v == 0 {
			return ""
		}
		return fmt.Sprintf(format, v/one)
	}
}

func times(v float64) string         { return unit(figures(v, 3, 1)+" ×", 1)(v) }
func milliseconds(ns float64) string { return unit(figures(ns/1e6, 3, 3), 1e6)(ns) }
func short(v float64) string         { return unit(figures(v, 2, 9), 1)(v) }
func plain(v float64) string         { return strconv.FormatFloat(v, 'f', -1, 64) }

// figures returns a format for so many figures that count, but at most so many behind the point.
func figures(v float64, counting, behind int) string {
	return fmt.Sprintf("%%.%df", min(behind, max(0, counting-1-int(math.Floor(math.Log10(v))))))
}

// grouped shows a number with commas between the thousands, and without what is behind the point.
func grouped(v float64) string { return message.NewPrinter(language.English).Sprintf("%d", int(v)) }

// of shows figures of another type.
func of[T ~int | ~int64](show func(float64) string) func(T) string {
	return func(v T) string { return show(float64(v)) }
}

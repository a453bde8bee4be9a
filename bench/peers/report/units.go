package main

import (
	"fmt"
	"math"
	"strconv"
)

// How figures are shown; one that was not measured is 0, and is not.
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

func times(v float64) string {
	if v >= 100 {
		return unit("%.0f ×", 1)(v)
	}
	return unit("%.1f ×", 1)(v)
}

// milliseconds shows nanoseconds with three figures that count.
func milliseconds(ns float64) string {
	ms, digits := ns/1e6, 3
	for limit := 1.0; limit <= 100 && ms >= limit; limit *= 10 {
		digits--
	}
	return unit("%."+strconv.Itoa(digits)+"f", 1)(ms)
}

// short shows a number with two figures that count.
func short(v float64) string {
	return strconv.FormatFloat(v, 'f', max(0, 1-int(math.Floor(math.Log10(v)))), 64)
}

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// grouped shows a number with commas between the thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

package main

import (
	"math"
	"strings"
	"testing"
)

func TestLabelsOfValues(t *testing.T) {
	for v, want := range map[float64]string{0: ".00", 0.854: ".85", 0.996: "1.0", 1: "1.0", 9.94: "9.9", 9.96: "10",
		12.4: "12", 999.4: "999", 1000: "", 1e300: ""} {
		if got := valueLabel(v); got != want {
			t.Errorf("%v is labelled %q, want %q", v, got, want)
		}
	}
	if got := valueLabel(math.Inf(1)); got != "∞" {
		t.Errorf("without end: %q", got)
	}
}

func TestAxesEndAtHalvesOfPowersOfTen(t *testing.T) {
	for longest, want := range map[float64]float64{0: 1, 0.34: 0.35, 0.95: 0.95, 0.96: 1, 1.01: 1.5, 1.5: 1.5, 9.6: 10,
		11: 15, 399: 400} {
		if got := axisTop(longest); math.Abs(got-want) > 1e-12 {
			t.Errorf("up to %v: the axis ends at %v, want %v", longest, got, want)
		}
	}
}

func TestALineIsDrawnAcrossTheBars(t *testing.T) {
	d := drawing{bands: []string{"125", "250"}, values: []float64{math.Inf(1), 0.25}, top: 1, line: 0.55, note: "target"}
	rows := strings.Split(d.String(), "\n")
	for row, want := range map[int]string{
		0: " 1.00 ┤ ███    ", 4: " 0.60 ┤╌███╌╌╌╌╌ target", 7: "      ┤ ███ ▄▄▄", 9: "      ┤ ███ ███",
		10: " 0.00 └────────", 11: "    Hz  125 250", 12: "          ∞ .25",
	} {
		if rows[row] != want {
			t.Errorf("row %d is %q, want %q", row, rows[row], want)
		}
	}
	d.line = 7 // above the axis
	if top, _, _ := strings.Cut(d.String(), "\n"); !strings.HasSuffix(top, "╌ target") {
		t.Errorf("got %q", top)
	}
	d.line = 0
	if strings.Contains(d.String(), "╌") {
		t.Error("a line without a value")
	}
}

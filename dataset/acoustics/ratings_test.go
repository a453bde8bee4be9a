package acoustics

import (
	"math"
	"testing"
)

// rated returns the ratings of octave-band coefficients at 125 Hz to 4000 Hz.
func rated(values ...float64) Ratings {
	var c Curve
	for i, v := range values {
		c = append(c, Point{practicalBands[i], v})
	}
	return Rate(c, nil)
}

// thirdsFrom100 returns a curve of third-octave bands from 100 Hz up.
func thirdsFrom100(values ...float64) Curve {
	var c Curve
	for i, v := range values {
		c = append(c, Point{ThirdBands[i+3], v})
	}
	return c
}

func TestPracticalCoefficient(t *testing.T) {
	tests := []struct {
		rule          string
		octave, third Curve
		want          float64
	}{
		{"0.92 becomes 0.90", nil, thirdsFrom100(0.92, 0.92, 0.92), 0.9},
		{"the mean of three third octaves", nil, thirdsFrom100(0.1, 0.2, 0.36), 0.2},
		{"to hundredths first, then to twentieths: 0.1233 is 0.12", nil, thirdsFrom100(0.12, 0.12, 0.13), 0.1},
		{"to hundredths first, then to twentieths: 0.1249 is 0.12", nil, thirdsFrom100(0.1249, 0.1249, 0.1249), 0.1},
		{"half of a hundredth goes up: 0.125 is 0.13", nil, thirdsFrom100(0.125, 0.125, 0.125), 0.15},
		{"over 1.00 becomes 1.00", nil, thirdsFrom100(1.1, 1.2, 1.3), 1},
		{"below 0 becomes 0.00", nil, thirdsFrom100(-0.1, -0.1, -0.1), 0},
		{"an octave without third octaves is rounded", Curve{{125, 0.18}}, nil, 0.2},
		{"an octave without third octaves is limited to 1", Curve{{125, 1.3}}, nil, 1},
		{"the octave replaces incomplete third octaves", Curve{{125, 0.5}}, thirdsFrom100(0.9, 0.9), 0.5},
		{"complete third octaves precede the octave", Curve{{125, 0.5}}, thirdsFrom100(0.9, 0.9, 0.9), 0.9},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			got := Rate(test.octave, test.third).AlphaP
			if len(got) != 1 || got[0] != (Point{125, test.want}) {
				t.Errorf("Rate(%v, %v).AlphaP = %v, want %v at 125 Hz", test.octave, test.third, got, test.want)
			}
		})
	}
}

func TestWeightedCoefficient(t *testing.T) {
	tests := []struct {
		rule   string
		alphaP []float64 // coefficients from 125 Hz upwards
		want   Hundredths
		shape  string
	}{
		{"the reference curve itself is 1.00", []float64{0, 0.8, 1, 1, 1, 0.9}, 100, ""},
		{"the sum of unfavourable deviations can be exactly 0.10", []float64{0, 0.7, 1, 1, 1, 0.9}, 100, ""},
		{"0.15 shifts the curve by one step", []float64{0, 0.65, 1, 1, 1, 0.9}, 95, ""},
		{"125 Hz never counts", []float64{1, 0.8, 1, 1, 1, 0.9}, 100, ""},
		{"a favourable deviation does not compensate", []float64{0, 1, 0.5, 0.5, 0.5, 1}, 50, "LH"},
		{"an excess of 0.20 is not indicated", []float64{0, 0.5, 0.5, 0.5, 0.5, 0.4}, 50, ""},
		{"an excess of exactly 0.25 is indicated", []float64{0, 0.55, 0.5, 0.5, 0.5, 0.4}, 50, "L"},
		{"1000 Hz gives M", []float64{0, 0.3, 0.5, 0.75, 0.5, 0.4}, 50, "M"},
		{"4000 Hz gives H", []float64{0, 0.3, 0.5, 0.5, 0.5, 0.65}, 50, "H"},
		{"no absorption is 0.00", []float64{0, 0, 0, 0, 0, 0}, 0, ""},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			got := rated(test.alphaP...)
			if got.AlphaW == nil || *got.AlphaW != test.want || got.Shape != test.shape {
				t.Errorf("%v: alpha_w %v %q, want %v %q", test.alphaP, show(got.AlphaW), got.Shape, test.want.Float(), test.shape)
			}
		})
	}
}

func TestMissingBandsAreNotRated(t *testing.T) {
	if r := Rate(nil, nil); r.AlphaP != nil || r.AlphaW != nil || r.Shape != "" || r.NRC != nil || r.SAA != nil {
		t.Errorf("Rate(nil, nil) = %+v, want nothing", r)
	}
	if r := rated(0.1, 0.2, 0.3, 0.4, 0.5); r.AlphaW != nil || r.NRC == nil || len(r.AlphaP) != 5 {
		t.Errorf("without 4000 Hz: %+v, want NRC and five practical coefficients, no alpha_w", r)
	}
	if r := rated(0.1, 0.2, 0.3, math.NaN(), 0.5, 0.5); r.AlphaW != nil || r.NRC != nil || len(r.AlphaP) != 5 {
		t.Errorf("with NaN at 1000 Hz: %+v, want it treated as missing", r)
	}
}

func TestAverages(t *testing.T) {
	flat := func(v float64) Curve {
		var c Curve
		for _, hz := range ThirdBands {
			c = append(c, Point{hz, v})
		}
		return c
	}
	without := func(c Curve, bandHz int) Curve {
		var rest Curve
		for _, p := range c {
			if p.BandHz != bandHz {
				rest = append(rest, p)
			}
		}
		return rest
	}
	octaves := func(a, b, c, d float64) Curve { return Curve{{250, a}, {500, b}, {1000, c}, {2000, d}} }
	known := func(h Hundredths) *Hundredths { return &h }
	tests := []struct {
		rule          string
		octave, third Curve
		nrc, saa      *Hundredths
	}{
		{"0.875 goes up to 0.90", octaves(0.875, 0.875, 0.875, 0.875), nil, known(90), nil},
		{"half-way in decimals, below it in binary: 0.325 is 0.35", octaves(0.12, 0.35, 0.45, 0.38), nil, known(35), nil},
		{"the ratings are not limited to 1", flat(1.15), flat(1.15), known(115), known(115)},
		{"third octaves precede octaves if all four exist", octaves(0.1, 0.1, 0.1, 0.1), flat(0.5), known(50), known(50)},
		{"octaves are used if a third octave is missing", octaves(0.1, 0.1, 0.1, 0.1), without(flat(0.5), 2000), known(10), nil},
		{"SAA needs all twelve thirds", nil, without(flat(0.5), 2500), known(50), nil},
		{"NRC needs only four centres", nil, Curve{{250, 0.5}, {500, 0.5}, {1000, 0.5}, {2000, 0.5}}, known(50), nil},
		{"an octave map never gives SAA", flat(0.5), nil, known(50), nil},
		{"half of a hundredth goes up in SAA", nil, flat(0.125), known(15), known(13)},
		{"negative values count", nil, flat(-0.1), known(-10), known(-10)},
		{"half-way goes up below zero too", nil, flat(-0.025), known(0), known(-2)},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			got := Rate(test.octave, test.third)
			if compareKnown(got.NRC, test.nrc) != 0 || compareKnown(got.SAA, test.saa) != 0 {
				t.Errorf("NRC %v, SAA %v; want %v, %v", show(got.NRC), show(got.SAA), show(test.nrc), show(test.saa))
			}
		})
	}
}

func TestClass(t *testing.T) {
	// Table B.1 of the standard, from 1.00 to 0.00 in steps of 0.05
	want := []string{
		"A", "A", "A", "B", "B", "C", "C", "C", "C", "D", "D", "D", "D", "D", "D", "E", "E", "E", "", "", "",
	}
	for i, class := range want {
		if alphaW := Hundredths(100 - 5*i); Class(alphaW) != class {
			t.Errorf("Class(%v) = %q, want %q", alphaW.Float(), Class(alphaW), class)
		}
	}
}

func TestMostAbsorptive(t *testing.T) {
	variant := func(alphaW, nrc Hundredths) Ratings {
		var r Ratings
		if alphaW >= 0 {
			r.AlphaW = &alphaW
		}
		if nrc >= 0 {
			r.NRC = &nrc
		}
		return r
	}
	tests := []struct {
		rule     string
		variants []Ratings
		want     int
	}{
		{"no variants", nil, -1},
		{"the highest alpha_w", []Ratings{variant(40, 90), variant(60, 10)}, 1},
		{"then the highest NRC", []Ratings{variant(60, 10), variant(60, 15)}, 1},
		{"then the first", []Ratings{variant(60, 10), variant(60, 10)}, 0},
		{"a set-up without alpha_w comes last", []Ratings{variant(-1, 90), variant(0, 0)}, 1},
		{"without any alpha_w, the highest NRC", []Ratings{variant(-1, -1), variant(-1, 5), variant(-1, 10)}, 2},
		{"a known NRC before an unknown NRC", []Ratings{variant(60, -1), variant(60, 5)}, 1},
		{"nothing known, the first", []Ratings{variant(-1, -1), variant(-1, -1)}, 0},
	}
	for _, test := range tests {
		if got := MostAbsorptive(test.variants); got != test.want {
			t.Errorf("%s: MostAbsorptive = %d, want %d", test.rule, got, test.want)
		}
	}
}

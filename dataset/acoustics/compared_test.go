package acoustics

import (
	"math"
	"testing"
)

func TestThousandths(t *testing.T) {
	for _, test := range []struct {
		rule  string
		value float64
		want  Compared // thousandths
	}{
		{"a published coefficient", 0.85, 850},
		{"three decimals too", 0.123, 123},
		{"0", 0, 0},
		{"and its negative", math.Copysign(0, -1), 0},
		{"further decimals are rounded", 0.1234, 123},
		{"half-way away from zero", 0.1235, 124},
		{"also if the binary fraction is less", 1.0005, 1001},
		{"slightly less than half-way", 0.12349999999999998, 123},
		{"a negative coefficient", -0.05, -50},
		{"half-way away from zero, downwards", -0.0005, -1},
		{"slightly more than half-way", -0.00049999999999999995, 0},
		{"the minimum", -0.1, -100},
		{"the maximum", 2, 2000},
	} {
		if got := thousandths(test.value); got != test.want {
			t.Errorf("%s: %v is %d, want %d", test.rule, test.value, got, test.want)
		}
	}
}

func TestBandValues(t *testing.T) {
	thirds := Curve{{100, 0.1}, {125, 0.2}, {160, 0.3005}, {200, 0.4}, {250, 0.5}, {630, -0.0205}, {6300, 0.9}, {8000, 1},
		{10000, 1.1}}
	octaves := Curve{{63, 0.07}, {250, 0.4444}, {4000, 0.9}}
	for _, test := range []struct {
		rule          string
		octave, third Curve
		bandHz        int
		want          Compared // thirds of a thousandth
		ok            bool
	}{
		{"the stated octave", octaves, nil, 63, 210, true},
		{"rounded to thousandths", octaves, nil, 250, 1332, true},
		{"the stated octave precedes the mean of thirds", Curve{{125, 0.9}}, thirds, 125, 2700, true},
		{"otherwise the unrounded mean of three values in thousandths", octaves, thirds, 125, 100 + 200 + 301, true},
		{"also at the ends of the series", nil, thirds, 8000, 3000, true},
		{"no value if one of the three is missing", nil, thirds, 250, 0, false},
		{"nor with none of them", nil, thirds, 1000, 0, false},
		{"nor without curves", nil, nil, 500, 0, false},
		{"a third octave that is not an octave has its stated value", octaves, thirds, 100, 300, true},
		{"also below zero", octaves, thirds, 630, -63, true},
		{"a third octave without a stated value", octaves, thirds, 315, 0, false},
		{"the third of an octave's name is not the octave", nil, Curve{{125, 0.2}}, 125, 0, false},
		{"an unknown band has no value", octaves, thirds, 300, 0, false},
	} {
		if got, ok := BandValue(test.octave, test.third, test.bandHz); got != test.want || ok != test.ok {
			t.Errorf("%s: at %d Hz %d, %v, want %d, %v", test.rule, test.bandHz, got, ok, test.want, test.ok)
		}
		isOctave := false
		for _, hz := range OctaveBands {
			isOctave = isOctave || hz == test.bandHz
		}
		if got, ok := OctaveValue(test.octave, test.third, test.bandHz); isOctave && (got != test.want || ok != test.ok) ||
			!isOctave && ok {
			t.Errorf("%s: octave of %d Hz %d, %v", test.rule, test.bandHz, got, ok)
		}
	}
}

func TestSumOfLengths(t *testing.T) {
	for _, test := range []struct {
		rule       string
		a, b, want float64
	}{
		{"whole millimetres", 20, 200, 220},
		{"of decimals, not of binary fractions", 12.7, 0.1, 12.8},
		{"in either order", 0.1, 0.2, 0.3},
		{"nothing is added", 12.5, 0, 12.5},
		{"a negative length", -1, 0.5, -0.5},
		{"very large ones", 1e300, 1, 1e300},
	} {
		if got := SumOfLengths(test.a, test.b); got != test.want {
			t.Errorf("%s: %v and %v are %v, want %v", test.rule, test.a, test.b, got, test.want)
		}
	}
}

func TestByAbsorption(t *testing.T) {
	rated := func(alphaW, nrc int) Ratings {
		var r Ratings
		if alphaW >= 0 {
			r.AlphaW = new(Hundredths(alphaW))
		}
		if nrc >= 0 {
			r.NRC = new(Hundredths(nrc))
		}
		return r
	}
	got := ByAbsorption([]Ratings{rated(-1, 90), rated(50, 40), rated(80, -1), rated(50, 45), rated(80, 10),
		rated(50, 40), rated(-1, -1)})
	want := []int{4, 2, 3, 1, 5, 0, 6} // by alpha_w, then by NRC, then in the given order
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

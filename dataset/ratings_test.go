package dataset

import (
	"slices"
	"testing"

	"sabine/dataset/acoustics"
)

func TestRatingDoubts(t *testing.T) {
	curve := func(value float64) (c acoustics.Curve) {
		for _, hz := range acoustics.OctaveBands[1:7] {
			c = append(c, acoustics.Point{BandHz: hz, Value: value})
		}
		return c
	}
	declared := func(key, text string) []Declared {
		return []Declared{{Key: key, Text: text, Fault: Fault{Place: Place{Input: "a.csv", Line: 2}, Path: key}}}
	}
	for _, test := range []struct {
		rule   string
		setUps []SetUp
		want   []string
	}{
		{"a rating that fits", []SetUp{{Octave: curve(0.5), Declared: declared("NRC", "0.5")}}, nil},
		{
			"a rating that does not",
			[]SetUp{{Octave: curve(0.5), Declared: declared("NRC", "0.9")}},
			[]string{"a.csv:2: NRC: declared as 0.9, but the value computed from the coefficients is 0.5"},
		},
		{
			"the largest alpha_w of the most absorptive set-up is the product's",
			[]SetUp{
				{Octave: curve(0.3)}, {Octave: curve(0.5), AlphaW: new(0.9), Declared: declared("alpha_w", "0.9")},
			}, nil,
		},
		{
			"of any other set-up it is compared",
			[]SetUp{{Octave: curve(0.5)}, {Octave: curve(0.3), AlphaW: new(0.9), Declared: declared("alpha_w", "0.9")}},
			[]string{"a.csv:2: alpha_w: declared as 0.9, but the value computed from the coefficients is 0.3"},
		},
		{
			"practical coefficients are not the most absorptive beside those of ISO 354",
			[]SetUp{
				{Octave: curve(0.3)}, {Practical: curve(0.5), AlphaW: new(0.9), Declared: declared("alpha_w", "0.9")},
			},
			[]string{"a.csv:2: alpha_w: declared as 0.9, but the value computed from the coefficients is 0.5"},
		},
		{"practical coefficients give no NRC", []SetUp{{Practical: curve(0.5), Declared: declared("NRC", "0.9")}}, nil},
		{
			"a class is compared with the declared alpha_w",
			[]SetUp{{Octave: curve(0.5), AlphaW: new(0.6), Declared: declared("Absorberklasse", "A")}},
			[]string{"a.csv:2: Absorberklasse: declared as A, but the value computed from the coefficients is C"},
		},
		{"a set-up without coefficients", []SetUp{{AlphaW: new(0.6), Declared: declared("Absorberklasse", "A")}}, nil},
	} {
		var got []string
		for _, f := range RatingDoubts(test.setUps, 0.9) {
			got = append(got, f.Error())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

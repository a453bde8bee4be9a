package acoustics_test

import (
	"testing"

	"sabine/dataset/acoustics"
)

func TestDepth(t *testing.T) {
	for _, test := range []struct {
		rule           string
		mounting       string
		thickness, gap *float64
		want           float64 // -1: not known
	}{
		{"a stated gap is added", "E-400", new(40.0), new(360.0), 400},
		{"as decimals", "", new(12.7), new(0.1), 12.8},
		{"a stated gap wins over the mounting", "E-400", new(40.0), new(200.0), 240},
		{"also over A", "A", new(40.0), new(50.0), 90},
		{"a stated gap of 0", "E", new(40.0), new(0.0), 40},
		{"A lies on the surface", "A", new(40.0), nil, 40},
		{"B lies on the surface", "B", new(40.0), nil, 40},
		{"I lies on the surface", "I", new(40.0), nil, 40},
		{"the face of E-nnn is nnn mm from the surface", "E-400", new(40.0), nil, 400},
		{"with two digits", "E-50", new(40.0), nil, 50},
		{"with four digits", "E-1000", new(40.0), nil, 1000},
		{"a specimen as thick as the distance", "E-400", new(400.0), nil, 400},
		{"a thicker specimen", "E-400", new(400.5), nil, -1},
		{"E without a distance", "E", new(40.0), nil, -1},
		{"a distance of other types", "D-50", new(40.0), nil, -1},
		{"baffles", "J", new(40.0), nil, -1},
		{"words", "ceiling", new(40.0), nil, -1},
		{"no mounting", "", new(40.0), nil, -1},
		{"E-1 and E-0400 are no distances", "E-0400", new(40.0), nil, -1},
		{"no thickness", "E-400", nil, nil, -1},
		{"no thickness on the surface", "A", nil, nil, -1},
		{"no thickness with a gap", "", nil, new(360.0), -1},
		{"a sum that is no number", "A", new(1.7e308), new(1.7e308), -1},
		{"a thickness of 0", "A", new(0.0), nil, 0},
	} {
		got, ok := acoustics.Depth(test.mounting, test.thickness, test.gap)
		if ok != (test.want >= 0) || ok && got != test.want {
			t.Errorf("%s: got %v, %v, want %v", test.rule, got, ok, test.want)
		}
	}
}

func TestContradicts(t *testing.T) {
	for _, test := range []struct {
		rule      string
		mounting  string
		thickness *float64
		gap       float64
		want      bool
	}{
		{"thickness and gap are the distance", "E-400", new(40.0), 360, false},
		{"as decimals", "E-50", new(12.9), 37.1, false},
		{"the gap alone is the distance", "E-400", new(40.0), 400, true},
		{"in any spelling", "Typ E 400", new(40.0), 400, true},
		{"less than the distance", "E-400", new(40.0), 200, true},
		{"without a thickness a gap up to the distance may be", "E-400", nil, 400, false},
		{"but no larger one", "E-400", nil, 400.5, true},
		{"E without a distance", "E", new(40.0), 200, false},
		{"another type", "D-50", new(40.0), 20, false},
		{"what is no type", "E-400 mm", new(40.0), 20, false},
	} {
		distance, got := acoustics.Contradicts(test.mounting, test.thickness, test.gap)
		if got != test.want || got && distance < 50 {
			t.Errorf("%s: got %v, %v, want %v", test.rule, got, distance, test.want)
		}
	}
}

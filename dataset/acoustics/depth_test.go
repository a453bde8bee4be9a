package acoustics_test

import (
	"encoding/json"
	"os"
	"testing"

	"sabine/dataset/acoustics"
)

// TestDepth uses the same cases as the explorer tests.
func TestDepth(t *testing.T) {
	text, err := os.ReadFile("testdata/depths.json")
	if err != nil {
		t.Fatal(err)
	}
	var tests []struct {
		Rule, Mounting string
		Thickness      *float64 `json:"thickness_mm"`
		Gap            *float64 `json:"air_gap_mm"`
		Want           *float64 `json:"depth_mm"` // nil if the depth is unknown
	}
	if err := json.Unmarshal(text, &tests); err != nil || len(tests) < 25 {
		t.Fatalf("%d cases, %v", len(tests), err)
	}
	for _, test := range tests {
		got, ok := acoustics.Depth(acoustics.Mounting(test.Mounting), test.Thickness, test.Gap)
		if ok != (test.Want != nil) || ok && got != *test.Want {
			t.Errorf("%s: got %v, %v, want %v", test.Rule, got, ok, test.Want)
		}
	}
}

func TestAirGapContradicts(t *testing.T) {
	for _, test := range []struct {
		rule      string
		mounting  string
		thickness *float64
		gap       float64
		want      bool
	}{
		{"thickness and gap are the distance", "E-400", new(40.0), 360, false},
		{"as decimals", "E-50", new(12.9), 37.1, false},
		{"the gap without the thickness is the distance", "E-400", new(40.0), 400, true},
		{"in any spelling", "Typ E 400", new(40.0), 400, true},
		{"less than the distance", "E-400", new(40.0), 200, true},
		{"a gap up to the distance is possible without a thickness", "E-400", nil, 400, false},
		{"but no larger one", "E-400", nil, 400.5, true},
		{"E without a distance", "E", new(40.0), 200, false},
		{"another type", "D-50", new(40.0), 20, false},
		{"a text that is not a type", "E-400 mm", new(40.0), 20, false},
	} {
		distance, got := acoustics.AirGapContradicts(test.mounting, test.thickness, test.gap)
		if got != test.want || got && distance < 50 {
			t.Errorf("%s: got %v, %v, want %v", test.rule, got, distance, test.want)
		}
	}
}

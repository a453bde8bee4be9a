package acoustics

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
)

// A vector is a published pair of bands and ratings in testdata/vectors.json, with its source.
type vector struct {
	Name        string             `json:"name"`
	ThirdOctave map[string]float64 `json:"third_octave"`
	Octave      map[string]float64 `json:"octave"`
	Agrees      bool               `json:"agrees"` // whether the printed values agree with the standard
	printed                        // ratings as printed in the source
	ByStandard  printed            `json:"by_standard"`
}

// printed are the ratings of a vector. A rating that the source does not contain is nil.
type printed struct {
	AlphaP map[string]float64 `json:"alpha_p"`
	AlphaW *float64           `json:"alpha_w"`
	Shape  *string            `json:"alpha_w_shape"`
	Class  *string            `json:"class"`
	NRC    *float64           `json:"nrc"`
	SAA    *float64           `json:"saa"`
}

func TestPublishedRatings(t *testing.T) {
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 30 {
		t.Fatalf("%d vectors, want at least 30", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			octave, alphaPOnly := v.Octave, v.ThirdOctave == nil && v.Octave == nil
			if alphaPOnly {
				octave = v.AlphaP
			}
			got := Rate(curveOf(t, octave), curveOf(t, v.ThirdOctave))
			if alphaPOnly {
				got.NRC = nil // computed from alpha_s; the source states none
			}
			v.ByStandard.check(t, "by the standard", got)
			checkAbsent(t, v.ByStandard, got)
			if v.Agrees {
				v.check(t, "as printed", got)
			}
		})
	}
}

// check compares ratings with the values in p.
func (p printed) check(t *testing.T, kind string, got Ratings) {
	t.Helper()
	for hz, want := range p.AlphaP {
		band, _ := strconv.Atoi(hz)
		if value, ok := got.AlphaP.At(band); !ok || value != want {
			t.Errorf("%s: alpha_p at %s Hz is %v (known: %t), want %v", kind, hz, value, ok, want)
		}
	}
	checkRating(t, kind+": alpha_w", got.AlphaW, p.AlphaW)
	checkRating(t, kind+": NRC", got.NRC, p.NRC)
	checkRating(t, kind+": SAA", got.SAA, p.SAA)
	if p.Shape != nil && got.Shape != *p.Shape {
		t.Errorf("%s: shape %q, want %q", kind, got.Shape, *p.Shape)
	}
	if p.Class != nil && Class(*got.AlphaW) != *p.Class {
		t.Errorf("%s: class %q, want %q", kind, Class(*got.AlphaW), *p.Class)
	}
}

func checkRating(t *testing.T, what string, got *Hundredths, want *float64) {
	t.Helper()
	if want == nil {
		return
	}
	if got == nil || *got != Hundredths(math.Round(*want*100)) {
		t.Errorf("%s is %v, want %v", what, show(got), *want)
	}
}

// checkAbsent verifies that the ratings for which bands are missing are absent.
func checkAbsent(t *testing.T, want printed, got Ratings) {
	t.Helper()
	if len(got.AlphaP) != len(want.AlphaP) {
		t.Errorf("%d practical coefficients, want %d", len(got.AlphaP), len(want.AlphaP))
	}
	if (got.AlphaW == nil) != (want.AlphaW == nil) || (got.NRC == nil) != (want.NRC == nil) ||
		(got.SAA == nil) != (want.SAA == nil) {
		t.Errorf("rated alpha_w %v, NRC %v, SAA %v; want %+v", show(got.AlphaW), show(got.NRC), show(got.SAA), want)
	}
	if want.AlphaW != nil && want.Class == nil && Class(*got.AlphaW) != "" {
		t.Errorf("class %q, want none", Class(*got.AlphaW))
	}
}

func show(h *Hundredths) any {
	if h == nil {
		return "null"
	}
	return h.Float()
}

// curveOf returns the curve of a frequency map.
func curveOf(t *testing.T, bands map[string]float64) Curve {
	t.Helper()
	if bands == nil {
		return nil
	}
	c := Curve{}
	for hz, value := range bands {
		band, err := strconv.Atoi(hz)
		if err != nil {
			t.Fatal(err)
		}
		c = append(c, Point{band, value})
	}
	slices.SortFunc(c, func(a, b Point) int { return a.BandHz - b.BandHz })
	return c
}

package acoustics

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"math/big"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// realMaterials is an optional file next to the project. Without it, the test is skipped.
const realMaterials = "../../../shared/data/real-materials.ndjson"

func TestToDecimalReadsTheShortestForm(t *testing.T) {
	tests := []struct {
		value float64
		want  decimal
		ok    bool
	}{
		{0, 0, true},
		{0.1, 1e16, true},
		{0.325, 325e14, true},
		{1.84, 184e15, true},
		{-0.1, -1e16, true},
		{7, 7e17, true},
		{1e-17, 1, true},
		{1e-18, 0, true},
		{-1e-300, -1, true}, // remains negative
		{0.30000000000000004, 30000000000000004, true},
		{7.1, 0, false},
		{-1e300, 0, false},
	}
	for _, test := range tests {
		if got, ok := toDecimal(test.value); got != test.want || ok != test.ok {
			t.Errorf("toDecimal(%v) = %d, %t; want %d, %t", test.value, got, ok, test.want, test.ok)
		}
	}
}

// exactRatings contains alpha_p (in twentieths), alpha_w, NRC and SAA according to the same standards, but
// computed with rational numbers. A rating for which bands are missing is -1000.
type exactRatings struct {
	alphaP           [6]int
	alphaW, nrc, saa int
}

const unknown = -1000

func exactly(octave, third Curve) exactRatings {
	r := exactRatings{alphaW: unknown, nrc: unknown, saa: unknown}
	complete := true
	for i, hz := range []int{125, 250, 500, 1000, 2000, 4000} {
		r.alphaP[i] = unknown
		at := 3*i + 4 // index of the octave's centre in ThirdBands
		mean := exactMean(third, ThirdBands[at-1:at+2]...)
		if mean == nil {
			mean = exactMean(octave, hz)
		}
		if mean != nil {
			hundredths := nearest(new(big.Rat).Mul(mean, big.NewRat(100, 1)))
			r.alphaP[i] = max(0, min(20, nearest(big.NewRat(int64(hundredths), 5))))
		} else if i > 0 {
			complete = false
		}
	}
	if complete {
		r.alphaW = exactWeighted(r.alphaP)
	}
	mean := exactMean(third, 250, 500, 1000, 2000)
	if mean == nil {
		mean = exactMean(octave, 250, 500, 1000, 2000)
	}
	if mean != nil {
		r.nrc = 5 * nearest(mean.Mul(mean, big.NewRat(20, 1)))
	}
	if mean := exactMean(third, ThirdBands[6:18]...); mean != nil {
		r.saa = nearest(mean.Mul(mean, big.NewRat(100, 1)))
	}
	return r
}

// exactWeighted tries every position of the curve from the top.
func exactWeighted(alphaP [6]int) int {
	for at500 := 20; ; at500-- {
		short := 0
		for i, curve := range []int{at500 - 4, at500, at500, at500, at500 - 2} {
			short += max(0, curve-alphaP[i+1])
		}
		if short <= 2 {
			return at500 * 5
		}
	}
}

func exactMean(c Curve, bandsHz ...int) *big.Rat {
	sum := new(big.Rat)
	for _, hz := range bandsHz {
		v, ok := c.At(hz)
		if !ok {
			return nil
		}
		exact, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
		sum.Add(sum, exact)
	}
	return sum.Quo(sum, big.NewRat(int64(len(bandsHz)), 1))
}

// nearest rounds half up to an integer.
func nearest(x *big.Rat) int {
	doubled := new(big.Rat).Add(new(big.Rat).Mul(x, big.NewRat(2, 1)), big.NewRat(1, 1))
	floor := new(big.Int).Div(doubled.Num(), new(big.Int).Mul(doubled.Denom(), big.NewInt(2)))
	return int(floor.Int64())
}

// differs describes the difference between ratings and exact ratings, or returns "".
func (want exactRatings) differs(octave, third Curve) string {
	got := Rate(octave, third)
	for i, alphaP := range practicalCoefficients(octave, third) {
		if alphaP == missing && want.alphaP[i] != unknown || alphaP != missing && int(alphaP) != want.alphaP[i] {
			return "alpha_p"
		}
	}
	for _, r := range []struct {
		name string
		got  *Hundredths
		want int
	}{{"alpha_w", got.AlphaW, want.alphaW}, {"NRC", got.NRC, want.nrc}, {"SAA", got.SAA, want.saa}} {
		if r.got == nil && r.want != unknown || r.got != nil && int(*r.got) != r.want {
			return r.name
		}
	}
	return ""
}

func TestRealCurvesAreRatedExactly(t *testing.T) {
	file, err := os.Open(realMaterials)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is missing: the ratings of real materials were not tested", realMaterials)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	curves := 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var record struct {
			ID           string
			Measurements struct {
				Absorption []struct {
					Octave map[string]float64 `json:"alpha_s_octave"`
					Third  map[string]float64 `json:"alpha_s_third_octave"`
				} `json:"absorption_iso_354"`
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		for i, a := range record.Measurements.Absorption {
			octave, third := curveOf(t, a.Octave), curveOf(t, a.Third)
			if rating := exactly(octave, third).differs(octave, third); rating != "" {
				t.Errorf("%s, entry %d: %s of %v and %v: got %+v, want %+v", record.ID, i, rating, octave, third,
					Rate(octave, third), exactly(octave, third))
			}
			curves++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if curves < 3000 {
		t.Errorf("%d curves, want at least 3000", curves)
	}
}

func TestAnyCurveIsRatedExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SampledFrom([]int64{100, 1000, 10000, 1e12}).Draw(t, "units in 1")
		curve := func(name string, bandsHz []int) Curve {
			var c Curve
			for _, hz := range bandsHz {
				if rapid.IntRange(0, 30).Draw(t, name+" gap") > 0 {
					units := rapid.Int64Range(-places/10, 2*places).Draw(t, name)
					c = append(c, Point{hz, float64(units) / float64(places)})
				}
			}
			return c
		}
		octave, third := curve("octave", OctaveBands), curve("third", ThirdBands)
		if rating := exactly(octave, third).differs(octave, third); rating != "" {
			t.Fatalf("%s: got %+v, want %+v", rating, Rate(octave, third), exactly(octave, third))
		}
	})
}

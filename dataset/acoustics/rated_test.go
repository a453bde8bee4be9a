package acoustics

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/rated.json anew")

// A ratedRow is a row in testdata/rated.json. An explorer test uses the file to verify that the explorer
// computes the same ratings (serve/explorer/web/src/lib/ratings.test.mjs). Ratings are in hundredths, and
// null if bands are missing.
type ratedRow struct {
	Octave   map[string]float64 `json:"octave"`
	Third    map[string]float64 `json:"third"`
	AlphaP   [6]*Hundredths     `json:"alpha_p"` // 125 Hz to 4000 Hz
	AlphaW   *Hundredths        `json:"alpha_w"`
	Shape    string             `json:"shape"`
	NRC      *Hundredths        `json:"nrc"`
	SAA      *Hundredths        `json:"saa"`
	Class    string             `json:"class"`
	Averages map[string]float64 `json:"averages"` // OctaveAverages
}

func TestTheTableOfRatingsIsWhatRateGives(t *testing.T) {
	const path = "testdata/rated.json"
	text := append([]byte("["), '\n')
	for i, c := range curvesToRate(t) {
		row, err := json.Marshal(ratedOf(t, c.octave, c.third))
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			text = append(text, ",\n"...)
		}
		text = append(text, row...)
	}
	text = append(text, "\n]\n"...)
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Errorf("%s is not what Rate gives; -update writes it anew", path)
	}
}

type bands struct{ octave, third map[string]float64 }

// curvesToRate returns the bands of the published vectors, values that are hard to round, and random curves.
func curvesToRate(t *testing.T) (list []bands) {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		list = append(list, bands{v.Octave, v.ThirdOctave}, bands{v.AlphaP, nil})
	}
	list = append(list,
		bands{nil, nil},
		bands{map[string]float64{}, map[string]float64{}},
		// a mean half-way between two steps
		bands{map[string]float64{"250": 0.12, "500": 0.35, "1000": 0.45, "2000": 0.38}, nil},
		bands{map[string]float64{"125": 0.325, "250": 1.0249999999999999, "500": 0.925, "1000": 0.0749999,
			"2000": 0.30000000000000004, "4000": 1e-18}, nil},
		bands{map[string]float64{"125": -0.025, "250": -1e-300, "500": -0.1, "1000": 7, "2000": 7.1, "4000": 2}, nil},
		bands{map[string]float64{"125": 1e-7, "250": 0.0001, "500": 0.9249999999999999, "1000": -7, "2000": 0.15,
			"4000": 0.85}, nil},
	)
	chance := rand.New(rand.NewPCG(11654, 423))
	for n := range 120 {
		decimals := []float64{20, 100, 1000}[n%3]
		curve := func(centres []int, missing float64) map[string]float64 {
			c, at := map[string]float64{}, chance.Float64()
			for _, hz := range centres {
				at = min(max(at+(chance.Float64()-0.42)*0.3, -0.05), 1.3)
				if chance.Float64() >= missing {
					c[strconv.Itoa(hz)] = float64(int(at*decimals)) / decimals
				}
			}
			return c
		}
		var b bands
		if n%2 == 0 {
			b.third = curve(ThirdBands, []float64{0, 0.02}[n/2%2])
		}
		if n%4 != 0 {
			b.octave = curve(OctaveBands, 0.02)
		}
		list = append(list, b)
	}
	return list
}

func ratedOf(t *testing.T, octave, third map[string]float64) ratedRow {
	t.Helper()
	r := Rate(curveOf(t, octave), curveOf(t, third))
	row := ratedRow{Octave: octave, Third: third, AlphaW: r.AlphaW, Shape: r.Shape, NRC: r.NRC, SAA: r.SAA,
		Averages: map[string]float64{}}
	for i, hz := range practicalBands {
		if v, ok := r.AlphaP.At(hz); ok {
			row.AlphaP[i] = new(Hundredths(v*100 + 0.5))
		}
	}
	if r.AlphaW != nil {
		row.Class = Class(*r.AlphaW)
	}
	for _, p := range OctaveAverages(curveOf(t, third)) {
		row.Averages[strconv.Itoa(p.BandHz)] = p.Value
	}
	return row
}

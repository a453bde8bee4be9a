package serve

import (
	"errors"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"sabine/runtime"
)

func TestCoefficientsAreReadExactly(t *testing.T) {
	zeros := strings.Repeat("0", 5000)
	for text, want := range map[string]int{
		"0": 0, "-0": 0, "0.0": 0, "-0.000": 0, "0e999999999999999999999": 0, "0.8": 800, "0.80": 800, "0.8000": 800,
		"8e-1": 800, "80E-2": 800, "0.08e1": 800, "0.08e+1": 800,
		"0.001": 1, "1e-3": 1, "1.000": 1000, "2": 2000, "2.000": 2000, "0.2e1": 2000, "0.1e1": 1000, "-0.1": -100,
		"-0.10": -100, "-1e-1": -100, "-0.099": -99, "1.005": 1005, "0.285": 285,
		"0." + zeros + "1e5001": 1000, "1" + zeros + "e-5000": 1000, "1." + zeros: 1000,
	} {
		if got, err := parseThousandths(text); err != nil || got != want {
			t.Errorf("%.40s: got %d, %v, want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]error{
		"": errNoValue, "+1": errNoValue, ".5": errNoValue, "1.": errNoValue, "01": errNoValue, "-": errNoValue,
		"1e": errNoValue, "0x1p-1": errNoValue, "NaN": errNoValue, "1:2": errNoValue, " 1": errNoValue, "1_0": errNoValue,
		"2.001": errValue, "-0.101": errValue, "-1": errValue, "3": errValue, "10": errValue, "1e400": errValue,
		"-1e400": errValue, "1e99999999999999999999999": errValue, "1" + zeros: errValue,
		"0.0005": errDecimals, "1.0005": errDecimals, "0.8505": errDecimals, "5e-4": errDecimals, "1e-400": errDecimals,
		"1e-99999999999999999999999": errDecimals, "0." + zeros + "1": errDecimals,
		"0.80000000000000000000001": errDecimals, "1.9999": errDecimals, "-0.0999": errDecimals,
	} {
		if got, err := parseThousandths(text); !errors.Is(err, want) {
			t.Errorf("%.40s: got %d, %v, want %v", text, got, err, want)
		}
	}
}

// FuzzCoefficients compares lists of bands with exact arithmetic.
func FuzzCoefficients(f *testing.F) {
	for _, seed := range []string{
		"125:0.8,250:0.6", "125:0.8,125:0.8", "300:0.5", "63:2.0,8000:-1e-1", "125:0,8", "125:1e400", "125:0.0005",
		" 500:1 ,,1000:0.25", "99999999999999999999:1", "0125:1", "630:0.4", "125::", ":", "125:-0",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, list string, thirds bool) {
		of := octaves
		if thirds {
			of = octavesAndThirds
		}
		p := params{pairs: []pair{{"absorption_min", list}}}
		bounds := p.coefficients("absorption_min", of)
		items := p.items("absorption_min")
		if len(p.faults) > 0 {
			if bounds != nil || !strings.HasPrefix(p.faults[0], `absorption_min: "`) {
				t.Errorf("%q: got %v and the fault %s", list, bounds, p.faults[0])
			}
			return
		}
		if len(bounds) != len(items) {
			t.Fatalf("%q: got %v of %q", list, bounds, items)
		}
		asked := map[int]*big.Rat{}
		for _, item := range items {
			band, value, _ := strings.Cut(item, ":")
			r, ok := new(big.Rat), true
			if f, _ := strconv.ParseFloat(value, 64); f != 0 { // big would compute 0e999999 digit by digit
				r, ok = r.SetString(value)
			}
			if !ok {
				t.Fatalf("%q: %s is no number", list, value)
			}
			hz, ok := new(big.Int).SetString(band, 10)
			if !ok {
				t.Fatalf("%q: %s is no band", list, band)
			}
			asked[int(hz.Int64())] = r
		}
		last := runtime.Bound{}
		for _, b := range bounds {
			if want := asked[b.BandHz]; want == nil || want.Cmp(big.NewRat(int64(b.Thousandths), thousandthsPerUnit)) != 0 {
				t.Errorf("%q: got %v, want %v", list, b, want)
			}
			if b.BandHz <= last.BandHz || b.Thousandths < minCoefficient || b.Thousandths > maxCoefficient {
				t.Errorf("%q: got %v", list, bounds)
			}
			last = b
		}
	})
}

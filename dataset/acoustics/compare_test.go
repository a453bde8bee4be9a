package acoustics

import "testing"

func TestComparePractical(t *testing.T) {
	curve := func(values ...float64) (c Curve) {
		for i, v := range values {
			c = append(c, Point{BandHz: OctaveBands[i+1], Value: v})
		}
		return c
	}
	ordered := []struct {
		rule string
		of   Curve
	}{
		{"a curve without alpha_w is the first", curve(0.9)},
		{"the lower alpha_w", curve(0.9, 0.3, 0.3, 0.3, 0.3)},
		{"the lower sum with the same alpha_w", curve(0.1, 0.8, 0.8, 0.8, 0.8)},
		{"the lower value in the first different band with the same sum", curve(0.2, 0.8, 0.9, 0.8, 0.8)},
		{"the highest", curve(0.3, 0.8, 0.8, 0.8, 0.8)},
	}
	for i := range ordered {
		for j := range ordered {
			if got := ComparePractical(ordered[i].of, ordered[j].of); got != sign(i-j) {
				t.Errorf("%s, compared with %s: got %d", ordered[i].rule, ordered[j].rule, got)
			}
		}
	}
}

func sign(n int) int { return min(max(n, -1), 1) }

func TestCurvesContradict(t *testing.T) {
	third := Curve{{100, 0.2}, {125, 0.3}, {160, 0.4}}
	for _, test := range []struct {
		rule   string
		octave Curve
		want   bool
	}{
		{"the mean itself", Curve{{125, 0.3}}, false},
		{"the mean rounded to 0.05, as practical coefficients are", Curve{{125, 0.35}}, false},
		{"far from the mean", Curve{{125, 0.45}}, true},
		{"a band whose third octaves are missing", Curve{{250, 0.9}}, false},
		{"no octaves", nil, false},
	} {
		if got := CurvesContradict(test.octave, third); got != test.want {
			t.Errorf("%s: got %v", test.rule, got)
		}
	}
}

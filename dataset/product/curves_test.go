package product

import (
	"testing"

	"sabine/dataset/acoustics"
)

func TestCurve(t *testing.T) {
	octave := acoustics.Curve{{BandHz: 500, Value: 0.5}}
	var a Absorption
	var s Scatter
	var d Diffusion
	for _, of := range []struct {
		entry interface {
			Curve(name string) *acoustics.Curve
		}
		names []string
	}{
		{&a, []string{"alpha_s_octave", "alpha_s_third_octave"}},
		{&s, []string{"scatter_octave", "scatter_third_octave"}},
		{&d, []string{"diffusion_octave", "normalized_directional_diffusion_third_octave"}},
	} {
		for _, name := range of.names {
			*of.entry.Curve(name) = octave
		}
		if of.entry.Curve("label") != nil || of.entry.Curve("") != nil {
			t.Errorf("%T: got a frequency map for an unknown name", of.entry)
		}
	}
	if a.AlphaSThirdOctave == nil || s.ScatterOctave == nil || d.DiffusionOctave == nil ||
		d.NormalizedDirectionalDiffusionThirdOctave == nil || d.DiffusionThirdOctave != nil {
		t.Errorf("got %v, %v and %v", a, s, d)
	}
}

func TestEntryID(t *testing.T) {
	for _, test := range []struct {
		mounting       string
		thickness, gap *float64
		want           string
	}{
		{"E-400", new(40.0), new(200.0), "abs-e-400-t40-g200"},
		{" Typ A (Ö/2) ", nil, new(0.0), "abs-typ-a-ö-2-g0"},
		{"", new(12.5), nil, "abs-t12.5"},
		{"", nil, nil, "abs"},
	} {
		if got := ISO354.EntryID(test.mounting, test.thickness, test.gap); got != test.want {
			t.Errorf("%q: got %q, want %q", test.mounting, got, test.want)
		}
	}
}

package acoustics

import (
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// loudest returns the band with the largest value.
func loudest(c Curve) int {
	return slices.MaxFunc(c, func(a, b Point) int { return int(1000*a.Value) - int(1000*b.Value) }).BandHz
}

// level returns the value of a curve in a band. It fails if the band is missing.
func level(t *testing.T, c Curve, bandHz int) float64 {
	t.Helper()
	v, ok := c.At(bandHz)
	if !ok {
		t.Fatalf("%v has no %d Hz", c, bandHz)
	}
	return v
}

func TestBandsHaveExactCentres(t *testing.T) {
	for nominal, want := range map[int]float64{100: 100, 125: 125.89, 315: 316.23, 1000: 1000, 1250: 1258.93,
		8000: 7943.28} {
		if got := exactHz(nominal); math.Abs(got-want) > 0.01 {
			t.Errorf("exactHz(%d) = %.2f, want %.2f", nominal, got, want)
		}
	}
}

func TestOctaveAverages(t *testing.T) {
	third := Curve{{100, 0.1}, {125, 0.2}, {160, 0.31}, {200, 0.5}, {250, 0.5}}
	if got, want := OctaveAverages(third), (Curve{{125, 0.2}}); !slices.Equal(got, want) {
		t.Errorf("OctaveAverages(%v) = %v, want %v: an octave needs its three thirds", third, got, want)
	}
}

func TestPorousLayerOnAWallIsMikisFormula(t *testing.T) {
	layer := Porous{ThicknessMM: 50, FlowResistivity: 10_000}
	for _, hz := range []float64{125, 500, 2000} {
		x := math.Pow(hz/10_000, -0.632)
		impedance := complex(413.2128*(1+0.070*x), -413.2128*0.107*x)
		y := math.Pow(hz/10_000, -0.618)
		wavenumber := complex(2*math.Pi*hz/343.2, 0) * complex(1+0.109*y, -0.160*y)
		want := -1i * impedance * cmplx.Cot(wavenumber*0.05)

		z, k := layer.wave(hz)
		got := 1 / admittance([]slab{{k * k, 1 / (k * z), complex(layer.depth(), 0)}}, 0)
		if cmplx.Abs(got-want) > 1e-6*cmplx.Abs(want) {
			t.Errorf("%v Hz, normal incidence: surface impedance %v, want %v", hz, got, want)
		}
	}
}

func TestConstructionsAbsorbAsTheyShould(t *testing.T) {
	wool := func(mm float64) Layer { return Porous{mm, 10_000} }
	open := func(layers ...Layer) Curve { return (&Construction{Layers: layers}).Absorption(StandardThirds) }
	behind := func(f Facing, layers ...Layer) Curve { return (&Construction{f, layers}).Absorption(StandardThirds) }
	tests := []struct {
		rule string
		ok   bool
	}{
		{"air in front of a wall absorbs nothing", level(t, open(Air{100}), 500) == 0},
		{"a thicker layer absorbs lower sounds", level(t, open(wool(100)), 250) > level(t, open(wool(50)), 250)+0.1},
		{"so does an air gap", level(t, open(wool(50), Air{200}), 250) > level(t, open(wool(50)), 250)+0.1},
		{"a thick layer absorbs most of the high sounds", level(t, open(wool(100)), 4000) > 0.9},
		{"two adjacent layers are equal to a thick layer", slices.Equal(open(wool(20), wool(30)), open(wool(50)))},
		{"a membrane of 5 kg/m² on 100 mm resonates near 85 Hz", loudest(behind(Membrane{5, 300}, wool(50), Air{50})) == 100},
		{"a lighter membrane resonates at a higher frequency", loudest(behind(Membrane{1, 300}, wool(50), Air{50})) > 125},
		{"a perforated board has its peak in the middle", loudest(behind(Perforated{12.5, 8, 0.12, 40}, Air{200})) == 400},
		{"less open area lowers the peak", loudest(behind(Perforated{12.5, 8, 0.04, 15}, Air{200})) < 400},
		{"micro-perforation needs no fleece", slices.MaxFunc(behind(Perforated{0.5, 0.3, 0.01, 0}, Air{50}),
			func(a, b Point) int {
				return int(100*a.Value) - int(100*b.Value)
			}).Value > 0.6},
	}
	for _, test := range tests {
		if !test.ok {
			t.Error("violated: " + test.rule)
		}
	}
}

func TestEdgesAddMostAtMiddleFrequencies(t *testing.T) {
	got := WithEdges(Curve{{125, 0.5}, {400, 0.9}, {1000, 0.9}, {4000, 0.9}}, 2)
	if want := (Curve{{125, 0.53}, {400, 1.08}, {1000, 0.98}, {4000, 0.92}}); !slices.Equal(got, want) {
		t.Errorf("WithEdges = %v, want %v", got, want)
	}
	if got := WithEdges(Curve{{500, 1}}, 10); got[0].Value != 1.5 {
		t.Errorf("WithEdges of a very small specimen = %v, want 1.5", got)
	}
}

func TestAbsorptionIsBetween0And1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mm := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
		c := Construction{Layers: []Layer{Porous{mm("layer", 1, 400), mm("resistivity", 500, 300_000)},
			Air{mm("gap", 0.1, 1000)}}}
		switch rapid.IntRange(0, 2).Draw(t, "facing") {
		case 1:
			c.Facing = Perforated{mm("sheet", 0.1, 50), mm("hole", 0.05, 20), mm("open", 0.001, 0.5), mm("fleece", 0, 500)}
		case 2:
			c.Facing = Membrane{mm("mass", 0.1, 30), mm("losses", 0, 2000)}
		}
		for _, p := range c.Absorption(ThirdBands) {
			if !(p.Value >= 0 && p.Value <= 1) {
				t.Fatalf("%+v: %v at %d Hz", c, p.Value, p.BandHz)
			}
		}
	})
}

func TestDiffusersScatterAsTheyShould(t *testing.T) {
	qrd := QRD{Prime: 7, WellWidthMM: 60, DesignHz: 500}
	if depth := qrd.DepthMM(); math.Abs(depth-196.1) > 0.1 { // residue 4 of 7: 4/14 of the wavelength of 686.4 mm
		t.Errorf("deepest well of %+v: %.1f mm, want 196.1", qrd, depth)
	}
	scattered := Scatter(qrd, 2, StandardThirds)
	flat := Scatter(Polycylinder{ChordMM: 600, RiseMM: 0.01}, 2, StandardThirds)
	shallow := Scatter(Polycylinder{ChordMM: 600, RiseMM: 50}, 2, StandardThirds)
	round := Scatter(Polycylinder{ChordMM: 600, RiseMM: 300}, 2, StandardThirds)
	tests := []struct {
		rule string
		ok   bool
	}{
		{"far below its design frequency a QRD is flat", level(t, scattered.Scatter, 100) < 0.05},
		{"above it, it scatters", level(t, scattered.Scatter, 1000) > 0.5},
		{"and spreads better than a flat surface", level(t, scattered.NormalizedDirectional, 1000) > 0.3},
		{"a flat surface scatters nothing", level(t, flat.Scatter, 1000) == 0 && level(t, flat.NormalizedDiffusion,
			1000) == 0},
		{"a higher rise scatters lower sounds", level(t, round.Scatter, 800) > level(t, shallow.Scatter, 800)+0.2},
	}
	for _, test := range tests {
		if !test.ok {
			t.Error("violated: " + test.rule)
		}
	}
	for _, c := range []Curve{scattered.Scatter, scattered.Directional, scattered.NormalizedDirectional,
		scattered.Diffusion, round.NormalizedDiffusion} {
		if len(c) != len(StandardThirds) {
			t.Errorf("%d bands, want %d", len(c), len(StandardThirds))
		}
		for _, p := range c {
			if !(p.Value >= 0 && p.Value <= 1) {
				t.Errorf("coefficient %v at %d Hz, want 0 to 1", p.Value, p.BandHz)
			}
		}
	}
}

func TestAutocorrelationIsThatOfTheStandard(t *testing.T) {
	if got := autocorrelation([]complex128{1, 1i, -1, -1i}); math.Abs(got-1) > 1e-12 {
		t.Errorf("the same energy everywhere: %v, want 1", got)
	}
	if got := autocorrelation([]complex128{0, 3, 0, 0}); got != 0 {
		t.Errorf("all energy at one receiver: %v, want 0", got)
	}
}

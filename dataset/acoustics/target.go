package acoustics

import (
	"math"
	"slices"
)

// A Target is the target of a room: a reverberation time, or a ratio A/V of absorption area to volume. The
// zero value is no target.
type Target struct {
	Seconds  float64 // reverberation time; 0 if the target is PerM
	DIN18041 bool    // whether Seconds is from DIN 18041, which covers all RoomBands and not only 250 Hz to 2000 Hz
	PerM     float64 // minimum A/V in 1/m at 250 Hz to 2000 Hz, without air
	Empty    bool    // whether the target applies to the room without people
}

// A Verdict is the result of comparing a room with its target in a band. It is "" in a band that the target
// does not cover.
type Verdict string

// The verdicts. Long means too little absorption, even for a target of A/V.
const (
	Within Verdict = "within"
	Long   Verdict = "long"
	Short  Verdict = "short"
)

// isMidBand reports whether a band is in the range from 250 Hz to 2000 Hz, which all targets cover.
func isMidBand(bandHz int) bool { return 250 <= bandHz && bandHz <= 2000 }

// Tolerance returns the tolerance of a reverberation time in a band of RoomBands, as ratios to the target.
// judged is false if the target does not cover the band.
func (t Target) Tolerance(bandHz int) (low, high float64, judged bool) {
	low, high = DIN18041Tolerance(bandHz)
	return low, high, t.DIN18041 || isMidBand(bandHz)
}

// Absorption returns the absorption area in a band in m², as defined by the target: for A/V, it excludes the
// air.
func (t Target) Absorption(b *Reverberation) float64 {
	if t.PerM > 0 {
		return b.SurfacesM2 + b.ObjectsM2
	}
	return b.SurfacesM2 + b.ObjectsM2 + b.AirM2
}

// AbsorptionFor returns Absorption in the bands that the target can cover: for A/V, only 250 Hz to 2000 Hz.
func (r *Room) AbsorptionFor(t Target) []Reverberation {
	bands := r.Absorption()
	if t.PerM > 0 {
		bands = slices.DeleteFunc(bands, func(b Reverberation) bool { return !isMidBand(b.BandHz) })
	}
	return bands
}

// PerM returns A/V in a band in 1/m, without air. It returns NaN for a room without surfaces.
func (r *Room) PerM(b *Reverberation) float64 {
	if len(r.Surfaces) == 0 {
		return math.NaN()
	}
	return (b.SurfacesM2 + b.ObjectsM2) / r.VolumeM3
}

// Judge returns the verdict on a band of a room by Sabine's formula. It returns "" for a room without
// surfaces, without a target, and in a band that the target does not cover.
func (r *Room) Judge(t Target, b *Reverberation) Verdict {
	if len(r.Surfaces) == 0 || t == (Target{}) {
		return ""
	}
	return r.verdict(t, b.BandHz, t.Absorption(b))
}

// verdict returns the verdict on an absorption area in m². The limits have some slack for rounding errors, so
// that 30 m² with a coefficient of 0.5 in 100 m³ reaches an A/V of 0.15.
func (r *Room) verdict(t Target, bandHz int, absorptionM2 float64) Verdict {
	low, high, judged := t.Tolerance(bandHz)
	if !judged {
		return ""
	}
	lower, upper := t.PerM*r.VolumeM3, math.Inf(1) // absorption areas in m²; more is never too much for A/V
	if t.PerM == 0 {
		area := r.sabineConstant() * r.VolumeM3 / t.Seconds
		lower, upper = area/high, area/low
	}
	const slack = 1e-12
	switch {
	case absorptionM2 < lower*(1-slack):
		return Long
	case absorptionM2 > upper*(1+slack):
		return Short
	}
	return Within
}

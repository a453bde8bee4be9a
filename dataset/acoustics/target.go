package acoustics

import (
	"math"
	"slices"
)

// A Target is what a room is to reach: a reverberation time, or an absorption area for its volume. The zero
// value is none.
type Target struct {
	Seconds  float64 // reverberation time; 0: PerM counts
	DIN18041 bool    // Seconds is of DIN 18041, which judges all of RoomBands; else 250 Hz to 2000 Hz are judged
	PerM     float64 // the least A/V in 1/m at 250 Hz to 2000 Hz, without air
	Empty    bool    // it is of the room without people
}

// A Verdict says how a room stands to its target in a band: "" where the target does not judge.
type Verdict string

// The verdicts. Too little absorption is Long, for a target of A/V too.
const (
	Within Verdict = "within"
	Long   Verdict = "long"
	Short  Verdict = "short"
)

// inMiddle reports whether a band of RoomBands is 250 Hz to 2000 Hz, which every target judges.
func inMiddle(bandHz int) bool { return 250 <= bandHz && bandHz <= 2000 }

// Tolerance returns how far a reverberation time in a band of RoomBands may lie from the target, as ratios to
// it. judged is false in a band that the target does not judge.
func (t Target) Tolerance(bandHz int) (low, high float64, judged bool) {
	low, high = DIN18041Tolerance(bandHz)
	return low, high, t.DIN18041 || inMiddle(bandHz)
}

// Absorption returns the absorption area that counts for a target in a band, in m². The air does not count for
// A/V.
func (t Target) Absorption(b *Reverberation) float64 {
	if t.PerM > 0 {
		return b.SurfacesM2 + b.ObjectsM2
	}
	return b.SurfacesM2 + b.ObjectsM2 + b.AirM2
}

// AbsorptionFor is Absorption in the bands that a target is for: 250 Hz to 2000 Hz for A/V, else all.
func (r *Room) AbsorptionFor(t Target) []Reverberation {
	bands := r.Absorption()
	if t.PerM > 0 {
		bands = slices.DeleteFunc(bands, func(b Reverberation) bool { return !inMiddle(b.BandHz) })
	}
	return bands
}

// PerM returns A/V in a band in 1/m, without air; NaN for a room without surfaces.
func (r *Room) PerM(b *Reverberation) float64 {
	if len(r.Surfaces) == 0 {
		return math.NaN()
	}
	return (b.SurfacesM2 + b.ObjectsM2) / r.VolumeM3
}

// Judge returns the verdict on a band of a room, by Sabine. A room without surfaces has none.
func (r *Room) Judge(t Target, b *Reverberation) Verdict {
	if len(r.Surfaces) == 0 || t == (Target{}) {
		return ""
	}
	return r.verdict(t, b.BandHz, t.Absorption(b))
}

// verdict judges an absorption area in m². The limits have some slack for sums in floating point: 30 m² of 0.5 in
// 100 m³ are an A/V of 0.15.
func (r *Room) verdict(t Target, bandHz int, absorptionM2 float64) Verdict {
	low, high, judged := t.Tolerance(bandHz)
	if !judged {
		return ""
	}
	least, most := t.PerM*r.VolumeM3, math.Inf(1)
	if t.PerM == 0 {
		area := r.constant() * r.VolumeM3 / t.Seconds
		least, most = area/high, area/low
	}
	const slack = 1e-12
	switch {
	case absorptionM2 < least*(1-slack):
		return Long
	case absorptionM2 > most*(1+slack):
		return Short
	}
	return Within
}

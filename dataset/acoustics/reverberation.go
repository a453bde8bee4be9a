package acoustics

import (
	"fmt"
	"math"
)

// RoomBands are the octaves that rooms are computed in, 125 Hz to 4000 Hz.
var RoomBands = practicalBands

// MaxSurfaces is how many surfaces a room may have.
const MaxSurfaces = 32

// Rounded returns a number with three decimals, as answers show what is computed. Beyond some 10^12 a float64
// has few more, and far beyond it the product has no end.
func Rounded(v float64) float64 {
	const perUnit = 1000
	if math.Abs(v) >= 1<<40 {
		return v
	}
	return math.Round(v*perUnit) / perUnit
}

// AbsorptionAreas are equivalent absorption areas in m² in RoomBands.
type AbsorptionAreas [6]float64

// Coefficients are absorption coefficients in RoomBands, as published: over 1 where edges diffract sound onto
// a specimen. One below 0, an uncertainty of its measurement, absorbs nothing.
type Coefficients [6]float64

// RoomCoefficients returns the coefficients of a measurement, see OctaveCoefficient. missingHz is the first
// band that has neither, 0 when there is none.
func RoomCoefficients(octave, third Curve) (c Coefficients, missingHz int) {
	for i, hz := range RoomBands {
		var ok bool
		if c[i], ok = OctaveCoefficient(octave, third, hz); !ok {
			return c, hz
		}
	}
	return c, 0
}

// A Surface is a part of what bounds a room or stands in it.
type Surface struct {
	AreaM2       float64 // above 0
	Coefficients Coefficients
}

// Absorption returns the equivalent absorption area in a band of RoomBands, by its index, in m².
func (s *Surface) Absorption(band int) float64 { return s.AreaM2 * max(s.Coefficients[band], 0) }

// Objects are pieces of one kind that stand in a room: people, chairs. They add to what a room absorbs and not
// to its surface.
type Objects struct {
	Count  int
	EachM2 AbsorptionAreas
}

// Absorption returns the equivalent absorption area in a band of RoomBands, by its index, in m².
func (o *Objects) Absorption(band int) float64 { return float64(o.Count) * o.EachM2[band] }

// A Room is what its reverberation time depends on.
type Room struct {
	VolumeM3 float64 // above 0
	Surfaces []Surface
	Objects  []Objects
	Air      *Climate // nil: air that absorbs nothing, as warm as RoomClimate
}

// A Reverberation is what is computed of a room in one band.
type Reverberation struct {
	BandHz int
	// Sabine and Eyring are reverberation times in s, +Inf when nothing absorbs, NaN for a room without surfaces.
	Sabine, Eyring float64
	AirM2          float64 // what the air absorbs, 4mV
	SurfacesM2     float64 // what the surfaces absorb
	ObjectsM2      float64 // what the objects absorb
}

// TooAbsorptive is the error of a room for which Eyring's formula gives no time: the surfaces absorb in a
// band as much as openings of their size, or more. It occurs with coefficients over 1.
type TooAbsorptive struct {
	BandHz int
	Mean   float64 // coefficient
}

func (e *TooAbsorptive) Error() string {
	return fmt.Sprintf("the mean coefficient of all surfaces at %d Hz is %.3f; Eyring's formula needs less than 1",
		e.BandHz, e.Mean)
}

// one is a mean coefficient that counts as 1: sums of products of 32 surfaces are that exact.
const one = 1 - 1e-12

// Absorption computes what a room absorbs in RoomBands, without its times.
func (r *Room) Absorption() []Reverberation {
	bands := make([]Reverberation, 0, len(RoomBands))
	for i, hz := range RoomBands {
		b := Reverberation{BandHz: hz}
		for j := range r.Surfaces {
			b.SurfacesM2 += r.Surfaces[j].Absorption(i)
		}
		for j := range r.Objects {
			b.ObjectsM2 += r.Objects[j].Absorption(i)
		}
		if r.Air != nil {
			b.AirM2 = 4 * r.Air.EnergyAttenuation(hz) * r.VolumeM3
		}
		bands = append(bands, b)
	}
	return bands
}

// Reverberation computes the reverberation times of a room in RoomBands: after Sabine T = k V / (A + 4mV),
// after Eyring with -S ln(1 - A/S) in place of what the surfaces add to A, S being their area (H. Kuttruff,
// Room Acoustics, chapter 5). The error is a *TooAbsorptive.
func (r *Room) Reverberation() ([]Reverberation, error) {
	bands, total := r.Absorption(), r.SurfaceM2()
	for i := range bands {
		b := &bands[i]
		mean := b.SurfacesM2 / total // NaN without surfaces
		if mean >= one {
			return nil, &TooAbsorptive{b.BandHz, mean}
		}
		b.Eyring = r.constant() * r.VolumeM3 / (-total*math.Log1p(-mean) + b.ObjectsM2 + b.AirM2)
		if b.Sabine = r.sabine(b.SurfacesM2 + b.ObjectsM2 + b.AirM2); len(r.Surfaces) == 0 {
			b.Sabine = math.NaN()
		}
	}
	return bands, nil
}

// SurfaceM2 returns the area of all surfaces.
func (r *Room) SurfaceM2() (total float64) {
	for i := range r.Surfaces {
		total += r.Surfaces[i].AreaM2
	}
	return total
}

// sabine returns the reverberation time after Sabine for an absorption area in m², in s.
func (r *Room) sabine(absorptionM2 float64) float64 { return r.constant() * r.VolumeM3 / absorptionM2 }

// constant returns k of Sabine's formula in s/m, 24 ln 10 / c: 0.161 at 20 °C.
func (r *Room) constant() float64 {
	climate := RoomClimate
	if r.Air != nil {
		climate = *r.Air
	}
	return 24 * math.Ln10 / climate.SpeedOfSound()
}

// Missing returns the equivalent absorption area in m² that a room lacks in a band for a reverberation time
// after Sabine in s: k V/T - A - 4mV, below 0 when it has more than enough.
func (r *Room) Missing(b *Reverberation, seconds float64) float64 {
	return r.constant()*r.VolumeM3/seconds - b.SurfacesM2 - b.ObjectsM2 - b.AirM2
}

package acoustics

import (
	"fmt"
	"math"
)

// RoomBands are the octaves of room computations: 125 Hz to 4000 Hz.
var RoomBands = practicalBands

// MaxSurfaces is the maximum number of surfaces in a room.
const MaxSurfaces = 32

// Rounded rounds a computed number to three decimals for a response. It does not change numbers over about
// 10^12: a float64 of this size has few more decimals, and for much larger numbers the multiplication
// overflows.
func Rounded(v float64) float64 {
	const perUnit = 1000
	if math.Abs(v) >= 1<<40 {
		return v
	}
	return math.Round(v*perUnit) / perUnit
}

// AbsorptionAreas are equivalent absorption areas in m² in RoomBands.
type AbsorptionAreas [6]float64

// Coefficients are published absorption coefficients in RoomBands. They can exceed 1 because of the edge
// effect. A negative coefficient is due to the uncertainty of the measurement and counts as 0.
type Coefficients [6]float64

// RoomCoefficients returns the coefficients of a measurement (see OctaveCoefficient). missingHz is the first
// band without a coefficient, or 0 if no band is missing. c is complete only if no band is missing.
func RoomCoefficients(octave, third Curve) (c Coefficients, missingHz int) {
	for i, hz := range RoomBands {
		var ok bool
		if c[i], ok = OctaveCoefficient(octave, third, hz); !ok {
			return c, hz
		}
	}
	return c, 0
}

// A Surface is a surface of a room or in a room.
type Surface struct {
	AreaM2       float64 // greater than 0
	Coefficients Coefficients
}

// Absorption returns the equivalent absorption area in m². band is an index of RoomBands.
func (s *Surface) Absorption(band int) float64 { return s.AreaM2 * max(s.Coefficients[band], 0) }

// Objects are people or chairs of the same kind in a room. They add to the absorption of the room, but not to
// its surface area.
type Objects struct {
	Count  int
	EachM2 AbsorptionAreas
}

// Absorption returns the equivalent absorption area in m². band is an index of RoomBands.
func (o *Objects) Absorption(band int) float64 { return float64(o.Count) * o.EachM2[band] }

// A Room contains the properties on which the reverberation time depends.
type Room struct {
	VolumeM3 float64 // greater than 0
	Surfaces []Surface
	Objects  []Objects
	Air      *Climate // nil for air without absorption at the temperature of RoomClimate
}

// A Reverberation is the result for a room in a band.
type Reverberation struct {
	BandHz int
	// Sabine and Eyring are reverberation times in s. They are +Inf without absorption and NaN without
	// surfaces.
	Sabine, Eyring float64
	AirM2          float64 // absorption area of the air, 4mV
	SurfacesM2     float64 // absorption area of the surfaces
	ObjectsM2      float64 // absorption area of the objects
}

// TooAbsorptive is returned if Eyring's formula has no solution because the mean coefficient of the surfaces
// is 1 or more. This is possible because coefficients can exceed 1.
type TooAbsorptive struct {
	BandHz int
	Mean   float64 // mean coefficient
}

func (e *TooAbsorptive) Error() string {
	return fmt.Sprintf("the mean coefficient of all surfaces at %d Hz is %.3f; Eyring's formula requires less than 1",
		e.BandHz, e.Mean)
}

// nearOne is the limit from which a mean coefficient counts as 1. It covers the error in sums over 32
// surfaces.
const nearOne = 1 - 1e-12

// Absorption computes the absorption areas of a room in RoomBands, without reverberation times.
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

// Reverberation computes the reverberation times of a room in RoomBands. Sabine's formula is T = k V / (A +
// 4mV). Eyring's formula replaces the absorption area A of the surfaces with -S ln(1 - A/S), where S is their
// area (H. Kuttruff, Room Acoustics, chapter 5). The error is a *TooAbsorptive.
func (r *Room) Reverberation() ([]Reverberation, error) {
	bands, total := r.Absorption(), r.SurfaceM2()
	for i := range bands {
		b := &bands[i]
		mean := b.SurfacesM2 / total // NaN without surfaces
		if mean >= nearOne {
			return nil, &TooAbsorptive{b.BandHz, mean}
		}
		b.Eyring = r.sabineConstant() * r.VolumeM3 / (-total*math.Log1p(-mean) + b.ObjectsM2 + b.AirM2)
		if b.Sabine = r.sabine(b.SurfacesM2 + b.ObjectsM2 + b.AirM2); len(r.Surfaces) == 0 {
			b.Sabine = math.NaN()
		}
	}
	return bands, nil
}

// SurfaceM2 returns the total area of the surfaces.
func (r *Room) SurfaceM2() (total float64) {
	for i := range r.Surfaces {
		total += r.Surfaces[i].AreaM2
	}
	return total
}

// sabine returns the reverberation time in s for an absorption area in m², by Sabine's formula.
func (r *Room) sabine(absorptionM2 float64) float64 {
	return r.sabineConstant() * r.VolumeM3 / absorptionM2
}

// sabineConstant returns k of Sabine's formula in s/m: 24 ln 10 / c, which is 0.161 s/m at 20 °C.
func (r *Room) sabineConstant() float64 {
	climate := RoomClimate
	if r.Air != nil {
		climate = *r.Air
	}
	return 24 * math.Ln10 / climate.SpeedOfSound()
}

// Missing returns the equivalent absorption area in m² that a room lacks in a band for a reverberation time
// in s, by Sabine's formula: k V/T - A - 4mV. It is negative if the room has more absorption than needed.
func (r *Room) Missing(b *Reverberation, seconds float64) float64 {
	return r.sabineConstant()*r.VolumeM3/seconds - b.SurfacesM2 - b.ObjectsM2 - b.AirM2
}

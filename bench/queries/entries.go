package queries

import (
	"math"
	"unique"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// An Entry is a tested set-up of a product. A text that the record lacks is "".
type Entry struct {
	Levels     [8]int16 // in octaves from 63 to 8000 Hz, in thirds of a thousandth; NoLevel: none
	DepthMM    float64  // thickness and air gap together; NaN: not known
	Mounting   string
	SourceKind string
}

// NoLevel stands where an entry has no value.
const NoLevel = math.MinInt16

// EntriesOf returns the entries of a record after ISO 354, and those after ISO 17497-1. The declared curve of
// a product that has no other is an entry.
func EntriesOf(r *product.Product) (absorption, scattering []Entry) {
	for _, a := range r.Measurements.Absorption {
		e := entryOf(a.AlphaSOctave, a.AlphaSThirdOctave)
		e.SourceKind = unique.Make(a.SourceKind).Value() // products share what few values there are
		if a.Mounting != nil {
			e.Mounting = unique.Make(acoustics.Mounting(*a.Mounting)).Value()
		}
		if depth, ok := acoustics.Depth(e.Mounting, a.ThicknessMM, a.AirGapMM); ok {
			e.DepthMM = depth
		}
		absorption = append(absorption, e)
	}
	if r.DeclaredOctave {
		absorption = append(absorption, entryOf(r.AbsorptionOctave, nil))
	}
	for _, s := range r.Measurements.Scatter {
		scattering = append(scattering, entryOf(s.ScatterOctave, s.ScatterThirdOctave))
	}
	return absorption, scattering
}

func entryOf(octave, third acoustics.Curve) Entry {
	e := Entry{DepthMM: math.NaN()}
	for i, hz := range acoustics.OctaveBands {
		e.Levels[i] = NoLevel
		if v, ok := acoustics.OctaveValue(octave, third, hz); ok {
			e.Levels[i] = int16(v)
		}
	}
	return e
}

// bands returns the octaves in which the entry has a value, by their places.
func (e *Entry) bands() (places []int) {
	for i, v := range e.Levels {
		if v != NoLevel {
			places = append(places, i)
		}
	}
	return places
}

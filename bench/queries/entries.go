package queries

import (
	"math"
	"unique"

	"sabine/dataset"
	"sabine/dataset/acoustics"
)

// An Entry is a tested set-up of a product. A text that the record lacks is "".
type Entry struct {
	levels     [8]int16 // in octaves from 63 to 8000 Hz, in thirds of a thousandth; noLevel: none
	depthMM    float64  // thickness and air gap together; NaN: no thickness
	mounting   string
	sourceKind string
}

const noLevel = math.MinInt16

// entriesOf returns the entries of a record after ISO 354, and those after ISO 17497-1. The declared curve of a product that has
// no other is an entry.
func entriesOf(r *dataset.Product) (absorption, scattering []Entry) {
	for _, a := range r.Measurements.Absorption {
		e := entryOf(a.AlphaSOctave, a.AlphaSThirdOctave)
		e.sourceKind = unique.Make(a.SourceKind).Value() // products share what few values there are
		if a.Mounting != nil {
			e.mounting = unique.Make(*a.Mounting).Value()
		}
		if a.ThicknessMM != nil {
			e.depthMM = *a.ThicknessMM
			if a.AirGapMM != nil {
				e.depthMM = acoustics.SumOfLengths(*a.ThicknessMM, *a.AirGapMM)
			}
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
	e := Entry{depthMM: math.NaN()}
	for i, hz := range acoustics.OctaveBands {
		e.levels[i] = noLevel
		if v, ok := acoustics.OctaveValue(octave, third, hz); ok {
			e.levels[i] = int16(v)
		}
	}
	return e
}

// bands returns the octaves in which the entry has a value, by their places.
func (e *Entry) bands() (places []int) {
	for i, v := range e.levels {
		if v != noLevel {
			places = append(places, i)
		}
	}
	return places
}

package product

import (
	"slices"

	"sabine/dataset/acoustics"
)

// An Entry contains the curves of an ISO 354 or ISO 17497-1 measurement.
type Entry struct {
	// index in the array of measurements, or -1 for the declared absorption_octave, which has no entry
	Index         int
	ID            string // entry id; "" for the declared absorption_octave
	Octave, Third acoustics.Curve
	SetUp         *Absorption // the ISO 354 measurement; nil for the other curves
}

// AbsorptionEntries returns the ISO 354 entries in the order of the record. If no entry has octave values,
// the last element is the declared absorption_octave.
func (p *Product) AbsorptionEntries() []Entry {
	entries := make([]Entry, 0, len(p.Measurements.Absorption)+1)
	for i := range p.Measurements.Absorption {
		a := &p.Measurements.Absorption[i]
		entries = append(entries, Entry{i, a.ID, a.AlphaSOctave, a.AlphaSThirdOctave, a})
	}
	if p.DeclaredOctave {
		entries = append(entries, Entry{Index: -1, Octave: p.AbsorptionOctave})
	}
	return entries
}

// ScatteringEntries returns the ISO 17497-1 entries in the order of the record.
func (p *Product) ScatteringEntries() []Entry {
	var entries []Entry
	for i := range p.Measurements.Scatter {
		s := &p.Measurements.Scatter[i]
		entries = append(entries, Entry{Index: i, ID: s.ID, Octave: s.ScatterOctave, Third: s.ScatterThirdOctave})
	}
	return entries
}

// isRated reports whether acoustics.Rate can compute a practical coefficient (alpha_p) from an entry.
func isRated(a Absorption) bool {
	return slices.ContainsFunc(acoustics.RoomBands, func(hz int) bool {
		_, ok := acoustics.OctaveCoefficient(a.AlphaSOctave, a.AlphaSThirdOctave, hz)
		return ok
	})
}

package product

import (
	"slices"

	"sabine/dataset/acoustics"
)

// An Entry is the curves of an ISO 354 or ISO 17497-1 measurement.
type Entry struct {
	// among the product's, from 0; -1 for the declared absorption_octave of a product that has no other curve
	Index         int
	ID            string // "" for that one
	Octave, Third acoustics.Curve
	SetUp         *Absorption // the ISO 354 measurement; nil for any other
}

// AbsorptionEntries returns the ISO 354 entries in their order. When none of them has octave values, the
// declared absorption_octave, where there is one, comes after them.
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

// ScatteringEntries returns the ISO 17497-1 entries in their order.
func (p *Product) ScatteringEntries() []Entry {
	var entries []Entry
	for i := range p.Measurements.Scatter {
		s := &p.Measurements.Scatter[i]
		entries = append(entries, Entry{Index: i, ID: s.ID, Octave: s.ScatterOctave, Third: s.ScatterThirdOctave})
	}
	return entries
}

// isRated reports whether an entry gives practical coefficients (alpha_p), as acoustics.Rate would compute
// them.
func (a *Absorption) isRated() bool {
	return slices.ContainsFunc(acoustics.RoomBands, func(hz int) bool {
		_, ok := acoustics.OctaveCoefficient(a.AlphaSOctave, a.AlphaSThirdOctave, hz)
		return ok
	})
}

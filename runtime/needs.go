package runtime

import (
	"sabine/indexes"
	"sabine/indexes/column"
)

// Needs restrict a search to products of which one tested set-up meets all of them. Absorption, thickness, depth, mounting,
// source kind and class speak of one ISO 354 entry, scattering of an ISO 17497-1 entry, diffusion of an ISO 17497-2 entry. The
// zero value asks nothing.
type Needs struct {
	AbsorptionMin, AbsorptionMax []Bound // octave bands
	ScatteringMin, DiffusionMin  []Bound // octave and third-octave bands
	ThicknessMax, DepthMax       *float64
	Mountings, SourceKinds       []string
	AbsorptionClasses            []string // A to E

	// The target, of which there is one at most: another product, whose own curve is the target and which is left out, or a
	// curve of two octave bands or more.
	Like  *column.Doc
	Curve []Bound
}

// A Bound is a coefficient in a band.
type Bound struct {
	BandHz      int // nominal centre
	Thousandths int // 850 is 0.85
}

// asked reports whether there are any.
func (n *Needs) asked() bool {
	return n.ofAbsorption() || len(n.ScatteringMin)+len(n.DiffusionMin) > 0
}

// ofAbsorption reports whether an ISO 354 entry is asked for.
func (n *Needs) ofAbsorption() bool {
	return len(n.AbsorptionMin)+len(n.AbsorptionMax)+len(n.Mountings)+len(n.SourceKinds)+len(n.AbsorptionClasses) > 0 ||
		n.ThicknessMax != nil || n.DepthMax != nil || n.hasTarget()
}

// hasTarget reports whether there is a curve to be near to.
func (n *Needs) hasTarget() bool { return n.Like != nil || len(n.Curve) > 0 }

// Mountings returns the mountings of the catalogue's ISO 354 entries, ascending. They are valid while the generation is held.
func (g *Generation) Mountings() []string {
	return g.index.Entries[indexes.NormAbsorption].Texts(indexes.AttributeMounting)
}

// CurveBands returns at how many of the octaves from 125 to 4000 Hz the most absorptive ISO 354 entry of a product has a value:
// so many bands its curve has as a target. It is 0 when there is no entry.
func (g *Generation) CurveBands(d column.Doc) (n int) {
	e := &g.index.Entries[indexes.NormAbsorption]
	first, end := e.Of(d)
	for entry := first; entry < end; entry++ {
		if e.Place(entry) != 0 {
			continue
		}
		for i, level := range e.Levels(entry) {
			if hz := indexes.NormAbsorption.Bands()[i]; level != 0 && 125 <= hz && hz <= 4000 {
				n++
			}
		}
		return n
	}
	return 0
}

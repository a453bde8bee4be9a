package runtime

import (
	"math"

	"sabine/indexes"
	"sabine/indexes/column"
)

// Needs restrict a search to products of which one tested set-up meets all of them. Absorption, thickness,
// depth, mounting, source kind and class speak of one ISO 354 entry, scattering of an ISO 17497-1 entry,
// diffusion of an ISO 17497-2 entry. The zero value asks nothing.
type Needs struct {
	AbsorptionMin, AbsorptionMax []Bound // octave bands
	ScatteringMin, DiffusionMin  []Bound // octave and third-octave bands
	ThicknessMax, DepthMax       *float64
	DepthUnknown                 bool     // an entry whose air gap is not known passes DepthMax by its thickness
	Mountings, SourceKinds       []string // Mountings as Generation.Mountings spells them
	AbsorptionClasses            []string // A to E

	// The target, of which there is one at most: another product, whose own curve is the target and which is
	// left out, or a curve of two octave bands or more.
	Like  *column.Doc
	Curve []Bound
}

// A Bound is a coefficient in a band of its norm: who asks sees to it that it is one, see indexes.Norm.Bands.
type Bound struct {
	BandHz      int // nominal centre
	Thousandths int // 850 is 0.85
}

// asked reports whether there are any.
func (n *Needs) isSet() bool {
	return len(n.AbsorptionMin)+len(n.AbsorptionMax)+len(n.ScatteringMin)+len(n.DiffusionMin)+
		len(n.Mountings)+len(n.SourceKinds)+len(n.AbsorptionClasses) > 0 ||
		n.ThicknessMax != nil || n.DepthMax != nil || n.hasTarget()
}

// least returns the least coefficients that are asked for, by norm.
func (n *Needs) minimums() [indexes.NumNorms][]Bound {
	return [...][]Bound{n.AbsorptionMin, n.ScatteringMin, n.DiffusionMin}
}

// hasTarget reports whether there is a curve to be near to.
func (n *Needs) hasTarget() bool { return n.Like != nil || len(n.Curve) > 0 }

// A Match is the set-up for which a product is a hit of needs: among those that meet them all the nearest to
// the target, else that of the largest margin, else the first; with SortMargin that of the largest margin
// whatever the target. Of a near miss it is the set-up that lacks least, and without needs the most absorptive.
type Match struct {
	entry       int // in the table of absorption; noEntry: there is none, or no ISO 354 entry was asked for
	margin      int // least surplus over AbsorptionMin, in thirds of a thousandth
	distance    distance
	hasMargin   bool
	hasDistance bool
	shortfall   *shortfall // of a near miss
}

// A shortfall is what a near miss lacks in each band of AbsorptionMin.
type shortfall []bandValue

const noEntry = -1

// largest returns the largest of a shortfall and the sum, in thirds of a thousandth.
func (s shortfall) largest() (largest, sum int) {
	for _, b := range s {
		largest, sum = max(largest, b.thirds), sum+b.thirds
	}
	return largest, sum
}

// A distance is how far an entry is from a target: the sum of the squares of the differences, each in thirds
// of a thousandth, over a number of bands.
type distance struct{ sum, bands uint64 }

// commonBands is a multiple of every number of bands.
const commonBands = 840

// key is a number that orders distances exactly: the mean of the squares, times a constant.
func (d distance) key() uint64 { return d.sum * (commonBands / max(d.bands, 1)) }

// coefficient is the distance as a coefficient: the root of the mean of the squares.
func (d distance) coefficient() float64 {
	return math.Sqrt(float64(d.sum)/float64(max(d.bands, 1))) / thirdsPerUnit
}

// thirdsPerUnit is the coefficient 1, in thirds of a thousandth.
const thirdsPerUnit = 3000

package runtime

import (
	"math"

	"sabine/indexes"
	"sabine/indexes/column"
)

// Needs restrict a search to products with a tested set-up that meets all of them. Absorption, thickness,
// depth, mounting, source kind and class apply to one ISO 354 entry, scattering to one ISO 17497-1 entry,
// diffusion to one ISO 17497-2 entry. The zero value has no needs.
type Needs struct {
	AbsorptionMin, AbsorptionMax []Bound  // bounds in octave bands
	ScatteringMin, DiffusionMin  []Bound  // bounds in octave and third-octave bands
	ThicknessMax, DepthMax       *float64 // in millimetres
	DepthUnknown                 bool     // if the air gap of an entry is unknown, DepthMax limits the thickness
	Mountings, SourceKinds       []string // Mountings are spelled as in Generation.Mountings
	AbsorptionClasses            []string // classes from A to E

	// The target is another product, which is then excluded, or a curve of at least two octave bands.
	Like  *column.Doc
	Curve []Bound
}

// A Bound is a coefficient in a band of its norm. The band must be one of indexes.Norm.Bands.
type Bound struct {
	BandHz      int // nominal centre frequency
	Thousandths int // the coefficient times 1000: 850 is 0.85
}

// isSet reports whether there are any needs.
func (n *Needs) isSet() bool {
	return len(n.AbsorptionMin)+len(n.AbsorptionMax)+len(n.ScatteringMin)+len(n.DiffusionMin)+
		len(n.Mountings)+len(n.SourceKinds)+len(n.AbsorptionClasses) > 0 ||
		n.ThicknessMax != nil || n.DepthMax != nil || n.hasTarget()
}

// minimums returns the minimum coefficients by norm.
func (n *Needs) minimums() [indexes.NumNorms][]Bound {
	return [...][]Bound{n.AbsorptionMin, n.ScatteringMin, n.DiffusionMin}
}

// hasTarget reports whether there is a target curve.
func (n *Needs) hasTarget() bool { return n.Like != nil || len(n.Curve) > 0 }

// A Match is the set-up that makes a product a hit. Among the set-ups that meet all needs, it is the set-up
// nearest to the target. Without a target, it is the set-up with the largest margin or, without minimums, the
// first set-up. With SortMargin, it always has the largest margin. For a near miss, it has the smallest
// shortfall. Without needs, it is the most absorptive set-up.
type Match struct {
	entry       int // in the table of absorption; noEntry if none exists or the query does not select one
	margin      int // smallest surplus over AbsorptionMin, in thirds of a thousandth
	distance    distance
	hasMargin   bool       // whether the query has AbsorptionMin, so that margin is set
	hasDistance bool       // whether the query has a target, so that distance is set
	shortfall   *shortfall // set for a near miss
}

// A shortfall is the deficit of a near miss in each band of AbsorptionMin.
type shortfall []bandValue

const noEntry = -1 // in place of the index of an entry

// largestAndSum returns the largest deficit and the sum of all deficits, in thirds of a thousandth.
func (s shortfall) largestAndSum() (largest, sum int) {
	for _, b := range s {
		largest, sum = max(largest, b.thirds), sum+b.thirds
	}
	return largest, sum
}

// A distance measures how far an entry is from a target: the sum of the squared differences (in thirds of a
// thousandth) and the number of bands.
type distance struct{ sum, bands uint64 }

// commonBands is a multiple of every possible number of bands.
const commonBands = 840

// key returns an exact sort key for distances: the mean of the squares times a constant.
func (d distance) key() uint64 { return d.sum * (commonBands / max(d.bands, 1)) }

// coefficient returns the distance as a coefficient: the root mean square.
func (d distance) coefficient() float64 {
	return math.Sqrt(float64(d.sum)/float64(max(d.bands, 1))) / thirdsPerUnit
}

// thirdsPerUnit is the coefficient 1 in thirds of a thousandth.
const thirdsPerUnit = 3000

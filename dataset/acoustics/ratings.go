package acoustics

import (
	"cmp"
	"slices"
)

// Hundredths is a rating in units of 0.01: 85 is 0.85.
type Hundredths int

// Float returns the rating as a number: the float64 nearest to h/100, so that its shortest decimal form has
// two decimals at most.
func (h Hundredths) Float() float64 { return float64(h) / 100 }

// Ratings are the single-number values of one absorption measurement. A nil pointer is a value that the bands
// at hand do not give.
type Ratings struct {
	AlphaP Curve       // practical absorption coefficients, octaves 125 to 4000 Hz, those that are known; nil when none is
	AlphaW *Hundredths // weighted absorption coefficient, 0 to 100
	Shape  string      // shape indicators of alpha_w in the order L, M, H; "" when there is none
	NRC    *Hundredths // Noise Reduction Coefficient, a multiple of 5, not cut at 1
	SAA    *Hundredths // Sound Absorption Average, not cut at 1
}

// Rate computes the ratings of one measurement from its octave-band and third-octave-band absorption
// coefficients (alpha_s, ISO 354). Either may be nil. A value that cannot be a coefficient (NaN, beyond ±7)
// counts as missing.
func Rate(octave, third Curve) Ratings {
	var r Ratings
	alphaP := practicalCoefficients(octave, third)
	for i, alpha := range alphaP {
		if alpha != missing {
			r.AlphaP = append(r.AlphaP, Point{BandHz: practicalBands[i], Value: alpha.hundredths().Float()})
		}
	}
	if from250 := [5]twentieths(alphaP[1:]); !slices.Contains(from250[:], missing) {
		weighted, shape := weightedCoefficient(from250)
		alphaW := weighted.hundredths()
		r.AlphaW, r.Shape = &alphaW, shape
	}
	r.NRC = noiseReductionCoefficient(octave, third)
	r.SAA = soundAbsorptionAverage(third)
	return r
}

// Classes are the sound absorption classes (ISO 11654, Annex B), the most absorptive first.
var Classes = []string{"A", "B", "C", "D", "E"}

// Class returns the sound absorption class A to E of a weighted coefficient (ISO 11654, Annex B), or "" when
// it is not classified.
func Class(alphaW Hundredths) string {
	switch {
	case alphaW >= 90:
		return "A"
	case alphaW >= 80:
		return "B"
	case alphaW >= 60:
		return "C"
	case alphaW >= 30:
		return "D"
	case alphaW >= 15:
		return "E"
	}
	return ""
}

// MostAbsorptive returns the index of the variant that speaks for a product: the highest alpha_w, then the
// highest NRC, then the first; a variant without alpha_w comes after all that have one. It returns -1 for no
// variants.
func MostAbsorptive(variants []Ratings) int {
	if len(variants) == 0 {
		return -1
	}
	return ByAbsorption(variants)[0]
}

// ByAbsorption returns the indexes of variants in the order in which they speak for a product, see
// MostAbsorptive.
func ByAbsorption(variants []Ratings) []int {
	order := make([]int, len(variants))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &variants[i], &variants[j]
		return cmp.Or(compareKnown(b.AlphaW, a.AlphaW), compareKnown(b.NRC, a.NRC))
	})
	return order
}

// compareKnown orders ratings ascending, an unknown one before all others.
func compareKnown(a, b *Hundredths) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return int(*a - *b)
}

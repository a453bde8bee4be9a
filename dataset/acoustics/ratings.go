package acoustics

import (
	"cmp"
	"slices"
)

// Hundredths is a rating in units of 0.01: 85 is 0.85.
type Hundredths int

// Float returns the float64 nearest to h/100. Its shortest decimal form has at most two decimals.
func (h Hundredths) Float() float64 { return float64(h) / 100 }

// Ratings are the single-number ratings of an absorption measurement. A pointer is nil if the bands are not
// sufficient for the rating.
type Ratings struct {
	AlphaP Curve       // known practical coefficients in octaves from 125 Hz to 4000 Hz; nil if none is known
	AlphaW *Hundredths // weighted absorption coefficient, 0 to 100; nil unless 250 Hz to 4000 Hz are in AlphaP
	Shape  string      // shape indicators of alpha_w in the order L, M, H; "" if there are none
	NRC    *Hundredths // Noise Reduction Coefficient, a multiple of 5, not limited to 1
	SAA    *Hundredths // Sound Absorption Average, not limited to 1
}

// Rate computes the ratings of a measurement from its absorption coefficients (alpha_s, ISO 354) in octave
// and third-octave bands. Both curves can be nil. An invalid coefficient (NaN or outside ±7) counts as
// missing.
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

// Classes are the sound absorption classes (ISO 11654, Annex B) in descending order of absorption.
var Classes = []string{"A", "B", "C", "D", "E"}

// Class returns the sound absorption class A to E of a weighted coefficient (ISO 11654, Annex B), or "" if
// the coefficient is not classified.
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

// MostAbsorptive returns the index of the set-up that represents a product, or -1 if there are no set-ups. It
// is the first set-up in the order of ByAbsorption.
func MostAbsorptive(setUps []Ratings) int {
	if len(setUps) == 0 {
		return -1
	}
	return ByAbsorption(setUps)[0]
}

// ByAbsorption returns the indexes of set-ups in descending order of alpha_w, then of NRC. Set-ups without
// alpha_w come last.
func ByAbsorption(setUps []Ratings) []int {
	order := make([]int, len(setUps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &setUps[i], &setUps[j]
		return cmp.Or(compareKnown(b.AlphaW, a.AlphaW), compareKnown(b.NRC, a.NRC))
	})
	return order
}

// compareKnown compares ratings. An unknown rating is less than any known rating.
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

package acoustics

import "cmp"

// practicalBands are the octaves with a practical coefficient: 125 Hz to 4000 Hz.
var practicalBands = OctaveBands[1:7]

// twentieths is a coefficient in steps of 0.05, as in ISO 11654: 17 is 0.85.
type twentieths int

// missing is the practical coefficient of an octave without measured bands.
const missing twentieths = -1

func (t twentieths) hundredths() Hundredths { return Hundredths(5 * t) }

// practicalCoefficients computes alpha_p in practicalBands (ISO 11654:1997, 4.1), each from 0 to 20: the mean
// of the three third octaves or, if one is missing, the octave value. Without both, it is missing.
func practicalCoefficients(octave, third Curve) (alphaP [6]twentieths) {
	for i, hz := range practicalBands {
		alphaP[i] = missing
		if sum, ok := sumOf(third, thirdsOf(i+1)); ok { // practicalBands begin at OctaveBands[1]
			alphaP[i] = toTwentieths(sum, 3)
		} else if value, ok := sumOf(octave, []int{hz}); ok {
			alphaP[i] = toTwentieths(value, 1)
		}
	}
	return alphaP
}

// toTwentieths rounds the mean of n decimals to hundredths and then to twentieths, as the standard requires:
// 0.925 becomes 0.93 and then 0.95. It limits the result to 0.00 to 1.00, because alpha_s can exceed 1 (edge
// effect) and can be negative (uncertainty of the measurement).
func toTwentieths(sum decimal, n int) twentieths {
	inHundredths := int64(roundToMultiple(sum, n, hundredth))
	return twentieths(min(max(floorDiv(inHundredths+2, 5), 0), 20))
}

// sumOf returns the sum of the values in the given bands. ok is false if a value is missing or invalid.
func sumOf(c Curve, bandsHz []int) (sum decimal, ok bool) {
	for _, hz := range bandsHz {
		v, ok := c.At(hz)
		if !ok {
			return 0, false
		}
		d, ok := toDecimal(v)
		if !ok {
			return 0, false
		}
		sum += d
	}
	return sum, true
}

// ComparePractical compares practical coefficients by their alpha_w, then by their sum, then band by band.
// Coefficients without an alpha_w come first.
func ComparePractical(a, b Curve) int {
	sum := func(c Curve) (sum float64) {
		for _, p := range c {
			sum += p.Value
		}
		return sum
	}
	byAlphaW := compareKnown(Rate(a, nil).AlphaW, Rate(b, nil).AlphaW)
	return cmp.Or(byAlphaW, cmp.Compare(sum(a), sum(b)), a.Compare(b))
}

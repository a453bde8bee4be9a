package acoustics

import (
	"math"
	"math/big"
	"slices"
)

// A Compared is a coefficient as an integer for exact comparisons, in thirds of a thousandth: 2550 is 0.85.
// In this unit, both a published coefficient with three decimals and the mean of three of them are integers.
type Compared int

// OctaveValue returns the value of a measurement in an octave band. If the octave curve has no value, it
// returns the mean of the three third octaves. ok is false if a third octave is missing too, or if the band
// is not an octave band.
func OctaveValue(octave, third Curve, bandHz int) (value Compared, ok bool) {
	if v, stated := octave.At(bandHz); stated {
		return 3 * thousandths(v), true
	}
	i := slices.Index(OctaveBands, bandHz)
	if i < 0 {
		return 0, false
	}
	for _, hz := range thirdsOf(i) { // the sum of three thousandths is their mean in thirds of a thousandth
		v, stated := third.At(hz)
		if !stated {
			return 0, false
		}
		value += thousandths(v)
	}
	return value, true
}

// BandValue returns OctaveValue for an octave band. For any other third-octave band it returns the
// coefficient in the third-octave curve.
func BandValue(octave, third Curve, bandHz int) (value Compared, ok bool) {
	if slices.Contains(OctaveBands, bandHz) {
		return OctaveValue(octave, third, bandHz)
	}
	v, ok := third.At(bandHz)
	return 3 * thousandths(v), ok
}

// thousandths returns a published coefficient in thousandths. It rounds half away from zero.
func thousandths(v float64) Compared {
	d, _ := toDecimal(math.Abs(v)) // records contain only valid coefficients
	n := Compared(roundToMultiple(d, 1, thousandth))
	if v < 0 {
		return -n
	}
	return n
}

// SumOfLengths returns the sum of two published lengths. It adds their shortest decimal forms and not the
// binary fractions, so that 12.7 + 0.1 is 12.8. The sum is infinite if it is out of range for float64.
func SumOfLengths(a, b float64) float64 {
	if a == math.Trunc(a) && b == math.Trunc(b) && math.Abs(a)+math.Abs(b) < 1<<53 {
		return a + b // exact for integers; nearly all lengths are whole millimetres
	}
	sum, _ := new(big.Rat).Add(decimalRat(a), decimalRat(b)).Float64()
	return sum
}

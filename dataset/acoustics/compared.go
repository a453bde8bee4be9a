package acoustics

import (
	"math"
	"math/big"
)

// A Compared is a coefficient in the unit in which coefficients are compared: thirds of a thousandth, so that
// 2550 is 0.85. A published coefficient counts in whole thousandths, and the mean of three such is a whole
// number of thirds of one.
type Compared int

// OctaveValue returns the value of an octave band of a measurement: the stated octave coefficient, else the
// mean of its three third octaves. ok is false when neither is there, and for a band that is no octave.
func OctaveValue(octave, third Curve, bandHz int) (value Compared, ok bool) {
	if v, stated := octave.At(bandHz); stated {
		return 3 * thousandths(v), true
	}
	for i, centre := range OctaveBands {
		if centre != bandHz {
			continue
		}
		for _, hz := range thirdsOf(i) {
			v, stated := third.At(hz)
			if !stated {
				return 0, false
			}
			value += thousandths(v)
		}
		return value, true
	}
	return 0, false
}

// BandValue returns OctaveValue for an octave band, and for a third octave that is none the stated
// coefficient.
func BandValue(octave, third Curve, bandHz int) (value Compared, ok bool) {
	for _, centre := range OctaveBands {
		if centre == bandHz {
			return OctaveValue(octave, third, bandHz)
		}
	}
	v, ok := third.At(bandHz)
	return 3 * thousandths(v), ok
}

// thousandths returns a published coefficient in thousandths; further decimals are rounded, half-way away
// from zero.
func thousandths(v float64) Compared {
	d, _ := toDecimal(math.Abs(v)) // records have no coefficient that is none
	n := Compared(roundToMultiple(d, 1, thousandth))
	if v < 0 {
		return -n
	}
	return n
}

// SumOfLengths returns the sum of two published lengths: of what their shortest decimal forms say, and not of
// the binary fractions that stand for them, so that 12.7 and 0.1 are 12.8. It is infinite beyond what a float64
// holds.
func SumOfLengths(a, b float64) float64 {
	if a == math.Trunc(a) && b == math.Trunc(b) && math.Abs(a)+math.Abs(b) < 1<<53 {
		return a + b // exact, as nearly all lengths are whole millimetres
	}
	sum, _ := new(big.Rat).Add(decimalRat(a), decimalRat(b)).Float64()
	return sum
}

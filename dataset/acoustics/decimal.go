package acoustics

import (
	"math"
	"math/big"
	"strconv"
)

// decimal is a published coefficient in units of 1e-17. Its value is the shortest decimal form of a float64,
// not the binary fraction. In contrast to sums of float64, sums of decimals are exact. For example, the mean
// of 0.12, 0.35, 0.45 and 0.38 is 0.325, exactly between two steps of NRC, while float64 arithmetic yields
// less.
type decimal int64

const (
	decimalPlaces = 17

	hundredth  decimal = 1e15
	thousandth decimal = 1e14

	// maxCoefficient is the limit of valid coefficients. A sum of twelve of them, the longest in this
	// package, fits in a decimal.
	maxCoefficient = 7
)

// toDecimal converts v through its shortest decimal form. Only values below 0.1 can have more than 17 decimal
// places. Further digits are rounded towards minus infinity, so that a value just below a rounding limit
// remains below it. ok is false for NaN and for values outside ±maxCoefficient.
func toDecimal(v float64) (d decimal, ok bool) {
	if !(math.Abs(v) <= maxCoefficient) {
		return 0, false
	}
	// Fast path: n/1e4 is the float64 nearest to a decimal with at most four places. No other such decimal
	// has the same float64.
	if n := math.Round(v * 1e4); n/1e4 == v {
		return decimal(n) * 1e13, true
	}
	// The form is "d.ddde±xx" with at most 17 digits, which fit in an int64.
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], math.Abs(v), 'e', -1, 64)
	var digits int64
	places := 0 // digits after the point
	i := 0
	for ; text[i] != 'e'; i++ {
		if text[i] == '.' {
			continue
		}
		digits = digits*10 + int64(text[i]-'0')
		if i > 0 {
			places++
		}
	}
	exponent, _ := strconv.Atoi(string(text[i+1:])) // AppendFloat always writes an exponent
	shift := decimalPlaces + exponent - places
	for ; shift > 0; shift-- {
		digits *= 10
	}
	if v < 0 {
		digits = -digits
	}
	for ; shift < 0 && digits != 0 && digits != -1; shift++ {
		digits = floorDiv(digits, 10)
	}
	return decimal(digits), true
}

// roundToMultiple returns the mean of n decimals, given their sum, as a number of steps. It rounds half up.
func roundToMultiple(sum decimal, n int, step decimal) int {
	whole := int64(n) * int64(step)
	return int(floorDiv(int64(sum)+whole/2, whole))
}

// floorDiv divides and rounds towards minus infinity, for a positive divisor.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// decimalRat returns the value of the shortest decimal form of v, or 0 if v is not finite.
func decimalRat(v float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	if !ok {
		return new(big.Rat)
	}
	return r
}

package acoustics

import (
	"math"
	"math/big"
	"strconv"
)

// decimal is a coefficient as it was published: a whole number of units of 1e-17, the value that its shortest
// decimal form says and not the binary fraction that stands for it. Sums of decimals are exact, which sums of
// float64 are not: 0.12, 0.35, 0.45 and 0.38 have the mean 0.325, half-way between two steps of NRC, and
// float64 puts it below.
type decimal int64

const (
	decimalPlaces = 17

	hundredth  decimal = 1e15
	thousandth decimal = 1e14

	// maxCoefficient bounds what is taken for a coefficient. Twelve of them, the longest sum here, still fit in
	// a decimal.
	maxCoefficient = 7
)

// toDecimal converts v through its shortest decimal form. Digits behind the seventeenth place, which only
// values below 0.1 can have, are cut towards minus infinity: what lies just under half-way stays under it. ok
// is false for NaN and for values beyond ±maxCoefficient.
func toDecimal(v float64) (d decimal, ok bool) {
	if !(math.Abs(v) <= maxCoefficient) {
		return 0, false
	}
	// The quotient of two whole numbers that float64 has is the float64 nearest to it, and of decimals with so
	// few digits each has its own.
	if n := math.Round(v * 1e4); n/1e4 == v {
		return decimal(n) * 1e13, true
	}
	// The form is "d.ddde±xx", at most 17 digits, so that the digits by themselves fit in an int64.
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], math.Abs(v), 'e', -1, 64)
	var digits int64
	places := 0 // digits behind the point
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
	exponent, _ := strconv.Atoi(string(text[i+1:])) // AppendFloat always writes one
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

// roundToMultiple returns how many steps the mean of n decimals with the given sum is, to the nearest;
// half-way goes up.
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

// decimalRat returns what the shortest decimal form of v says. A number that is none is 0.
func decimalRat(v float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	if !ok {
		return new(big.Rat)
	}
	return r
}

package acoustics

// referenceCurve is the reference curve of ISO 11654:1997, 4.2, in the octaves from 250 Hz to 4000 Hz.
var referenceCurve = [5]twentieths{16, 20, 20, 20, 18}

const (
	unfavourableLimit twentieths = 2 // a sum of exactly 0.10 is within the limit
	indicatorLimit    twentieths = 5 // an excess of exactly 0.25 requires an indicator
)

// weightedCoefficient computes alpha_w (4.2) and its shape indicators (4.3) from alpha_p at 250 Hz to 4000
// Hz. It shifts the reference curve down in steps of 0.05 until the sum of the unfavourable deviations is at
// most unfavourableLimit. The loop ends at the latest when the curve is 0 at 500 Hz, because alpha_p is never
// negative.
func weightedCoefficient(alphaP [5]twentieths) (alphaW twentieths, shape string) {
	shift := twentieths(0)
	for unfavourable(alphaP, shift) > unfavourableLimit {
		shift++
	}
	var excess [5]bool
	for i, a := range alphaP {
		excess[i] = a-(referenceCurve[i]-shift) >= indicatorLimit
	}
	if excess[0] { // 250 Hz
		shape += "L"
	}
	if excess[1] || excess[2] { // 500 Hz and 1000 Hz
		shape += "M"
	}
	if excess[3] || excess[4] { // 2000 Hz and 4000 Hz
		shape += "H"
	}
	return referenceCurve[1] - shift, shape // alpha_w is the shifted curve at 500 Hz
}

// unfavourable returns the sum by which coefficients fall below the shifted curve.
func unfavourable(alphaP [5]twentieths, shift twentieths) twentieths {
	sum := twentieths(0)
	for i, a := range alphaP {
		sum += max(referenceCurve[i]-shift-a, 0)
	}
	return sum
}

package acoustics

import (
	"math"
	"strconv"
	"strings"
)

// Depth returns the depth of a set-up in mm, from the surface of the room to the face of the specimen. The
// mounting must be a result of Mounting. The depth is the sum of thickness and air gap. If no air gap is
// stated, the gap is 0 for the mountings A, B and I, and the depth is nnn mm for E-nnn (ISO 354, ASTM E795).
// ok is false if the depth is unknown: the thickness is missing, no air gap is stated for a mounting other
// than the ones above, the specimen is thicker than nnn mm, or the sum is out of range for float64.
func Depth(mounting string, thicknessMM, airGapMM *float64) (mm float64, ok bool) {
	switch {
	case thicknessMM == nil:
		return 0, false
	case airGapMM != nil:
		sum := SumOfLengths(*thicknessMM, *airGapMM)
		return sum, !math.IsInf(sum, 0)
	case mounting == "A" || mounting == "B" || mounting == "I":
		return *thicknessMM, true
	}
	face, ok := faceDistance(mounting)
	return face, ok && *thicknessMM <= face
}

// faceDistance returns the distance nnn in mm of a mounting E-nnn.
func faceDistance(mounting string) (mm float64, ok bool) {
	digits, ok := strings.CutPrefix(mounting, "E-")
	if !ok || len(digits) < 2 || len(digits) > 4 || digits[0] == '0' || strings.Trim(digits, "0123456789") != "" {
		return 0, false // mountingText requires the same digits
	}
	n, err := strconv.Atoi(digits)
	return float64(n), err == nil
}

// AirGapContradicts reports whether an air gap contradicts a mounting E-nnn in any spelling. It does if the
// sum of thickness and air gap is not nnn mm or, without a thickness, if the air gap exceeds nnn mm.
// distanceMM is nnn.
func AirGapContradicts(mounting string, thicknessMM *float64, airGapMM float64) (distanceMM float64, contradicts bool) {
	if !strings.ContainsAny(mounting, "0123456789") { // avoids the regular expression for most mountings
		return 0, false
	}
	face, ok := faceDistance(Mounting(mounting))
	if !ok {
		return 0, false
	}
	if thicknessMM == nil {
		return face, airGapMM > face
	}
	return face, SumOfLengths(*thicknessMM, airGapMM) != face
}

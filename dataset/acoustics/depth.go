package acoustics

import (
	"math"
	"strconv"
	"strings"
)

// Depth returns the depth of a set-up in mm, from the surface of the room to the face of the specimen. The
// mounting is as Mounting returns it. A stated air gap is added to the thickness. Without one the gap is 0 for
// A, B and I, which lie on the surface, and for E-nnn (ISO 354, ASTM E795) the face is nnn mm from the surface.
// ok is false when the depth is not known: without a thickness, for any other mounting, for a specimen that is
// thicker than its distance, and for a sum that no float64 holds.
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

// faceDistance returns the distance in mm that a mounting E-nnn names.
func faceDistance(mounting string) (mm float64, ok bool) {
	digits, ok := strings.CutPrefix(mounting, "E-")
	if !ok || len(digits) < 2 || len(digits) > 4 || digits[0] == '0' || strings.Trim(digits, "0123456789") != "" {
		return 0, false // as in mountingText
	}
	n, err := strconv.Atoi(digits)
	return float64(n), err == nil
}

// Contradicts reports whether a stated air gap cannot be that of a mounting E-nnn, in any spelling, and
// returns the distance nnn: the gap and the thickness, if it is stated, are another depth.
func Contradicts(mounting string, thicknessMM *float64, airGapMM float64) (distanceMM float64, contradicts bool) {
	if !strings.ContainsAny(mounting, "0123456789") { // most mountings: saves the regular expression
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

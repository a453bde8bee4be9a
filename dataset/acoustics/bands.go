package acoustics

import (
	"math"
	"slices"
)

// exactHz returns the exact centre frequency of a band for its nominal centre frequency (IEC 61260-1, base
// ten).
func exactHz(bandHz int) float64 {
	return math.Pow(10, math.Round(10*math.Log10(float64(bandHz)))/10)
}

// bandSamples are the frequencies at which the models are evaluated in a third-octave band, as ratios to its
// centre frequency. They are the centres of the three thirds of the band.
var bandSamples = [3]float64{math.Pow(2, -1.0/9), 1, math.Pow(2, 1.0/9)}

// averageOverBands computes a third-octave curve: the mean of at(hz) over the samples in each band, rounded
// to hundredths.
func averageOverBands(thirdBandsHz []int, at func(hz float64) float64) Curve {
	c := make(Curve, 0, len(thirdBandsHz))
	for _, band := range thirdBandsHz {
		sum := 0.0
		for _, ratio := range bandSamples {
			sum += at(exactHz(band) * ratio)
		}
		c = append(c, Point{band, toHundredths(sum / float64(len(bandSamples)))})
	}
	return c
}

// OctaveAverages returns the octave-band curve of a third-octave-band curve. The value of an octave is the
// mean of its three third octaves, rounded to hundredths. Octaves with a missing third octave are omitted.
func OctaveAverages(third Curve) Curve {
	var c Curve
	for i, band := range OctaveBands {
		if sum, ok := sumOf(third, thirdsOf(i)); ok {
			c = append(c, Point{band, Hundredths(roundToMultiple(sum, 3, hundredth)).Float()})
		}
	}
	return c
}

// OctaveCoefficient returns the coefficient of a measurement in an octave band. If the octave curve has no
// value, it returns the unrounded mean of the three third octaves. ok is false if a third octave is missing
// too, or if the band is not an octave band.
func OctaveCoefficient(octave, third Curve, bandHz int) (value float64, ok bool) {
	if value, ok = octave.At(bandHz); ok {
		return value, true
	}
	i := slices.Index(OctaveBands, bandHz)
	if i < 0 {
		return 0, false
	}
	sum, ok := sumOf(third, thirdsOf(i))
	return float64(sum) / (3 * 100 * float64(hundredth)), ok
}

// thirdsOf returns the three third octaves of an octave. octave is its index in OctaveBands.
func thirdsOf(octave int) []int { return ThirdBands[3*octave : 3*octave+3] }

// toHundredths rounds to two decimals, as in published coefficients.
func toHundredths(v float64) float64 {
	return math.Round(v*100) / 100
}

// maxMeanDeviation is the maximum difference between an octave value and the mean of its third octaves. It is
// larger than the error from rounding to 0.05.
const maxMeanDeviation = 0.1

// CurvesContradict reports whether an octave curve and a third-octave curve must be from different
// measurements, because an octave value differs from the mean of its third octaves.
func CurvesContradict(octave, third Curve) bool {
	return slices.ContainsFunc(OctaveAverages(third), func(mean Point) bool {
		v, ok := octave.At(mean.BandHz)
		return ok && math.Abs(v-mean.Value) > maxMeanDeviation
	})
}

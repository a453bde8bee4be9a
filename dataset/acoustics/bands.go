package acoustics

import (
	"math"
	"slices"
)

// exactHz returns the exact centre frequency of a band from its nominal one, by powers of ten (IEC 61260-1,
// base ten).
func exactHz(bandHz int) float64 {
	return math.Pow(10, math.Round(10*math.Log10(float64(bandHz)))/10)
}

// inBand are the frequencies at which the models are evaluated in a third-octave band, as ratios to its
// centre: the middles of its thirds.
var inBand = [3]float64{math.Pow(2, -1.0/9), 1, math.Pow(2, 1.0/9)}

// overBands computes a third-octave curve: in each band the mean of what at gives for its frequencies, to
// hundredths.
func overBands(thirdBandsHz []int, at func(hz float64) float64) Curve {
	c := make(Curve, 0, len(thirdBandsHz))
	for _, band := range thirdBandsHz {
		sum := 0.0
		for _, ratio := range inBand {
			sum += at(exactHz(band) * ratio)
		}
		c = append(c, Point{band, toHundredths(sum / float64(len(inBand)))})
	}
	return c
}

// OctaveAverages returns the octave-band curve of a third-octave one: the mean of an octave's three thirds,
// to hundredths, for each octave of OctaveBands that has all three.
func OctaveAverages(third Curve) Curve {
	var c Curve
	for i, band := range OctaveBands {
		if sum, ok := sumOf(third, thirdsOf(i)); ok {
			c = append(c, Point{band, Hundredths(roundToMultiple(sum, 3, hundredth)).Float()})
		}
	}
	return c
}

// OctaveCoefficient returns the coefficient of a measurement in an octave band: the stated one, else the mean
// of its three third octaves, unrounded. ok is false when neither is there, and for a band that is no octave.
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

// thirdsOf returns the three thirds of an octave, by its index in OctaveBands.
func thirdsOf(octave int) []int { return ThirdBands[3*octave : 3*octave+3] }

// toHundredths rounds to two decimals, the form in which coefficients are published.
func toHundredths(v float64) float64 {
	return math.Round(v*100) / 100
}

// farFromMean is from which difference an octave is not that of its third octaves: more than rounding to 0.05
// gives.
const farFromMean = 0.1

// Contradict reports whether an octave curve is of another measurement than a third-octave curve: one of its
// values is not the mean of the three.
func Contradict(octave, third Curve) bool {
	return slices.ContainsFunc(OctaveAverages(third), func(mean Point) bool {
		v, ok := octave.At(mean.BandHz)
		return ok && math.Abs(v-mean.Value) > farFromMean
	})
}

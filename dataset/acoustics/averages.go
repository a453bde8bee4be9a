package acoustics

var (
	nrcBands = []int{250, 500, 1000, 2000}
	saaBands = []int{200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500}
)

// noiseReductionCoefficient computes NRC (ASTM C423): the mean of four bands, rounded to the nearest 0.05.
// The standard requires third-octave bands. The function uses octave bands if one of the four third-octave
// bands is missing, and never mixes the two. It returns nil if neither curve has all four bands.
func noiseReductionCoefficient(octave, third Curve) *Hundredths {
	sum, ok := sumOf(third, nrcBands)
	if !ok {
		sum, ok = sumOf(octave, nrcBands)
	}
	if !ok {
		return nil
	}
	nrc := Hundredths(5 * roundToMultiple(sum, len(nrcBands), 5*hundredth))
	return &nrc
}

// soundAbsorptionAverage computes SAA (ASTM C423): the mean of twelve third-octave bands, rounded to the
// nearest 0.01. It returns nil if a band is missing.
func soundAbsorptionAverage(third Curve) *Hundredths {
	sum, ok := sumOf(third, saaBands)
	if !ok {
		return nil
	}
	saa := Hundredths(roundToMultiple(sum, len(saaBands), hundredth))
	return &saa
}

package acoustics

var (
	nrcBands = []int{250, 500, 1000, 2000}
	saaBands = []int{200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500}
)

// noiseReductionCoefficient computes NRC (ASTM C423): the mean of four bands to the nearest 0.05. The
// standard means third-octave bands; octaves stand in when not all four thirds are there, and nothing is
// mixed. It returns nil when neither map has all four.
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

// soundAbsorptionAverage computes SAA (ASTM C423): the mean of twelve thirds to the nearest 0.01, or nil when
// one is missing.
func soundAbsorptionAverage(third Curve) *Hundredths {
	sum, ok := sumOf(third, saaBands)
	if !ok {
		return nil
	}
	saa := Hundredths(roundToMultiple(sum, len(saaBands), hundredth))
	return &saa
}

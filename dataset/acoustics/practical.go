package acoustics

// practicalBands are the octaves that have a practical coefficient, nominal centres in Hz.
var practicalBands = [6]int{125, 250, 500, 1000, 2000, 4000}

// thirdsOf are the three thirds of each of practicalBands.
var thirdsOf = [6][3]int{
	{100, 125, 160},
	{200, 250, 315},
	{400, 500, 630},
	{800, 1000, 1250},
	{1600, 2000, 2500},
	{3150, 4000, 5000},
}

// practical holds the practical absorption coefficients alpha_p of practicalBands in whole twentieths: 17 is 0.85. They carry the type of a
// rating, and five of their units are five of its.
type practical struct {
	at    [6]Hundredths // 0 to 20
	known [6]bool
}

// practicalCoefficients computes alpha_p (ISO 11654:1997, 4.1): the mean of the three thirds of an octave, else the octave's own value.
func practicalCoefficients(octave, third Curve) practical {
	var p practical
	for i, thirds := range thirdsOf {
		if sum, ok := sumOf(third, thirds[:]); ok {
			p.at[i], p.known[i] = twentieths(sum, len(thirds)), true
		} else if value, ok := sumOf(octave, practicalBands[i:i+1]); ok {
			p.at[i], p.known[i] = twentieths(value, 1), true
		}
	}
	return p
}

// twentieths rounds the mean of n decimals to hundredths and then to twentieths, as the standard has it (0.925 is 0.93, and 0.95), and cuts it
// to 0.00 to 1.00: alpha_s may exceed 1 (edge effect) and, by the uncertainty of its measurement, fall below 0.
func twentieths(sum decimal, n int) Hundredths {
	inHundredths := int64(roundToMultiple(sum, n, hundredth))
	return Hundredths(min(max(floorDiv(inHundredths+2, 5), 0), 20))
}

// weighted returns the coefficients of 250 Hz to 4000 Hz; ok is false unless all five are known.
func (p *practical) weighted() (bands [5]Hundredths, ok bool) {
	for i := range bands {
		if !p.known[i+1] {
			return bands, false
		}
		bands[i] = p.at[i+1]
	}
	return bands, true
}

// sumOf adds the values of the given bands; ok is false when one is missing.
func sumOf(c Curve, bandsHz []int) (sum decimal, ok bool) {
	for _, hz := range bandsHz {
		v, ok := c.At(hz)
		if !ok {
			return 0, false
		}
		d, ok := toDecimal(v)
		if !ok {
			return 0, false
		}
		sum += d
	}
	return sum, true
}

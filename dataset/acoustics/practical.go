package acoustics

// practicalBands are the octaves that have a practical coefficient: 125 Hz to 4000 Hz.
var practicalBands = OctaveBands[1:7]

// missing is the practical coefficient of an octave whose bands are missing.
const missing Hundredths = -1

// practicalCoefficients computes alpha_p of practicalBands (ISO 11654:1997, 4.1) in whole twentieths, 0 to 20 or missing: the mean of the three
// thirds of an octave, else the octave's own value. They carry the type of a rating, and five of their units are five of its.
func practicalCoefficients(octave, third Curve) (alphaP [6]Hundredths) {
	for i, hz := range practicalBands {
		alphaP[i] = missing
		if sum, ok := sumOf(third, thirdsOf(i+1)); ok {
			alphaP[i] = twentieths(sum, 3)
		} else if value, ok := sumOf(octave, []int{hz}); ok {
			alphaP[i] = twentieths(value, 1)
		}
	}
	return alphaP
}

// twentieths rounds the mean of n decimals to hundredths and then to twentieths, as the standard has it (0.925 is 0.93, and 0.95), and cuts it
// to 0.00 to 1.00: alpha_s may exceed 1 (edge effect) and, by the uncertainty of its measurement, fall below 0.
func twentieths(sum decimal, n int) Hundredths {
	inHundredths := int64(roundToMultiple(sum, n, hundredth))
	return Hundredths(min(max(floorDiv(inHundredths+2, 5), 0), 20))
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

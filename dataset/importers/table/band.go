package table

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
)

// beyondBands are the bands of IEC 61260-1 in reach of test reports that no curve of ours has.
var beyondBands = []float64{20, 25, 31.5, 40, 12500, 16000, 20000}

// bandPattern takes the name of a column of coefficients apart: the words before, a number, "k" with decimals behind it, "Hz", the words
// behind.
var bandPattern = regexp.MustCompile(`^([^0-9]*?)([0-9][0-9.,' ]*?)[ _]*(?:(k)([0-9]*))?[ _]*(hz)?([^0-9a-z][^0-9]*|)$`)

// bandWords may stand in the name of a column of coefficients.
var bandWords = func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(`a ap as alpha alphap alphas absorption absorptionsgrad absorptionskoeffizient at band bandmittenfrequenz bei center centre coeff
		coefficient coefficients d delta diffusion diffusionsgrad diffusionskoeffizient directional dn dpsi dpsin dtheta dthetan f for freq frequency
		frequenz fuer gerichteter in incidence koeffizient mittenfrequenz n normalised normalisierter normalized normierter octave oktav oktavband
		oktave p practical praktischer psi random s sabine scatter scattering schallabsorption schallabsorptionsgrad sound streugrad
		streukoeffizient terz terzband theta third thirdoctave value wert hz`) {
		words[word] = true
	}
	return words
}()

// ratiosAsWords writes the ratios of bands as words.
var ratiosAsWords = strings.NewReplacer("1/3", "third", "1/1", "octave")

// A bandName is the name of a column of coefficients, taken apart.
type bandName struct {
	hz         float64
	bare       bool // a number alone, which may mean anything
	quantity   Quantity
	resolution Resolution
}

// bandNameOf reads the name of a column of coefficients: folded, without "%" and norms.
func bandNameOf(folded string) (b bandName, ok bool) {
	if len(folded) > maxNameBytes || !strings.ContainsAny(folded, "0123456789") {
		return b, false
	}
	m := bandPattern.FindStringSubmatch(ratiosAsWords.Replace(folded))
	if m == nil {
		return b, false
	}
	kilo := m[3] != ""
	if b.hz, ok = frequencyOf(m[2], kilo, m[4]); !ok {
		return b, false
	}
	around := strings.TrimSpace(m[1] + " " + m[6])
	words, ok := wordsOf(around)
	if !ok || slices.ContainsFunc(words, func(word string) bool { return !bandWords[word] }) {
		return b, false
	}
	hertz := kilo || m[5] != ""
	if isOtherSymbol(words) || !hertz && len(words) > 0 && b.hz < leastHz {
		return b, false
	}
	b.bare = !hertz && len(words) == 0
	b.quantity, b.resolution = quantityOf(around)
	switch {
	case b.quantity != "":
	case slices.Contains(words, "as"):
		b.quantity = AlphaS
	case slices.Contains(words, "ap"):
		b.quantity = AlphaP
	case slices.Contains(words, "s") && !slices.Contains(words, "alpha"):
		b.quantity = Scattering
	case slices.Contains(words, "d") || slices.Contains(words, "delta"):
		b.quantity = Diffusion
	}
	isYear := !hertz && b.hz > 1900 && b.hz < 2100 && b.hz != 2000
	return b, b.bare || !isYear
}

// leastHz is the least frequency that a name without "Hz" may mean: A1 and d2 are none.
const leastHz = 20

// isOtherSymbol reports whether the words of a name are a symbol that is none of ours, though its letters are: n, p, a difference of α, the
// deviation s(αs), αN of normal incidence.
func isOtherSymbol(words []string) bool {
	alpha := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "alpha") })
	switch {
	case len(words) == 0:
		return false
	case alpha > 0:
		return slices.ContainsFunc(words[:alpha], func(word string) bool { return word == "s" || word == "d" || word == "delta" })
	}
	return words[0] == "n" || words[0] == "p" || alpha == 0 && slices.Contains(words, "n")
}

// frequencyOf returns the frequency in Hz that digits mean, with "k" or decimals behind it. What may be a sign for thousands is one where that
// gives a band.
func frequencyOf(digits string, kilo bool, behindK string) (hz float64, ok bool) {
	if behindK != "" {
		if !kilo || strings.ContainsAny(digits, ".,") {
			return 0, false
		}
		digits += "." + behindK // 1k6 is 1.6k
	}
	n, ok := parseNumber(digits)
	thousands := n.asThousands() // 0 where it can't be
	switch {
	case !ok:
		return 0, false
	case kilo:
		hz = math.Round(n.value(false)*1e6) / 1e3
	case isOurBand(thousands) || slices.Contains(beyondBands, thousands):
		hz = thousands
	default:
		hz = n.value(false)
	}
	if hz == 31 || hz == 32 {
		hz = 31.5
	}
	return hz, true
}

// isOurBand reports whether a frequency is a band of ours.
func isOurBand(hz float64) bool {
	return hz == math.Trunc(hz) && slices.Contains(acoustics.ThirdBands, int(hz))
}

// setFrequency makes a column one of coefficients at a frequency.
func (c *Column) setFrequency(hz float64) {
	if isOurBand(hz) {
		c.BandHz = int(hz)
	} else {
		c.StrayHz = hz
	}
}

// noBandProblem says that no curve of ours has a frequency, and which band is the nearest.
func noBandProblem(hz float64) string {
	nearest := acoustics.ThirdBands[0]
	for _, band := range acoustics.ThirdBands {
		if math.Abs(math.Log(hz/float64(band))) < math.Abs(math.Log(hz/float64(nearest))) {
			nearest = band
		}
	}
	return formatNumber(hz) + " Hz is no third-octave band from 50 to 10000 Hz (IEC 61260-1), the nearest is " + strconv.Itoa(nearest) + " Hz"
}

package columns

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sabine/dataset/acoustics"
)

// OuterBands lists the bands of IEC 61260-1 that test reports contain and records do not, in Hz.
var OuterBands = []float64{20, 25, 31.5, 40, 12500, 16000, 20000}

// bandPattern matches the name of a coefficient column: words, number, "k" with decimals, "Hz", words.
var bandPattern = re(`^([^0-9]*?)([0-9][0-9.,' ]*?)[ _]*(?:(k)([0-9]*))?[ _]*(hz)?([^0-9a-z][^0-9]*|)$`)

// ratiosAsWords replaces band ratios with words.
var ratiosAsWords = strings.NewReplacer("1/3", "third", "1/1", "octave")

// parseBand parses a folded name of a column with coefficients at one frequency, without "%" and norms. bare
// reports that the name is only a number, which can have another meaning.
func parseBand(folded string) (c Column, bare, ok bool) {
	if len(folded) > MaxNameBytes || !strings.ContainsAny(folded, "0123456789") {
		return c, false, false
	}
	m := bandPattern.FindStringSubmatch(ratiosAsWords.Replace(folded))
	if m == nil {
		return c, false, false
	}
	around := strings.TrimSpace(m[1] + " " + m[6])
	words, ok := bandWordsOf(around)
	hz, isNumber := ParseFrequency(m[2]+m[3]+m[4], "")
	if !ok || !isNumber || otherSymbol.MatchString(strings.Join(words, " ")) {
		return c, false, false
	}
	hasUnit := m[3] != "" || m[5] != ""
	isYear := hz > 1900 && hz < 2100 && hz != 2000
	isNumbered := hz < 20 // part of a name such as A1 or d2
	if len(words) > 0 && !hasUnit && (isYear || isNumbered) {
		return c, false, false
	}
	c.setFrequency(hz)
	if c.Quantity, c.Resolution = quantityOf(around); c.Quantity == "" {
		c.Quantity = quantityOfSymbol(words)
	}
	return c, len(words) == 0 && !hasUnit, true
}

// bandWords returns the words that can be in the name of a coefficient column.
var bandWords = sync.OnceValue(func() []string { return wordsIn("bandwords.txt") })

// bandWordsOf returns the words in a string. It returns false if the string contains anything else.
func bandWordsOf(text string) (words []string, ok bool) {
	words, ok = wordsOf(text)
	isOther := func(word string) bool { return !slices.Contains(bandWords(), word) }
	return words, ok && !slices.ContainsFunc(words, isOther)
}

// quantityOfSymbol returns the quantity that a symbol denotes, or "".
func quantityOfSymbol(words []string) Quantity {
	has := func(word string) bool { return slices.Contains(words, word) }
	isA := len(words) > 0 && words[0] == "a"
	switch {
	case has("as"), has("abs"), has("sac"), isA && has("s"): // a_s
		return AlphaS
	case has("ap"), isA && has("p"):
		return AlphaP
	case has("scat"), has("s") && !has("alpha"):
		return Scattering
	case has("d"), has("delta"):
		return Diffusion
	}
	return ""
}

// otherSymbol matches the words of symbols for other quantities: n, p, a difference between α values, the
// deviation s(αs), and αN at normal incidence.
var otherSymbol = re(`^[npi]\b|\b(s|d|delta)\b.*\b(a\b|alpha)|^(a\b|alpha).*\bn\b`)

// ParseFrequency returns the frequency in Hz in a string: "125", "125 Hz", "1k25", "1,25 kHz". The unit, "kHz"
// or another one for Hz, applies to strings without a unit. An ambiguous separator separates thousands if the
// result is a band. The nominal frequencies 31 and 32 mean 31.5 Hz.
func ParseFrequency(text, unit string) (hz float64, ok bool) {
	text, hasHz := strings.CutSuffix(strings.ToLower(text), "hz")
	digits, afterK, hasK := strings.Cut(strings.TrimSpace(text), "k")
	if digits = strings.TrimSpace(digits); afterK != "" {
		digits += "." + afterK // 1k6 is 1.6k
	}
	n, ok := ParseNumber(digits)
	if hz = n.Value(false); hasK || !hasHz && unit == "kHz" {
		hz = math.Round(hz*1e6) / 1e3
	} else if n.ambiguous != 0 {
		n.scale = 0
		if thousands := n.Value(false); isCentre(thousands) {
			hz = thousands
		}
	}
	if hz == 31 || hz == 32 {
		hz = 31.5
	}
	return hz, ok
}

// isCentre reports whether a frequency is the centre of a third-octave band, including OuterBands.
func isCentre(hz float64) bool { return IsBand(hz) || slices.Contains(OuterBands, hz) }

// IsBand reports whether a frequency is a band of the curves in records.
func IsBand(hz float64) bool {
	return hz == math.Trunc(hz) && slices.Contains(acoustics.ThirdBands, int(hz))
}

// NoBand returns the message for a frequency that is not a band. The message names the nearest band.
func NoBand(hz float64) string {
	distance := func(band int) float64 { return math.Abs(math.Log(hz / float64(band))) }
	near := slices.MinFunc(acoustics.ThirdBands, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
	return FormatNumber(hz) + " Hz is not a third-octave band from 50 to 10000 Hz (IEC 61260-1); the nearest is " +
		strconv.Itoa(near) + " Hz"
}
